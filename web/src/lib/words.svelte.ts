// Words: one catalogue a language. A message is a text with {places}, or one text for each plural form.

import english from "../../../src/fogline/locales/en.json";
import { language, type Language } from "./settings.svelte";

export type Key = keyof typeof english;
export type Values = Record<string, string | number>;
export type Message = string | Record<string, string>;
export type Catalogue = Record<string, Message>;

const FOLDER = "../../../src/fogline/locales";
const FILES = import.meta.glob<Catalogue>(
  ["../../../src/fogline/locales/*.json", "!../../../src/fogline/locales/en.json"], // English is here already
  { import: "default" },
);

class Words {
  language = $state<string>("en");
  catalogue = $state.raw<Catalogue>(english);

  async speak(wanted: Language): Promise<void> {
    const catalogue = (await FILES[`${FOLDER}/${wanted}.json`]?.()) ?? english;
    if (wanted !== language()) return; // another one was chosen meanwhile
    this.language = wanted;
    this.catalogue = catalogue;
    document.documentElement.lang = wanted;
    document.documentElement.dir = direction(wanted);
  }
}

export const words = new Words();

const FROM_THE_RIGHT = new Set(["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"]);

/** Which way a language is written: its usual script says so. */
export function direction(locale: string): "ltr" | "rtl" {
  return FROM_THE_RIGHT.has(new Intl.Locale(locale).maximize().script ?? "") ? "rtl" : "ltr";
}

/** The text of a key; `count` chooses the plural form. */
export function t(key: Key, values: Values = {}): string {
  return format(words.catalogue[key] ?? english[key] ?? key, values, words.language);
}

/** The same for a key that is put together at run time, such as a refusal's; empty where there is none. */
export function tMaybe(key: string, values: Values = {}): string {
  const message = words.catalogue[key] ?? (english as Catalogue)[key];
  return message === undefined ? "" : format(message, values, words.language);
}

export function format(message: Message, values: Values, locale: string): string {
  const text = typeof message === "string" ? message : plural(message, Number(values["count"] ?? 0), locale);
  return text.replace(/\{(\w+)\}/g, (place, name: string) => set(values[name] ?? place, locale));
}

const [ISOLATE, END_OF_ISOLATE] = [String.fromCodePoint(0x2068), String.fromCodePoint(0x2069)];

/** A value as it stands in a text. A name keeps its own direction, so that it does not turn what is beside it. */
function set(value: string | number, locale: string): string {
  return typeof value === "string" && direction(locale) === "rtl" ? `${ISOLATE}${value}${END_OF_ISOLATE}` : String(value);
}

/** A number with a proper minus, which stands before it in every language. */
export const signed = (value: number): string => (value < 0 ? set(`−${-value}`, words.language) : String(value));

function plural(forms: Record<string, string>, count: number, locale: string): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms["other"] ?? "";
}

/** "a", "a and b", "a, b and c", as the language has it. */
export const list = (parts: string[]): string =>
  new Intl.ListFormat(words.language, { type: "conjunction" }).format(parts);
