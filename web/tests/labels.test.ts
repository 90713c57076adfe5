// Labels: names on a board that is seen from near and far.
import { expect, test } from "vitest";
import { distance, placeLabels } from "../src/lib/labels";
import type { Plan } from "../src/wire";

const SCALES = [0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 1, 2, 4];
const SIZE = 15;

/** Places in a grid, each joined to the next one by a route of two spaces; the first is a landmark. */
const plan = ((): Plan => {
  const at = (number: number) => ({ x: 150 + 200 * (number % 5), y: 100 + 150 * Math.floor(number / 5) });
  const locations = Array.from({ length: 20 }, (_, number) => {
    const { x, y } = at(number);
    const place = { x, y: y + 28, width: 90, height: 24, angle: 0 };
    const label = { place, lines: ["Chinatown"], size: SIZE, line: 16, base: y + 32, corner: 5 };
    return { id: `${number}`, name: "Chinatown", landmark: number === 0, x, y, radius: 11, stack: 1, label };
  });
  const routes = locations.slice(1).map(({ x, y, id }) => ({
    id,
    spaces: [80, 130].map((left) => ({ x: x - left, y, width: 46, height: 21, angle: 0, corner: 5, ferry: 1, car: 1 })),
  }));
  return { width: 1200, height: 700, locations, routes } as unknown as Plan;
})();

test("names can be read from however far one looks, and do not grow without end", () => {
  for (const scale of SCALES)
    for (const { grown } of placeLabels(plan, scale, new Set()).values()) {
      expect(grown * scale * SIZE).toBeGreaterThanOrEqual(11);
      expect(grown * scale * SIZE).toBeLessThanOrEqual(20);
    }
});

test("no name hides another name, a place, or a space of a route", () => {
  for (const scale of SCALES) {
    const labels = [...placeLabels(plan, scale, new Set())];
    for (const [id, label] of labels) {
      for (const [other, { x, y, width, height }] of labels)
        if (id < other)
          expect(Math.abs(x - label.x) >= (width + label.width) / 2 || Math.abs(y - label.y) >= (height + label.height) / 2).toBe(true);
      for (const location of plan.locations) expect(distance(label, location)).toBeGreaterThan(0);
      if (id !== "0")
        for (const { spaces } of plan.routes) for (const space of spaces) expect(distance(label, space)).toBeGreaterThan(0);
    }
  }
});

test("where the board is small names give way, but not those that are wanted, and landmarks last", () => {
  expect(placeLabels(plan, 1, new Set()).size).toBe(20);
  const far = placeLabels(plan, 0.2, new Set());
  expect(far.size).toBeLessThan(20);
  expect(far.has("0")).toBe(true);
  for (const scale of SCALES) expect(placeLabels(plan, scale, new Set(["7", "8"])).has("7")).toBe(true);
});
