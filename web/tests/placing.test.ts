import { describe, expect, it } from "vitest";

import { nextPlaced } from "../src/lib/placing";
import type { Seat } from "../src/wire";

const plan = { souvenirs: ["bell", "crab", "heart"] };
const seats = (players: number): Seat[] => Array.from({ length: players }, () => ({}) as Seat);
const pier = { pier: { souvenir: "bell", count: 3 } };

describe("what is placed next", () => {
  it("is the first kind that is not on the board, in a stack as high as the others", () => {
    expect(nextPlaced(plan, { seats: seats(4), stacks: pier })).toEqual({ souvenir: "crab", count: 3 });
    const both = { ...pier, hill: { souvenir: "crab", count: 3 } };
    expect(nextPlaced(plan, { seats: seats(4), stacks: both })).toEqual({ souvenir: "heart", count: 3 });
  });

  it("is a single token where two play", () => {
    expect(nextPlaced(plan, { seats: seats(2), stacks: pier })).toEqual({ souvenir: "crab", count: 1 });
  });
});
