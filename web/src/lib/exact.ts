// Exact: a JSON value as a text, the same in the browser and in Python, so that both give it the same hash.

/** Whatever the order of its keys. */
export function exact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(exact).join(", ")}]`;
  if (typeof value !== "object" || value === null) return ascii(JSON.stringify(value) ?? "null");
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, one]) => `${ascii(JSON.stringify(key))}: ${exact(one)}`).join(", ")}}`;
}

/** As Python writes what is not ASCII. */
const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
