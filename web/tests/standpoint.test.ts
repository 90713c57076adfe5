import { describe, expect, it } from "vitest";

import { standpoint } from "../src/lib/standpoint";

const box = (left: number, top: number, width: number, height: number) => ({ left, top, right: left + width, bottom: top + height });
const screen = box(0, 0, 360, 640);
const map = box(0, 50, 360, 270);

describe("the coach", () => {
  it("stands on the map, where nothing is spoken of there", () => {
    expect(standpoint(336, 150, { screen, map, target: null, others: [] })).toEqual({ left: 12, top: 62 });
  });

  it("leaves what it speaks of open, above it or below", () => {
    const below = standpoint(336, 120, { screen, map, target: box(100, 60, 60, 60), others: [] });
    expect(below.top).toBeGreaterThanOrEqual(120);
    const above = standpoint(336, 120, { screen, map, target: box(100, 240, 60, 60), others: [] });
    expect(above.top + 120).toBeLessThanOrEqual(240);
  });

  it("would rather cover other things of the turn than what it speaks of, and rather the map than those", () => {
    const tray = box(0, 320, 360, 320);
    const middle = box(100, 150, 100, 100); // neither above nor below is there room on the map
    expect(standpoint(336, 150, { screen, map, target: middle, others: [tray] }).top).toBe(324);
    const seat = box(0, 330, 360, 60);
    expect(standpoint(336, 150, { screen, map, target: seat, others: [tray] }).top).toBe(62);
  });
});
