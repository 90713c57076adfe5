// The latest: whose deeds the strip tells of, and which claim the board marks.
import { expect, test } from "vitest";
import { lastClaim, latestDeeds } from "../src/lib/latest";
import type { GameEvent } from "../src/wire";

const draw = (seat: number): GameEvent => ({ e: "draw", seat, from: "deck" });
const offer = (seat: number): GameEvent => ({ e: "offer", seat });
const keep = (seat: number): GameEvent => ({ e: "keep", seat });
const claim = (seat: number, route: string): GameEvent => ({ e: "claim", seat, route, cards: {} });
const token = (seat: number): GameEvent => ({ e: "token", seat, location: "pier", souvenir: "crab" });
const place = (seat: number): GameEvent => ({ e: "place", seat, location: "pier", souvenir: "crab", count: 2 });
const flip: GameEvent = { e: "flip", card: "red" };

test("before the first turn nobody has done anything", () => {
  expect(latestDeeds([])).toEqual([]);
  expect(latestDeeds([offer(0), offer(1), keep(0), keep(1)])).toEqual([]);
});

test("all of a turn is told together, and of one turn alone", () => {
  expect(latestDeeds([claim(1, "a"), draw(0), flip, draw(0), flip])).toEqual([draw(0), draw(0)]);
  expect(latestDeeds([draw(0), claim(1, "a"), token(1)])).toEqual([claim(1, "a"), token(1)]);
  expect(latestDeeds([keep(0), place(0), place(0)])).toEqual([place(0)]);
  expect(latestDeeds([place(0), draw(0)])).toEqual([draw(0)]);
  expect(latestDeeds([keep(0), draw(1), offer(0), keep(0)])).toEqual([offer(0)]);
});

test("a claim is the last one until another player does something", () => {
  const log = [draw(0), claim(1, "a"), token(1), flip];
  expect(lastClaim(log)).toBe("a");
  expect(lastClaim([...log, draw(0)])).toBeNull();
  expect(lastClaim([...log, claim(0, "b")])).toBe("b");
});
