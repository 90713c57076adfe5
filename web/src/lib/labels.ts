// Labels: where names stand on the board that is seen. They keep a readable size from however far one looks; where the
// board is small they look for another place beside their dot, and give way where there is none.

import type { Plan, PlanLocation } from "../wire";
import type { Point } from "./camera.svelte";

const LEAST = 11.5; // pixels of type on the screen
const MOST = 19;
const DIRECTIONS = 24;
const GAPS = [3, 8]; // pixels between a dot and its name
const APART = 2; // pixels between names
const CORNER = 3; // points of a route that a landmark's name may hide

export interface Box extends Point {
  width: number;
  height: number;
}

/** A name around its middle, so many times as large as it is drawn. */
export interface Label extends Box {
  grown: number;
}

type Obstacles = readonly Point[]; // points of routes, which no name may hide

/** By location. Those wanted come first and always stand somewhere; then landmarks, which may hide a corner of a route. */
export function placeLabels(plan: Plan, scale: number, wanted: ReadonlySet<string>): ReadonlyMap<string, Label> {
  const placed = new Map<string, Label>();
  const rails = railPoints(plan);
  const rank = ({ id, landmark }: PlanLocation): number => (wanted.has(id) ? 0 : landmark ? 1 : 2);
  for (const location of [...plan.locations].sort((one, other) => rank(one) - rank(other))) {
    const most = wanted.has(location.id) ? Infinity : location.landmark ? CORNER : 0;
    const label = place(location, plan, scale, rails, [...placed.values()], most);
    if (label) placed.set(location.id, label);
  }
  return placed;
}

function place(
  location: PlanLocation,
  plan: Plan,
  scale: number,
  rails: Obstacles,
  others: readonly Label[],
  most: number, // that may be hidden
): Label | null {
  const grown = growth(location, scale);
  const own = inPlace(location, grown);
  if (grown <= 1) return own;
  let best: Label | null = null;
  let least = Infinity;
  for (const label of [own, ...around(location, grown, scale)]) {
    const price = hidden(label, location, plan, rails, others, APART / scale);
    if (price < least) [best, least] = [label, price];
    if (least === 0) break;
  }
  return least <= most ? best : null;
}

/** How many times as large as it is drawn a name must be. */
function growth({ label }: PlanLocation, scale: number): number {
  const size = label.size * scale;
  return size < LEAST ? LEAST / size : size > MOST ? MOST / size : 1;
}

/** Where it was drawn, larger or smaller; what is next to the dot stays next to it. */
function inPlace({ x, y, label }: PlanLocation, grown: number): Label {
  const { place } = label;
  const near = {
    x: clamp(x, place.x - place.width / 2, place.x + place.width / 2),
    y: clamp(y, place.y - place.height / 2, place.y + place.height / 2),
  };
  return sized(near.x + (place.x - near.x) * grown, near.y + (place.y - near.y) * grown, place, grown);
}

function* around({ x, y, radius, label }: PlanLocation, grown: number, scale: number): Generator<Label> {
  for (const gap of GAPS) {
    for (let step = 0; step < DIRECTIONS; step++) {
      const turn = (2 * Math.PI * step) / DIRECTIONS;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const away = radius + gap / scale;
      const across = (clamp(1.5 * c, -1, 1) * label.place.width * grown) / 2;
      const down = (clamp(1.5 * s, -1, 1) * label.place.height * grown) / 2;
      yield sized(x + c * away + across, y + s * away + down, label.place, grown);
    }
  }
}

const sized = (x: number, y: number, { width, height }: Box, grown: number): Label => ({
  x,
  y,
  width: width * grown,
  height: height * grown,
  grown,
});

/** How much a name hides, and how much of it is hidden: nothing is the best place. */
function hidden(
  label: Label,
  location: PlanLocation,
  plan: Plan,
  rails: Obstacles,
  others: readonly Label[],
  apart: number,
): number {
  const dots = plan.locations.filter((dot) => distance(label, dot) < (dot === location ? 0.9 : 1) * dot.radius);
  const names = others.filter((other) => overlap(label, other, apart));
  const across = Math.abs(label.x - plan.width / 2) + label.width / 2 > plan.width / 2;
  const down = Math.abs(label.y - plan.height / 2) + label.height / 2 > plan.height / 2;
  return 100 * names.length + 50 * Number(across || down) + 20 * dots.length + rails.filter((point) => distance(label, point) === 0).length;
}

/** Points of all spaces, close enough together that a name that hides none of them hides no space. */
function railPoints(plan: Plan): Obstacles {
  return plan.routes.flatMap(({ spaces }) =>
    spaces.flatMap(({ x, y, width, height, angle }) => {
      const turn = (angle * Math.PI) / 180;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      return [-0.4, 0, 0.4].flatMap((along) =>
        [-0.35, 0.35].map((side) => ({
          x: x + c * along * width - s * side * height,
          y: y + s * along * width + c * side * height,
        })),
      );
    }),
  );
}

/** How far a point is from a box. */
export const distance = (box: Box, at: Point): number =>
  Math.hypot(
    Math.max(0, Math.abs(at.x - box.x) - box.width / 2),
    Math.max(0, Math.abs(at.y - box.y) - box.height / 2),
  );

const overlap = (one: Box, other: Box, apart: number): boolean =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 + apart &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2 + apart;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
