import "./browser";

import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { absentee, missing, standing, standingText } from "../src/lib/presence";
import type { ChairPresence, Presence, TableInfo } from "../src/wire";

const NOW = 10_000;
beforeEach(() => void vi.useFakeTimers({ now: 1000 * NOW }));
afterEach(() => void vi.useRealTimers());

const person = { kind: "person", name: "", player: "", level: null, away: false } as const;
const table = (changes: Partial<TableInfo> = {}): TableInfo =>
  ({
    clock: "none",
    chairs: [person, person, { ...person, kind: "bot" }],
    seating: [2, 1, 0],
    you: { chair: 0, seat: 2, host: true },
    waiting: NOW - 1000,
    ...changes,
  }) as unknown as TableInfo;
const told = (seen: ChairPresence): Presence => ({
  type: "presence",
  chairs: [{ how: "here", since: null }, seen, null],
  known: NOW - 100,
  patience: 180,
});

it.each([
  [{ how: "here", since: null }, "here", []],
  [{ how: "hidden", since: NOW - 500 }, "away", [1]],
  [{ how: "gone", since: NOW - 5 }, "away", [1]],
  [{ how: "gone", since: NOW - 61 }, "gone", [1]],
  [{ how: "gone", since: null }, "unseen", [1]],
] as [ChairPresence, string, number[]][])("%o is %s", (seen, how, gone) => {
  expect(standing(told(seen), table(), 1)).toBe(how);
  expect(missing(told(seen), table())).toEqual(gone);
});

it("says nothing of oneself, of bots, and while nothing is known", () => {
  expect(standing(told({ how: "here", since: null }), table(), 0)).toBe(null);
  expect(standing(told({ how: "here", since: null }), table(), 2)).toBe(null);
  expect(standing(null, table(), 1)).toBe(null);
});

it("says since when somebody is gone", () => {
  const seen: ChairPresence = { how: "gone", since: NOW - 600 };
  const time = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit" }).format(1000 * (NOW - 600));
  expect(standingText(told(seen), 1, "gone")).toContain(time);
});

it("offers a bot for somebody who has been gone, and waited for, as long as it takes, and for nobody else", () => {
  const gone = told({ how: "gone", since: NOW - 180 });
  expect(absentee(gone, table(), [1])).toBe(1);
  expect(absentee(gone, table(), [2])).toBe(null); // one waits for oneself
  expect(absentee(told({ how: "gone", since: NOW - 179 }), table(), [1])).toBe(null);
  expect(absentee(told({ how: "here", since: null }), table(), [1])).toBe(null);
  expect(absentee(told({ how: "gone", since: null }), table(), [1])).toBe(null); // who knows how long
  expect(absentee(gone, table({ waiting: NOW - 179 }), [1])).toBe(null);
  expect(absentee(gone, table({ clock: "60s" }), [1])).toBe(null);
  expect(absentee(gone, table({ you: { chair: null, seat: null, host: false } }), [1])).toBe(null);
  expect(absentee(gone, table({ chairs: [person, { ...person, away: true }, person] }), [1])).toBe(null);
});
