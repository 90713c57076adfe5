// The rules, numbered, in the person's language.

import { language, type Language } from "./settings.svelte";

type Numbered = Readonly<Record<string, string>>;

export interface RulesText {
  brief: { title: string; texts: string[] }[];
  chapters: { number: string; title: string }[];
  rules: Numbered;
  examples: Numbered;
  rulings: Numbered; // where the rulebooks are silent or differ
  notes: Numbered; // what one can play without
}

export interface Rule {
  number: string;
  rule: string | undefined;
  example: string | undefined;
  ruling: string | undefined;
  note: string | undefined;
}

export interface Chapter {
  number: string;
  title: string;
  rules: Rule[];
}

export interface Rulebook {
  brief: RulesText["brief"];
  chapters: Chapter[];
}

const FILES = import.meta.glob<{ default: RulesText }>("../../../src/fogline/locales/rules/*.json");

export async function loadRules(wanted: Language = language()): Promise<Rulebook> {
  const load = FILES[`../../../src/fogline/locales/rules/${wanted}.json`];
  if (!load) throw new Error(`no rules in ${wanted}`);
  const { default: text } = await load();
  return { brief: text.brief, chapters: arrange(text) };
}

/** Chapters with their rules in order, each with what stands under it. */
export function arrange({ chapters, rules, examples, rulings, notes }: Omit<RulesText, "brief">): Chapter[] {
  const numbers = [...new Set([...Object.keys(rules), ...Object.keys(rulings)])].sort(compare);
  const about = (number: string): Rule => ({
    number,
    rule: rules[number],
    example: examples[number],
    ruling: rulings[number],
    note: notes[number],
  });
  return chapters.map(({ number, title }) => ({
    number,
    title,
    rules: numbers.filter((rule) => rule.split(".")[0] === number).map(about),
  }));
}

const parts = (number: string): [number, number] => {
  const [chapter = 0, rule = 0] = number.split(".").map(Number);
  return [chapter, rule];
};
const compare = (one: string, other: string): number =>
  parts(one)[0] - parts(other)[0] || parts(one)[1] - parts(other)[1];

export interface Piece {
  kind: "plain" | "bold" | "rule"; // rule: the number of another one
  text: string;
}

/** A text in pieces: **bold** words, and numbers of other rules. */
export function pieces(text: string, known: ReadonlySet<string>): Piece[] {
  return text
    .split(/(\*\*[^*]+\*\*|\b\d{1,2}\.\d{1,2}\b)/)
    .filter(Boolean)
    .map((part): Piece => {
      if (part.startsWith("**") && part.length > 4) return { kind: "bold", text: part.slice(2, -2) };
      return { kind: known.has(part) ? "rule" : "plain", text: part };
    });
}

/** The rule that an address names: `#rule-4.8`. */
export const ruleOf = (hash: string): string | null => /^#rule-(\d+\.\d+)$/.exec(hash)?.[1] ?? null;

/** Which picture stands with which rule. */
export const FIGURES = {
  "1.1": "route",
  "1.2": "double",
  "1.3": "ferry",
  "1.4": "cards",
  "1.5": "ticket",
  "1.6": "souvenirs",
  "1.7": "cars",
  "1.8": "points",
  "2.3": "stacks",
  "2.4": "display",
  "2.8": "setUp",
  "3.5": "second",
  "3.7": "reset",
  "4.1": "claim",
  "4.3": "payments",
  "4.4": "ferryPayment",
  "4.8": "twins",
  "5.1": "token",
  "6.3": "completed",
  "9.2": "souvenirPoints",
} as const;
export type Figure = (typeof FIGURES)[keyof typeof FIGURES];

export const figureOf = (rule: string): Figure | null =>
  (FIGURES as Readonly<Record<string, Figure>>)[rule] ?? null;
