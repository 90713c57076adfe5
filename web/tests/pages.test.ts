import "./browser";

import { describe, expect, it } from "vitest";

import { countedUp, countingOrder } from "../src/lib/ceremony.svelte";
import { readRecord } from "../src/lib/files";
import { awaitsYou, inOrder } from "../src/lib/mytables";
import { FIRST_WISH, possible, wantedTable } from "../src/lib/opening";
import { qrPath } from "../src/lib/share";
import type { Seat, SeatScore, State, TableInfo } from "../src/wire";

const table = (id: string, status: TableInfo["status"]): TableInfo => ({
  id,
  status,
  map: "san_francisco",
  clock: "none",
  spectators: true,
  chairs: [],
  seating: [],
  you: { chair: 0, seat: 0, host: true },
  invite: null,
  deadline: null,
  scheme: 2,
  commitment: "",
  seals: [],
  salts: [],
  secret: null,
  again: null,
  waiting: null,
});

const seat = (total: number): Seat => ({
  points: 0,
  cars: 0,
  cards: 0,
  tickets: 0,
  tokens: [],
  hand: null,
  kept: null,
  score: { routes: total, tickets: 0, tokens: 0, total, completed: [], failed: [] } satisfies SeatScore,
});

describe("opening a table", () => {
  it("fills the other chairs with bots and begins at once", () => {
    const wanted = wantedTable({ ...FIRST_WISH, players: 3 }, "bots", "Ada");
    expect(wanted.chairs).toEqual([{ kind: "me" }, { kind: "bot", player: "dreamer" }, { kind: "bot", player: "dreamer" }]);
    expect(wanted.autostart).toBe(true);
  });

  it("leaves the other chairs open for friends and waits for the host", () => {
    const wanted = wantedTable({ ...FIRST_WISH, players: 4 }, "friends", "Ada");
    expect(wanted.chairs.map(({ kind }) => kind)).toEqual(["me", "open", "open", "open"]);
    expect(wanted.autostart).toBe(false);
  });

  it("asks only for what the server has", () => {
    const bots = [
      { name: "easy", level: 1, description: "", elo: null },
      { name: "hard", level: 5, description: "", elo: null },
    ];
    const wish = possible({ ...FIRST_WISH, player: "gone" }, bots, [{ id: "tiny", name: "Tiny" }]);
    expect([wish.player, wish.map]).toEqual(["hard", "tiny"]);
    expect(possible({ ...FIRST_WISH, player: "easy" }, bots, []).player).toBe("easy");
  });
});

describe("my tables", () => {
  it("shows first those that wait for me, and few that are over", () => {
    const all = [
      { table: table("over1", "over"), yours: false },
      { table: table("open", "open"), yours: false },
      { table: table("closed", "closed"), yours: false },
      { table: table("theirs", "playing"), yours: false },
      { table: table("over2", "over"), yours: false },
      { table: table("mine", "playing"), yours: true },
      { table: table("brought", "imported"), yours: false },
      { table: table("over3", "over"), yours: false },
    ];
    expect(inOrder(all).map((one) => one.table.id)).toEqual(["mine", "theirs", "open", "over1", "over2", "brought"]);
  });

  it("does not wait for somebody for whom a bot plays", () => {
    const chair = { kind: "person" as const, name: "Ada", player: "", level: null, away: false };
    const view = { legal: [{ action: "draw deck", kind: "draw", target: "deck", cards: null }] } as unknown as State["view"];
    expect(awaitsYou({ table: { ...table("a", "playing"), chairs: [chair] }, view })).toBe(true);
    expect(awaitsYou({ table: { ...table("a", "playing"), chairs: [{ ...chair, away: true }] }, view })).toBe(false);
  });
});

describe("the ceremony", () => {
  it("counts the winners last, also where only tickets decided", () => {
    expect(countingOrder([seat(30), seat(12), seat(41)], [2])).toEqual([1, 0, 2]);
    expect(countingOrder([seat(41), seat(41), seat(12)], [0])).toEqual([2, 1, 0]);
  });

  it("counts up from nothing to exactly the points, below zero, too", () => {
    expect([countedUp(37, -100), countedUp(37, 0), countedUp(37, 99_999)]).toEqual([0, 0, 37]);
    expect(countedUp(-9, 99_999)).toBe(-9);
  });
});

describe("a record file", () => {
  it("is one JSON object, or the first line of many", () => {
    expect(readRecord('\uFEFF{"a": 1}\n')).toEqual({ a: 1 });
    expect(readRecord('{"a": 1}\n{"a": 2}\n')).toEqual({ a: 1 });
  });

  it("is refused when it is anything else", () => {
    for (const text of ["", "[1]", "null", "hello"]) expect(() => readRecord(text)).toThrow();
  });
});

describe("the code for a camera", () => {
  it("is drawn within its square, with its three corner marks", () => {
    const { path, size } = qrPath("https://fogline.example/join/abcdefghijklmnop");
    expect(path.startsWith("M2 2h7v1h-7z")).toBe(true); // after a border of two
    for (const [, x = "", y = "", width = ""] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(size - 2);
      expect(Number(y)).toBeLessThan(size - 2);
    }
  });
});
