// The camera: what a finger means.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Camera, type Point } from "../src/lib/camera.svelte";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A board that is seen at half its size, and where it was tapped. */
function look(): { camera: Camera; taps: Point[] } {
  const taps: Point[] = [];
  const camera = new Camera({ width: 1000, height: 800 }, (on) => taps.push(on));
  camera.resize({ width: 500, height: 400 });
  return { camera, taps };
}

function tap(camera: Camera, at: Point): void {
  camera.down(1, at);
  camera.up(1, at, true);
}

test("a tap means what lay under the finger, though the board has moved before it counts", () => {
  const { camera, taps } = look();
  tap(camera, { x: 300, y: 200 });
  expect(taps).toEqual([]);
  camera.zoomBy(2);
  camera.resize({ width: 300, height: 700 });
  vi.runAllTimers();
  expect(taps).toEqual([{ x: 600, y: 400 }]);
});

test("two quick taps mean the board, and not what lies under it", () => {
  const { camera, taps } = look();
  tap(camera, { x: 300, y: 200 });
  tap(camera, { x: 305, y: 200 });
  vi.runAllTimers();
  expect(taps).toEqual([]);
  expect(camera.zoom).toBeCloseTo(2.2);
});
