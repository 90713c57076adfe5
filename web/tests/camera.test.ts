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

test("who looks at a part of the board goes on looking at it, however the window changes", () => {
  const { camera } = look();
  camera.zoomBy(3, { x: 100, y: 300 });
  const { scale } = camera;
  const middle = camera.toBoard({ x: 250, y: 200 });
  camera.resize({ width: 500, height: 300 });
  expect(camera.scale).toBeCloseTo(scale);
  expect(camera.toBoard({ x: 250, y: 150 }).x).toBeCloseTo(middle.x);
});

test("who sees all of the board sees all of it in another window", () => {
  const { camera } = look();
  camera.reset();
  camera.resize({ width: 250, height: 400 });
  expect(camera.scale).toBeCloseTo(0.25);
});

test("a small board is shown from near where one wants to play, and whole where one wants to see both ends", () => {
  const { camera } = look();
  const ends = [
    { x: 100, y: 100 },
    { x: 900, y: 700 },
  ];
  camera.show(ends, false);
  expect(camera.scale).toBeCloseTo(0.5, 1);
  camera.show(ends, true);
  expect(camera.scale).toBeGreaterThan(0.5);
  expect(camera.toBoard({ x: 250, y: 200 }).x).toBeCloseTo(500);
});
