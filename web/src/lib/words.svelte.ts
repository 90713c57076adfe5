// Words: one catalogue a language. A message is a text with {places}, or one text for each plural form.

import english from "../../../src/fogline/locales/en.json";
import { language, type Language } from "./settings.svelte";

export type Key = keyof typeof english;
export type Values = Record<string, string | number>;
type Message = string | Record<string, string>;
type Catalogue = Record<string, Message>;

const LOADERS: Record<Language, () => Promise<Catalogue>> = {
  en: () => Promise.resolve(english),
  da: () => import("../../../src/fogline/locales/da.json").then((found) => found.default),
  nb: () => import("../../../src/fogline/locales/nb.json").then((found) => found.default),
  fi: () => import("../../../src/fogline/locales/fi.json").then((found) => found.default),
  nl: () => import("../../../src/fogline/locales/nl.json").then((found) => found.default),
};

class Words {
  language = $state<Language>("en");
  catalogue = $state.raw<Catalogue>(english);

  async speak(wanted: Language): Promise<void> {
    const catalogue = await LOADERS[wanted]();
    if (wanted !== language()) return; // another one was chosen meanwhile
    this.language = wanted;
    this.catalogue = catalogue;
    document.documentElement.lang = wanted;
  }
}

export const words = new Words();

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
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

function plural(forms: Record<string, string>, count: number, locale: string): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms["other"] ?? "";
}

/** "a", "a and b", "a, b and c", as the language has it. */
export const list = (parts: string[]): string =>
  new Intl.ListFormat(words.language, { type: "conjunction" }).format(parts);
