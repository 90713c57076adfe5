import "./browser";

import { describe, expect, it } from "vitest";

import { routeFacts } from "../src/lib/routes";
import type { Plan } from "../src/wire";

const route = (id: string, colour: string, x: number, y: number, ferries = 0) => ({
  ...{ id, colour, ferries, first: "pier", second: id.startsWith("hill") ? "hill" : "bay" },
  ...{ length: 2, points: 2, spaces: [{ x: x - 5, y }, { x: x + 5, y }] },
});
const plan = {
  routes: [
    route("hill:1", "grey", 100, 50),
    route("hill:2", "grey", 120, 52),
    route("bay:1", "red", 100, 50, 1),
    route("bay:2", "blue", 120, 50),
  ],
} as unknown as Plan;

describe("what tells routes apart", () => {
  it("is the side, where the colours of a double route are the same", () => {
    expect(routeFacts(plan, "hill:1")).toBe("2 spaces, grey, the left one, 2 points");
    expect(routeFacts(plan, "hill:2")).toBe("2 spaces, grey, the right one, 2 points");
  });

  it("is the colour elsewhere", () => {
    expect(routeFacts(plan, "bay:1")).toBe("2 spaces, red, 1 ferry symbol, 2 points");
    expect(routeFacts(plan, "bay:2")).toBe("2 spaces, blue, 2 points");
  });
});
