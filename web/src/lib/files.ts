// Files: a game's record, to be kept or brought along.

import { api, ApiError } from "./api";

/** One record: a JSON object, or the first line of a file of many. */
export function readRecord(text: string): Record<string, unknown> {
  for (const part of [text, text.trim().split("\n", 1)[0] ?? ""]) {
    try {
      const found: unknown = JSON.parse(part.replace(/^\uFEFF/, ""));
      if (typeof found === "object" && found !== null && !Array.isArray(found)) return found as Record<string, unknown>;
    } catch {
      // perhaps its first line alone
    }
  }
  throw new ApiError("invalid", "not a record");
}

/** Brings a record to the server. Returns the id of the table that shows it. */
export async function bringFile(file: Blob): Promise<string> {
  return (await api.bring(readRecord(await file.text()), [])).id;
}

/** Lets the browser keep the record of a finished game. */
export async function keepRecord(table: string): Promise<void> {
  keepJson(await api.record(table), `fogline-${table}.json`);
}

/** Lets the browser keep a value as a file. */
export function keepJson(value: unknown, name: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value) + "\n"], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
