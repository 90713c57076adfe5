// Standpoint: where the coach stands, so that it covers nothing of what it speaks of.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Surroundings {
  screen: Box;
  map: Box;
  target: Box | null; // what is spoken of
  others: readonly Box[]; // what belongs to the turn besides
}

const EDGE = 12;
const NEAR = 12; // the ring around the target, and some air
const MATTERS = 1000; // how much worse it is to cover the target than anything else

/** The best of the places for a bubble of this size: the corners of the map, below it, and the corners of the screen. */
export function standpoint(width: number, height: number, around: Surroundings): { left: number; top: number } {
  const places = placesFor(width, height, around);
  const costs = places.map((place) => cost({ ...place, right: place.left + width, bottom: place.top + height }, around));
  return places[costs.indexOf(Math.min(...costs))] ?? { left: EDGE, top: EDGE };
}

function placesFor(width: number, height: number, { screen, map }: Surroundings): { left: number; top: number }[] {
  const lefts = (box: Box): number[] => [box.left + EDGE, box.right - EDGE - width];
  const tops = [map.top + EDGE, map.bottom - EDGE - height, map.bottom + 4, screen.bottom - EDGE - height, screen.top + EDGE];
  const wanted = tops.flatMap((top) => [...lefts(map), ...lefts(screen)].map((left) => ({ left, top })));
  return wanted.map(({ left, top }) => ({
    left: clamp(left, screen.left, screen.right - width),
    top: clamp(top, screen.top, screen.bottom - height),
  }));
}

function cost(bubble: Box, { target, others }: Surroundings): number {
  const wide = target && { left: target.left - NEAR, top: target.top - NEAR, right: target.right + NEAR, bottom: target.bottom + NEAR };
  return (wide ? MATTERS * shared(bubble, wide) : 0) + others.reduce((sum, other) => sum + shared(bubble, other), 0);
}

/** The area that two boxes have in common. */
const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
