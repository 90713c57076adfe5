// What a tap means: the route or location nearest to it, within reach of a finger.

import type { Plan, PlanRoute } from "../wire";
import type { Point } from "./camera.svelte";
import { type Box, distance } from "./labels";

/** How far a point is from a route's row of spaces. */
export function routeDistance(route: PlanRoute, at: Point): number {
  return Math.min(
    ...route.spaces.map(({ x, y, width, height, angle }) => {
      const turn = (-angle * Math.PI) / 180;
      const dx = (at.x - x) * Math.cos(turn) - (at.y - y) * Math.sin(turn);
      const dy = (at.x - x) * Math.sin(turn) + (at.y - y) * Math.cos(turn);
      return Math.hypot(Math.max(0, Math.abs(dx) - width / 2), Math.max(0, Math.abs(dy) - height / 2));
    }),
  );
}

export function nearestRoute(plan: Plan, at: Point, reach: number): PlanRoute | null {
  return nearest(plan.routes, (route) => routeDistance(route, at), reach);
}

/** A location is its dot, and its name where that is seen. */
export function nearestLocation(
  plan: Plan,
  labels: ReadonlyMap<string, Box>,
  at: Point,
  reach: number,
): Plan["locations"][number] | null {
  const away = (location: Plan["locations"][number]): number => {
    const label = labels.get(location.id);
    const dot = Math.max(0, Math.hypot(at.x - location.x, at.y - location.y) - location.radius);
    return label ? Math.min(dot, distance(label, at)) : dot;
  };
  return nearest(plan.locations, away, reach);
}

function nearest<T>(all: readonly T[], distance: (one: T) => number, reach: number): T | null {
  let best: T | null = null;
  let least = reach;
  for (const one of all) {
    const away = distance(one);
    if (away <= least && (best === null || away < least)) {
      best = one;
      least = away;
    }
  }
  return best;
}
