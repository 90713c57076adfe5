import { beforeEach, describe, expect, it } from "vitest";

import { FairnessError, piecesOf, sha256 } from "../src/lib/fairness";
import { exact } from "../src/lib/exact";
import { asSeen } from "../src/lib/comparing";
import { keepReceipt, newReceipt, note, type Receipt, receiptOf } from "../src/lib/receipts";
import { statusOf, verify } from "../src/lib/verify";
import { hashOn, Witness } from "../src/lib/witness";
import type { Plan, State, TableInfo } from "../src/wire";
import fixture from "./fairness.json";

interface Evening {
  record: { events: Record<string, unknown>[] };
  receipt: Receipt;
}

// Made by make_fairness.py: more of them, when a test says where they are.
const many = import.meta.env["VITE_EVENINGS"] as string | undefined;
const made: unknown = many ? ((await import(/* @vite-ignore */ many)) as { default: unknown }).default : fixture;
const python = made as {
  boards: Record<string, Plan>;
  honest: Evening[];
  cheats: Record<string, Evening[]>;
  doubts: Record<string, Evening[]>;
  bases: [unknown, unknown][];
  mutated: { base: number; changes: string; word: string }[];
};
const C = "c".repeat(64);
const KINDS = ["person", "person"] as const;

/** As much of a table as a receipt asks for. */
function tableOf(more: Partial<TableInfo> & { chair?: number | null } = {}): TableInfo {
  const { chair = null, ...rest } = more;
  const chairs = KINDS.map((kind) => ({ kind, name: "", player: "", level: null, away: false }));
  const table = { id: "a", commitment: C, status: "playing", chairs, seals: [null, null], scheme: 2, ...rest };
  return { you: { chair, seat: null, host: false }, ...table } as unknown as TableInfo;
}

const pieces = piecesOf(python.boards["tiny"] as Plan);

let kept: Record<string, string>;
beforeEach(() => {
  kept = {};
  const localStorage = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
  };
  Object.assign(globalThis, { localStorage });
});

describe("a record is held against the receipt", () => {
  const { honest, cheats, doubts } = python;

  it("and an honest game is the one that was seen", async () => {
    expect(honest.length).toBeGreaterThan(3);
    for (const { record, receipt } of honest) {
      const report = await verify(record, pieces, receipt);
      expect([report.failure, report.doubts]).toEqual([null, []]);
      expect(statusOf(report, "receipt")).toBe("good");
    }
  });

  it.each(Object.entries(cheats))("and %s is found every time, and hardly ever without it", async (cheat, evenings) => {
    for (const { record, receipt } of evenings) {
      const inRecord = cheat === "a copied seal";
      expect((await verify(record, pieces)).failure?.key).toBe(inRecord ? "sameSeal" : undefined);
      const report = await verify(record, pieces, receipt);
      expect(report.failure?.key).toMatch(/^(sameSeal|botSeal|differed|other(Scheme|Game|Commitment|Seals?|Salt|Events))$/);
      expect(statusOf(report, inRecord ? "commitment" : "receipt")).toBe("bad");
    }
  });

  it.each(Object.entries(doubts))("and %s is no cheat for sure, but never called fair", async (_, evenings) => {
    for (const { record, receipt } of evenings) {
      const report = await verify(record, pieces, receipt);
      expect([report.failure, report.doubts.length]).toEqual([null, 1]);
      expect(statusOf(report, "receipt")).toBe("open");
    }
  });

  it("but without one it cannot be said which game it is", async () => {
    expect(statusOf(await verify(honest[0]?.record, pieces), "receipt")).toBe("open");
  });
});

it("changed anywhere, a record and its receipt are to the page what they are to Python", async () => {
  for (const { base, changes, word } of python.mutated) {
    const pair = JSON.parse(JSON.stringify(python.bases[base])) as unknown[];
    for (const { place, value } of JSON.parse(changes) as Change[]) change(pair, place, value);
    expect([await wordOf(pair), changes]).toEqual([word, changes]);
  }
}, 300_000); // where there are many

interface Change {
  place: (string | number)[];
  value: unknown[]; // or nothing, where it goes away
}

function change(pair: unknown, place: Change["place"], value: Change["value"]): void {
  const holder = place.slice(0, -1).reduce((one, key) => (one as Record<string, unknown>)[key], pair);
  const key = place.at(-1) ?? "";
  if (value.length) Object.defineProperty(holder, key, { value: value[0], enumerable: true, writable: true, configurable: true });
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder as object, key);
}

async function wordOf([record, receipt]: unknown[]): Promise<string> {
  const map = String((record as { map?: unknown } | null)?.map);
  const board = python.boards[Object.hasOwn(python.boards, map) ? map : "tiny"];
  try {
    const { failure, doubts } = await verify(record, piecesOf(board as Plan), receipt ?? {});
    return failure ? "cheat" : doubts.length ? "doubt" : "fair";
  } catch (error) {
    return error instanceof FairnessError ? "damaged" : String(error);
  }
}

describe("receipts", () => {
  const table = (id: string) => tableOf({ id });

  it("are kept by table, each with a salt of its own", () => {
    const [one, other] = [newReceipt(table("a")), newReceipt(table("b"))];
    expect(one.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(one.salt).not.toBe(other.salt);
    keepReceipt(one);
    expect(receiptOf("a")).toEqual(one);
    expect(receiptOf("b")).toBe(null);
  });

  it("of the oldest tables are forgotten, and of games only when there is nothing else to forget", () => {
    const given = (number: number) => ({ ...newReceipt(table(`game${number}`)), given: true });
    keepReceipt(given(0));
    for (let number = 0; number < 300; number++) keepReceipt(newReceipt(table(`t${number}`)));
    expect(receiptOf("t0")).toBe(null);
    expect(receiptOf("t299")).not.toBe(null);
    expect(receiptOf("game0")).not.toBe(null);
    expect(Object.keys(JSON.parse(kept["fogline.receipts"] ?? "{}") as object)).toHaveLength(200);
    for (let number = 1; number < 201; number++) keepReceipt(given(number));
    expect(receiptOf("game0")).toBe(null);
    expect(receiptOf("game200")).not.toBe(null);
  });

  it("last as long as the page is open, where nothing can be kept", () => {
    Object.assign(globalThis, { localStorage: undefined });
    const receipt = newReceipt(table("a"));
    keepReceipt(receipt);
    expect(receiptOf("a")).toEqual(receipt);
  });

  it("move on as long as the page is open, where the storage is full", () => {
    const receipt = newReceipt(table("a"));
    expect(keepReceipt(receipt)).toBe(true);
    localStorage.setItem = () => {
      throw new Error("QuotaExceededError");
    };
    expect(keepReceipt({ ...receipt, given: true })).toBe(false); // the next page would not know
    expect(receiptOf("a")?.given).toBe(true);
  });

  it("of no table are those that every object has", () => expect(receiptOf("toString")).toBe(null));
});

describe("a witness writes down what is shown", () => {
  const events = [{ e: "recycle" }, { e: "pass", seat: 0 }, { e: "flip", card: "red" }, { e: "pass", seat: 1 }];
  const shown = (after: number, from: number, to: number) =>
    ({ after, table: tableOf(), events: events.slice(from, to) }) as unknown as State;

  async function hear(...states: State[]): Promise<Receipt["seen"]> {
    const witness = new Witness();
    for (const state of states) witness.hear(state);
    await witness.settled();
    const { events = -1, hash = "" } = receiptOf("a")?.seen ?? {};
    return { events, hash };
  }

  beforeEach(() => void keepReceipt(newReceipt(tableOf())));

  it("as it comes", async () => {
    expect(await hear(shown(0, 0, 1), shown(5, 1, 3), shown(7, 3, 4))).toEqual({ events: 4, hash: await hashOn("", events) });
  });

  it("and again from the start, after a reload", async () => {
    await hear(shown(0, 0, 2));
    expect(await hear(shown(0, 0, 3), shown(6, 3, 4))).toEqual({ events: 4, hash: await hashOn("", events) });
  });

  it("and keeps what it has, when another past is shown, and that it was", async () => {
    const before = await hear(shown(0, 0, 3));
    expect(receiptOf("a")?.differed).toBe(false);
    const other = { ...shown(0, 0, 4), events: [{ e: "recycle" }, ...events.slice(0, 3)] } as unknown as State;
    expect(await hear(other)).toEqual(before);
    expect(receiptOf("a")?.differed).toBe(true);
  });

  it("and a shorter past, too, must be the one that was shown", async () => {
    const before = await hear(shown(0, 0, 4));
    expect(await hear(shown(0, 0, 2))).toEqual(before);
    expect(receiptOf("a")?.differed).toBe(false);
    const other = { ...shown(0, 0, 1), events: [{ e: "pass", seat: 1 }] } as unknown as State;
    expect(await hear(other)).toEqual(before);
    expect(receiptOf("a")?.differed).toBe(true);
  });

  it("also when the game is over", async () => {
    const over = (list: object[]) => ({ ...shown(0, 0, 0), table: tableOf({ status: "over" }), events: list }) as unknown as State;
    await hear(over(events));
    expect(receiptOf("a")?.seen).not.toHaveProperty("trail");
    await hear(over(events));
    expect(receiptOf("a")?.differed).toBe(false);
    await hear(over([{ e: "pass" }, ...events.slice(1)]));
    expect(receiptOf("a")?.differed).toBe(true);
  });

  it("whatever chair the table says, and that it says another one", async () => {
    const elsewhere = (from: number, to: number) => ({ ...shown(from, from, to), table: tableOf({ chair: 1 }) });
    await hear(shown(0, 0, 1));
    expect(await hear(shown(0, 0, 1), elsewhere(1, 3))).toEqual({ events: 3, hash: await hashOn("", events.slice(0, 3)) });
    expect(receiptOf("a")).toMatchObject({ chair: null, differed: true });
  });

  it("to its own chair only, where an older page has begun the receipt", async () => {
    const later = ["kinds", "opened", "locked", "given", "undealt"];
    const older = Object.entries({ ...newReceipt(tableOf()), seals: [] }).filter(([key]) => !later.includes(key));
    keepReceipt(Object.fromEntries(older) as unknown as Receipt);
    const elsewhere = { ...shown(0, 0, 3), table: tableOf({ chair: 1 }) };
    expect(await hear(elsewhere)).toEqual({ events: 0, hash: "" });
    expect((await hear(shown(0, 0, 3))).events).toBe(3);
    expect(receiptOf("a")).not.toHaveProperty("locked");
  });

  it("of a table where nothing was sealed, nothing", async () => {
    kept = {};
    expect((await hear(shown(0, 0, 4))).events).toBe(-1);
  });
});

describe("a chair", () => {
  const state = (status: string, chair: number | null, seals: (string | null)[]) =>
    ({ table: tableOf({ status: status as TableInfo["status"], chair, seals }) }) as unknown as State;

  async function noted(...states: State[]): Promise<[number | null, boolean, boolean]> {
    kept = {};
    keepReceipt({ ...newReceipt(tableOf()), salt: "00ff" });
    for (const one of states) await note(one);
    const receipt = receiptOf("a") as Receipt;
    return [receipt.chair, receipt.sealed, receipt.differed];
  }

  it("is ours once its seal is ours", async () => {
    const ours = await sha256("00ff");
    expect(await noted(state("open", 1, [null, null]))).toEqual([1, false, false]);
    expect(await noted(state("open", 1, [null, ours]))).toEqual([1, true, false]);
    expect(await noted(state("open", 1, [null, ours]), state("open", null, [null, null]))).toEqual([null, false, false]);
    expect(await noted(state("revealing", 1, [null, ours]))).toEqual([1, true, false]);
  });

  it("may be lost as long as the table is open, though nobody here sees it", async () => {
    const ours = await sha256("00ff");
    const bob = "b".repeat(64);
    expect(await noted(state("open", 1, [null, ours]), state("playing", null, [bob, null]))).toEqual([null, false, false]);
    expect(await noted(state("open", 1, [null, ours]), state("revealing", 0, [ours, bob]))).toEqual([0, true, false]);
  });

  it("keeps its seal once people reveal their salts, whatever the table says", async () => {
    const ours = await sha256("00ff");
    expect(await noted(state("open", 1, [null, ours]), state("revealing", 1, [null, "b07"]))).toEqual([1, true, false]);
    expect(await noted(state("open", 1, [null, ours]), state("playing", 0, ["b07", null]))).toEqual([1, true, false]);
    const locked = state("revealing", 1, [null, ours]);
    expect(await noted(locked, state("open", 0, [null, null]))).toEqual([1, true, false]); // which came late
    expect(await noted(locked, state("playing", 1, [null, "b07"]))).toEqual([1, true, true]);
    expect(await noted(locked, state("playing", 0, [null, ours]))).toEqual([1, true, true]);
  });
});

it("an event is shown as the server shows it", async () => {
  const source = { sealEvent: (number: number, event: string) => Promise.resolve(`${number} ${event}`) };
  const seen = (event: Record<string, unknown>, seat: number | null) => asSeen(event, seat, 7, source);
  const deal = { e: "deal", seat: 1, cards: ["red", "blue"] };
  expect(await seen(deal, 1)).toBe(deal);
  expect(exact(await seen(deal, 0))).toBe('{"count": 2, "e": "deal", "seat": 1}');
  expect(await seen({ e: "draw", seat: 1, from: "deck", card: "red" }, null)).toEqual({ e: "draw", seat: 1, from: "deck" });
  expect(await seen({ e: "draw", seat: 1, from: "display", card: "red" }, 0)).toHaveProperty("card", "red");
  const keep = { e: "keep", seat: 1, tickets: ["a-b"] };
  expect(await seen(keep, 0)).toEqual({ e: "keep", seat: 1, count: 1, seal: `7 ${exact(keep)}` });
});
