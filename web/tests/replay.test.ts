import "./browser";

import { describe, expect, it } from "vitest";

import { addressOf, allowedEyes, eyesFrom, stateAt, stepFrom } from "../src/lib/replay";
import type { Frame, Replay, TableInfo } from "../src/wire";

const query = (text: string): URLSearchParams => new URLSearchParams(text);
const table = (status: TableInfo["status"], seat: number | null): TableInfo =>
  ({ id: "T", status, seating: [1, 0, 2], deadline: 5, you: { chair: null, seat, host: false } }) as unknown as TableInfo;

describe("what an address asks for", () => {
  it("is a step of the game, whatever is written there", () => {
    expect(stepFrom(query("at=57"), 95)).toBe(57);
    expect(stepFrom(query("at=900"), 95)).toBe(94);
    expect(stepFrom(query("at=-3"), 95)).toBe(0);
    expect(stepFrom(query("at=fog"), 95)).toBe(0);
    expect(stepFrom(query("at="), 95)).toBe(0);
    expect(stepFrom(query("at=Infinity"), 95)).toBe(0);
    expect(stepFrom(query(""), 0)).toBe(0);
  });

  it("is seen through eyes that there are, or through those that the server chooses", () => {
    expect(eyesFrom(query("eyes=1"))).toBe("1");
    expect(eyesFrom(query("eyes=all"))).toBe("all");
    expect(eyesFrom(query("eyes=7"))).toBe(null);
    expect(eyesFrom(query("eyes=../x"))).toBe(null);
    expect(eyesFrom(query("at=3"))).toBe(null);
  });

  it("comes back from the address that is written", () => {
    const [path, text] = addressOf("abc", 57, "1").split("?");
    expect(path).toBe("/game/abc");
    expect([stepFrom(query(text ?? ""), 95), eyesFrom(query(text ?? ""))]).toEqual([57, "1"]);
  });
});

describe("eyes", () => {
  it("are everybody's once a game is over", () => {
    expect(allowedEyes(table("over", 2))).toEqual(["all", "public", "0", "1", "2"]);
    expect(allowedEyes(table("imported", null))).toEqual(["all", "public", "0", "1", "2"]);
  });

  it("are one's own, or the public's, before", () => {
    expect(allowedEyes(table("playing", 2))).toEqual(["2", "public"]);
    expect(allowedEyes(table("playing", null))).toEqual(["public"]);
  });
});

describe("a frame as a state", () => {
  const frame = (phase: string): Frame =>
    ({ step: 4, view: { phase, seats: [{ points: 3, score: { total: -9 } }], legal: [{}] }, events: [] }) as unknown as Frame;
  const replay = { table: table("over", null) } as unknown as Replay;

  it("offers nothing to do and no clock", () => {
    const state = stateAt(replay, frame("turn"));
    expect(state.view?.legal).toEqual([]);
    expect(state.table.deadline).toBe(null);
  });

  it("takes nobody for you but you", () => {
    expect(stateAt({ table: table("over", 2) } as unknown as Replay, frame("turn")).view?.seat).toBe(2);
    expect(stateAt(replay, frame("turn")).view?.seat).toBe(null);
  });

  it("tells the final points only at the end", () => {
    expect(stateAt(replay, frame("turn")).view?.seats[0]?.score).toBe(null);
    expect(stateAt(replay, frame("over")).view?.seats[0]?.score?.total).toBe(-9);
  });
});
