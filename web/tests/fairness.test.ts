import { describe, expect, it } from "vitest";

import { FairnessError, FirstFairness, piecesOf, type Revealed, seedText, sourceOf } from "../src/lib/fairness";
import { exact } from "../src/lib/exact";
import { statusOf, STEPS, verify } from "../src/lib/verify";
import type { Plan } from "../src/wire";
import fixture from "./fairness.json";

interface Derivation {
  told: Revealed;
  seed: string;
  numbers: number[][]; // of the deal, and of step 57
}
interface Recorded extends Record<string, unknown> {
  map: string;
  events: unknown[];
}
interface Tampered {
  name: string;
  parts: Record<string, unknown>;
  splice: [number, number, unknown[]];
  event: number | null;
}

// Made by make_fairness.py, from what Python says.
const python = fixture as unknown as {
  derivations: Derivation[];
  boards: Record<string, Plan>;
  records: { record: Recorded; proof: { cards: number; tickets: number } }[];
  tampered: Tampered[];
};

const piecesFor = (map: string) => piecesOf(python.boards[map] as Plan);
const first = python.records[0]?.record as Recorded;

const kindOf = (event: unknown): unknown => (event as { e: unknown }).e;

describe("the derivation", () => {
  it.each(python.derivations)("of $told.game with $told.salts is the one of Python", async ({ told, seed, numbers }) => {
    const source = sourceOf(told);
    expect(await source.commitment()).toBe(told.commitment);
    expect(await source.seating()).toEqual(told.seating);
    expect(seedText(await source.seed())).toBe(seed);
    for (const [at, step] of [0, 57].entries()) {
      const chance = await source.chance(step);
      expect([44, 2, 1, 7, 1000, 24].map((bound) => chance.below(bound))).toEqual(numbers[at]);
    }
  });

  it("by the first scheme is the one of the documentation", async () => {
    const secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const fairness = new FirstFairness(secret, "table-7", ["00ff", "", "c0ffee"]);
    expect(await fairness.commitment()).toBe("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
    expect(seedText(await fairness.seed())).toBe("0xf80e0794594e256a");
    expect(await fairness.seating()).toEqual([1, 2, 0]);
  });
});

describe("a whole record", () => {
  it.each(python.records)("of $record.map for $record.players is fair, down to the last card", async ({ record, proof }) => {
    const report = await verify(record, piecesFor(record.map));
    expect(report.failure).toBe(null);
    expect([report.cardsSeen, report.ticketsSeen]).toEqual([proof.cards, proof.tickets]);
    expect(STEPS.map((step) => statusOf(report, step))).toEqual(["good", "good", "good", "good", "open"]);
    expect(report.draws.flatMap((draws) => draws.picks)).toHaveLength(proof.cards);
  });

  it.each(python.tampered)("with $name is not, and it is seen where Python sees it", async ({ parts, splice, event }) => {
    const events = [...first.events];
    events.splice(splice[0], splice[1], ...splice[2]);
    const report = await verify({ ...first, ...parts, events }, piecesFor(first.map));
    expect(report.failure).toBeInstanceOf(FairnessError);
    expect(report.failure?.event).toBe(event);
    expect(STEPS.map((step) => statusOf(report, step))).toContain("bad");
  });

  it("on a map that the server has changed under its name is not", async () => {
    const board = python.boards[first.map] as Plan;
    const pieces = piecesOf({ ...board, tickets: board.tickets.map((ticket) => ({ ...ticket, value: 1 })) });
    const fairness = { ...(first["fairness"] as object), map: await pieces.digest };
    expect((await verify({ ...first, fairness }, pieces)).failure?.key).toBe("otherEdition");
  });

  it.each([
    ["something more", "draw", { more: 1 }],
    ["no seat", "claim", { seat: undefined }],
    ["a seat that is not there", "claim", { seat: 7 }],
    ["a seat that is a text", "offer", { seat: "0" }],
    ["a count of a thousand", "place", { count: 1000 }],
  ])("with %s in an event is not", async (_, kind, change) => {
    const record = python.records.map(({ record }) => record).find((one) => one.events.some((event) => kindOf(event) === kind));
    const at = record?.events.findIndex((event) => kindOf(event) === kind) ?? -1;
    const events = [...(record?.events ?? [])];
    events[at] = JSON.parse(JSON.stringify({ ...(events[at] as object), ...change }));
    const report = await verify({ ...record, events }, piecesFor(record?.map ?? ""));
    expect(report.failure).toBeInstanceOf(FairnessError);
    expect(report.failure?.event).toBe(at);
  });

  it("with something after its end is not", async () => {
    const events = [...first.events, { e: "last_round", seat: 0 }];
    expect((await verify({ ...first, events }, piecesFor(first.map))).failure?.key).toBe("afterEnd");
  });

  it("shows what comes after the fault as not checked", async () => {
    const report = await verify({ ...first, seed: "0x0" }, piecesFor(first.map));
    expect(STEPS.map((step) => statusOf(report, step))).toEqual(["good", "good", "bad", "open", "open"]);
  });
});

describe("what is no record", () => {
  const pieces = piecesFor("san_francisco");
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const fairness = first["fairness"] as Record<string, unknown>;
  it.each([
    ["a list", [], "notRecord"],
    ["nothing", null, "notRecord"],
    ["another map", { ...first, map: "tiny" }, "otherMap"],
    ["a map that is a path", { ...first, map: "../x" }, "notRecord"],
    ["no fairness", { ...first, fairness: undefined }, "noFairness"],
    ["five players", { ...first, players: 5 }, "notRecord"],
    ["events that are none", { ...first, events: {} }, "notRecord"],
    ["a short secret", { ...first, fairness: { ...fairness, secret: "00" } }, "form"],
    ["a salt too few", { ...first, fairness: { ...fairness, salts: ["00ff"] } }, "form"],
    ["something more", { ...first, fairness: { ...fairness, more: 1 } }, "form"],
    ["a later scheme", { ...first, fairness: { ...fairness, scheme: 3 } }, "rules"],
    ["an event too deep", { ...first, events: [JSON.parse(deep)] }, "notRecord"],
  ])("%s is refused", async (_, record, key) => {
    await expect(verify(record, pieces)).rejects.toMatchObject({ key });
  });
});

it("writes a value the same way whatever the order of its keys", () => {
  expect(exact({ b: [1, "x"], a: null })).toBe('{"a": null, "b": [1, "x"]}');
  expect(exact(undefined)).toBe("null");
  expect(exact({ é: "\u007f\u{1d4b3}\ud800" })).toBe('{"\\u00e9": "\\u007f\\ud835\\udcb3\\ud800"}'); // as Python does
});
