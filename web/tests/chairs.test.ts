import "./browser";

import { expect, it } from "vitest";

import { calledOn } from "../src/lib/chairs";
import { seatName } from "../src/lib/story";
import type { ChairInfo, TableInfo } from "../src/wire";

const chair = (kind: ChairInfo["kind"], name = "", player = ""): ChairInfo => ({ kind, name, player, level: null, away: false });

it("numbers those who would have one name, and nobody else, in the order of the chairs", () => {
  const chairs = [chair("person", "Ada"), chair("bot", "", "dreamer"), chair("bot", "", "racer"), chair("bot", "", "dreamer")];
  expect(chairs.map((_, number) => calledOn(chairs, number))).toEqual(["Ada", "Dreamer 1", "Racer", "Dreamer 2"]);
});

it("tells two people of one name apart, and leaves those without one to others", () => {
  const chairs = [chair("person", "Ada"), chair("person"), chair("person"), chair("open")];
  expect(chairs.map((_, number) => calledOn(chairs, number))).toEqual(["Ada", "", "", ""]);
  expect(calledOn([chair("person", "Ada"), chair("person", "Ada")], 1)).toBe("Ada 2");
});

it("keeps the number when the seats are drawn", () => {
  const chairs = [chair("bot", "", "dreamer"), chair("person", "Ada"), chair("bot", "", "dreamer")];
  const table = { chairs, seating: [2, 1, 0] } as unknown as TableInfo;
  expect([0, 1, 2].map((seat) => seatName({ table }, seat))).toEqual(["Dreamer 2", "Ada", "Dreamer 1"]);
});
