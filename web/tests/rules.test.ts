import "./browser";

import { describe, expect, it } from "vitest";

import { arrange, FIGURES, loadRules, pieces, ruleOf } from "../src/lib/rules";
import type { Rulebook } from "../src/lib/rules";

const numbers = ({ chapters }: Pick<Rulebook, "chapters">): string[] => chapters.flatMap(({ rules }) => rules.map(({ number }) => number));

describe("the rules", () => {
  it("are all there, in order", async () => {
    const { brief, chapters } = await loadRules("en");
    expect(brief[0]).toMatchObject({ title: "The aim" });
    expect(chapters.map(({ number }) => number)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    const third = numbers({ chapters }).filter((number) => number.startsWith("3."));
    expect(third).toEqual(["3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.10"]);
    expect(chapters[2]?.rules[8]).toMatchObject({ number: "3.9", rule: undefined });
    expect(chapters[2]?.rules[8]?.ruling).toContain("stays empty");
  });

  it("have pictures only where there is a rule", async () => {
    expect(numbers(await loadRules("en"))).toEqual(expect.arrayContaining(Object.keys(FIGURES)));
  });

  it("have under each number what belongs there", () => {
    const text = { chapters: [{ number: "1", title: "One" }], rules: { "1.10": "b", "1.2": "a" }, examples: { "1.2": "c" } };
    expect(arrange({ ...text, rulings: { "1.3": "d" }, notes: {} })[0]?.rules).toEqual([
      { number: "1.2", rule: "a", example: "c" },
      { number: "1.3", ruling: "d" },
      { number: "1.10", rule: "b" },
    ]);
  });
});

describe("a rule's text", () => {
  const known = new Set(["3.7", "1.8"]);

  it("falls into words, bold words and numbers of rules", () => {
    expect(pieces("the **display**. Rule 3.7 (see 9.9)", known)).toEqual([
      { kind: "plain", text: "the " },
      { kind: "bold", text: "display" },
      { kind: "plain", text: ". Rule " },
      { kind: "rule", text: "3.7" },
      { kind: "plain", text: " (see " },
      { kind: "plain", text: "9.9" },
      { kind: "plain", text: ")" },
    ]);
  });

  it("loses nothing", () => {
    const text = "1→1, 2→2 (1.8), 12.345 ** x";
    expect(pieces(text, known).map((piece) => piece.text).join("")).toBe(text);
  });
});

it("an address names a rule", () => {
  expect(ruleOf("#rule-4.8")).toBe("4.8");
  expect(ruleOf("#rule-x")).toBe(null);
  expect(ruleOf("")).toBe(null);
});
