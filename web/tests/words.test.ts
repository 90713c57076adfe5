import "./browser";

import { afterEach, describe, expect, it } from "vitest";

import { LANGUAGES } from "../src/lib/settings.svelte";
import { direction, format, list, signed, t, words, type Catalogue } from "../src/lib/words.svelte";

const english = words.catalogue;
const CATALOGUES = import.meta.glob<Catalogue>("../../src/fogline/locales/*.json", { eager: true, import: "default" });

const POLISH = { one: "{count} żeton", few: "{count} żetony", many: "{count} żetonów", other: "{count} żetonu" };
const ARABIC = { zero: "لا بطاقات", one: "بطاقة", two: "بطاقتان", few: "{count} بطاقات", many: "{count} بطاقة", other: "{count} بطاقة." };

/** The plural forms that whole numbers of a game can ask for; `other` is what stands in for any of them. */
function formsOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(["other", ...Array.from({ length: 1001 }, (_, count) => rules.select(count))])].sort();
}

function speak(language: string, catalogue: Catalogue): void {
  words.language = language;
  words.catalogue = catalogue;
}

afterEach(() => speak("en", english));

describe("a count", () => {
  it("takes the form that the language has for it", () => {
    const polish = (count: number): string => format(POLISH, { count }, "pl");
    expect([1, 3, 5, 12, 22, 25].map(polish)).toEqual([
      ...["1 żeton", "3 żetony", "5 żetonów", "12 żetonów", "22 żetony", "25 żetonów"],
    ]);
    const arabic = (count: number): string => format(ARABIC, { count }, "ar");
    expect([0, 1, 2, 3, 11, 100].map(arabic)).toEqual([
      ...["لا بطاقات", "بطاقة", "بطاقتان", "3 بطاقات", "11 بطاقة", "100 بطاقة."],
    ]);
  });

  it("takes the form for others where a catalogue lacks its own", () => {
    expect(format({ one: "one", other: "{count} others" }, { count: 3 }, "pl")).toBe("3 others");
  });

  it.each(LANGUAGES)("has all its forms and no other in %s", (language) => {
    const catalogue = CATALOGUES[`../../src/fogline/locales/${language}.json`] ?? {};
    const plurals = Object.entries(catalogue).filter(([, message]) => typeof message !== "string");
    expect(plurals.length).toBeGreaterThan(20);
    const wrong = plurals.filter(([, forms]) => `${Object.keys(forms).sort()}` !== `${formsOf(language)}`);
    expect(wrong.map(([key]) => key)).toEqual([]);
  });
});

it("the forms of a language are those that its whole numbers ask for", () => {
  expect(formsOf("pl")).toEqual(["few", "many", "one", "other"]);
  expect(formsOf("ar")).toEqual(["few", "many", "one", "other", "two", "zero"]);
  expect(formsOf("ja")).toEqual(["other"]);
});

describe("another language", () => {
  it("says what its catalogue says, in the form for the count", () => {
    speak("pl", { "games.title": "Twoje gry", "players.tokens": POLISH });
    expect(t("games.title")).toBe("Twoje gry");
    expect(t("players.tokens", { count: 4 })).toBe("4 żetony");
    expect(list(["Ada", "Ben", "Cleo"])).toBe("Ada, Ben i Cleo");
  });

  it("speaks English where it has no words", () => {
    speak("pl", {});
    expect(t("games.title")).toBe(english["games.title"]);
  });
});

describe("a language that is written from the right", () => {
  it("is known by its script", () => {
    expect(["ar", "he", "fa", "ur", "dv"].map(direction)).toEqual(Array(5).fill("rtl"));
    expect(["pl", "ja", "en", "fi"].filter((language) => direction(language) !== "ltr")).toEqual([]);
  });

  it("keeps names from turning what stands beside them", () => {
    expect(format("{name} يلعب {count}", { name: "Ada", count: 3 }, "ar")).toBe("\u2068Ada\u2069 يلعب 3");
    expect(format("{name} spielt", { name: "Ada" }, "de")).toBe("Ada spielt");
  });

  it("has a minus before its number", () => {
    expect([signed(3), signed(-3)]).toEqual(["3", "−3"]);
    speak("ar", {});
    expect(signed(-3)).toBe("\u2068−3\u2069");
  });
});
