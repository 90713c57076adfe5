// The rules, numbered, in the person's language as far as they are translated.

import { language, type Language } from "./settings.svelte";

export interface RulesText {
  chapters?: { number: string; title: string }[];
  rules?: Record<string, string>;
  rulings?: Record<string, string>; // where the rulebooks are silent or differ
}

/** A text, and whether it is English because nobody has translated it. */
export interface Told {
  text: string;
  foreign: boolean;
}

export interface Rule {
  number: string;
  rule: Told | null;
  ruling: Told | null;
}

export interface Chapter {
  number: string;
  title: Told;
  rules: Rule[];
}

const FILES = import.meta.glob<{ default: RulesText }>("../../../src/fogline/locales/rules/*.json");

const load = async (wanted: Language): Promise<RulesText> =>
  (await FILES[`../../../src/fogline/locales/rules/${wanted}.json`]?.())?.default ?? {};

export async function loadRules(wanted: Language = language()): Promise<Chapter[]> {
  const [english, own] = await Promise.all([load("en"), wanted === "en" ? {} : load(wanted)]);
  return wanted === "en" ? arrange(english, english) : arrange(english, own);
}

/** Chapters with their rules in order, each text in one's own language or else in English. */
export function arrange(english: RulesText, own: RulesText): Chapter[] {
  const told = (mine: string | undefined, theirs: string | undefined): Told | null =>
    mine !== undefined ? { text: mine, foreign: false } : theirs !== undefined ? { text: theirs, foreign: true } : null;
  const numbers = [...new Set([...Object.keys(english.rules ?? {}), ...Object.keys(english.rulings ?? {})])].sort(compare);
  return (english.chapters ?? []).map(({ number, title }) => ({
    number,
    title: told(own.chapters?.find((one) => one.number === number)?.title, title) ?? { text: title, foreign: true },
    rules: numbers
      .filter((rule) => rule.split(".")[0] === number)
      .map((rule) => ({
        number: rule,
        rule: told(own.rules?.[rule], english.rules?.[rule]),
        ruling: told(own.rulings?.[rule], english.rulings?.[rule]),
      })),
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
