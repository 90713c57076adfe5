import "./browser";

import { expect, it } from "vitest";

import { calledOn } from "../src/lib/chairs";
import { seatName } from "../src/lib/story";
import type { ChairInfo, TableInfo } from "../src/wire";

const chair = (kind: ChairInfo["kind"], name = "", player = ""): ChairInfo => ({ kind, name, player, level: null, away: false });
const table = (chairs: ChairInfo[], seating: number[] = []): TableInfo => ({ chairs, seating }) as unknown as TableInfo;
const called = (chairs: ChairInfo[]): string[] => chairs.map((_, number) => calledOn(table(chairs), number));

it("numbers those who would have one name, and nobody else, in the order of the chairs", () => {
  const chairs = [chair("person", "Ada"), chair("bot", "", "dreamer"), chair("bot", "", "racer"), chair("bot", "", "dreamer")];
  expect(called(chairs)).toEqual(["Ada", "Dreamer 1", "Racer", "Dreamer 2"]);
});

it("tells two people of one name apart, and leaves those without one to others", () => {
  expect(called([chair("person", "Ada"), chair("person"), chair("person"), chair("open")])).toEqual(["Ada", "", "", ""]);
  expect(called([chair("person", "Ada"), chair("person", "Ada")])).toEqual(["Ada 1", "Ada 2"]);
});

it("numbers bots as they sit in the game, and leaves people their numbers when the seats are drawn", () => {
  const chairs = [chair("bot", "", "dreamer"), chair("person", "Ada"), chair("bot", "", "dreamer"), chair("person", "Ada")];
  const drawn = table(chairs, [2, 3, 1, 0]);
  expect([0, 1, 2, 3].map((seat) => seatName({ table: drawn }, seat))).toEqual(["Dreamer 1", "Ada 2", "Ada 1", "Dreamer 2"]);
});

it("gives somebody called like a bot the first number", () => {
  const chairs = [chair("bot", "", "dreamer"), chair("person", "Dreamer")];
  expect(called(chairs)).toEqual(["Dreamer 2", "Dreamer 1"]);
});
