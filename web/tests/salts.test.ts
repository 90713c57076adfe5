import { beforeEach, expect, it } from "vitest";

import { rememberedSalt, rememberSalt } from "../src/lib/salts";
import type { State } from "../src/wire";

const state = (id: string, commitment: string, salts: string[] = []): State => ({ table: { id, commitment, salts, you: { chair: 0 } } }) as unknown as State;
let kept: Record<string, string>;

beforeEach(() => {
  kept = {};
  const localStorage = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
  };
  Object.assign(globalThis, { localStorage });
});

it("remembers the last salt and the first commitment of a table", () => {
  rememberSalt(state("a", "c1"), "00");
  rememberSalt(state("a", "c2"), "11");
  expect(rememberedSalt("a")).toEqual({ salt: "11", commitment: "c1" });
  expect(rememberedSalt("b")).toBe(null);
});

it("keeps the salt that the table used, when another came too late", () => {
  rememberSalt(state("a", "c"), "00");
  rememberSalt(state("a", "c", ["00", "22"]), "11");
  expect(rememberedSalt("a")?.salt).toBe("00");
});

it("forgets the oldest tables", () => {
  for (let table = 0; table < 100; table++) rememberSalt(state(`t${table}`, "c"), "00");
  expect(rememberedSalt("t0")).toBe(null);
  expect(rememberedSalt("t99")?.salt).toBe("00");
  expect(Object.keys(JSON.parse(kept["fogline.salts"] ?? "{}") as object)).toHaveLength(60);
});

it("goes on where nothing can be kept", () => {
  Object.assign(globalThis, { localStorage: undefined });
  expect(rememberSalt(state("a", "c"), "00").table.id).toBe("a");
  expect(rememberedSalt("a")).toBe(null);
});
