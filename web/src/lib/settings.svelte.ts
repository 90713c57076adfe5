// What a person has chosen, remembered by the browser.

/** The languages that we speak, each by its own name. */
export const NAMES = { en: "English", da: "Dansk", nb: "Norsk", fi: "Suomi", nl: "Nederlands" } as const;
export type Language = keyof typeof NAMES;
export const LANGUAGES = Object.keys(NAMES) as Language[];

interface Choices {
  language: Language | "auto";
  theme: "auto" | "light" | "dark";
  motion: "auto" | "none";
  muted: boolean;
  notify: boolean;
  confirm: boolean;
  name: string;
}

const DEFAULTS: Choices = {
  language: "auto",
  theme: "auto",
  motion: "auto",
  muted: false,
  notify: false,
  confirm: true,
  name: "",
};

const KEY = "fogline.settings";

function remembered(): Choices {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return { ...DEFAULTS }; // storage may be forbidden, or hold something of another time
  }
}

export const settings: Choices = $state(remembered());

export function change<K extends keyof Choices>(key: K, value: Choices[K]): void {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // then it lasts as long as the page
  }
}

const media = (query: string): MediaQueryList => matchMedia(query);

class Surroundings {
  dark = $state(media("(prefers-color-scheme: dark)").matches);
  printing = $state(media("print").matches);
  still = $state(media("(prefers-reduced-motion: reduce)").matches);

  constructor() {
    media("(prefers-color-scheme: dark)").addEventListener("change", (event) => (this.dark = event.matches));
    media("print").addEventListener("change", (event) => (this.printing = event.matches));
    media("(prefers-reduced-motion: reduce)").addEventListener("change", (event) => (this.still = event.matches));
  }
}

const surroundings = new Surroundings();

/** On paper it is always day. */
export const isDark = (): boolean =>
  !surroundings.printing && (settings.theme === "auto" ? surroundings.dark : settings.theme === "dark");

export const isStill = (): boolean => settings.motion === "none" || surroundings.still;

/** The first of the browser's languages that we speak. */
export function language(): Language {
  if (settings.language in NAMES) return settings.language as Language; // another server may speak more
  for (const wanted of navigator.languages) {
    const base = wanted.toLowerCase().split("-")[0] ?? "";
    const found = LANGUAGES.find((one) => one === (base === "no" || base === "nn" ? "nb" : base));
    if (found) return found;
  }
  return "en";
}
