// Ways: the cheapest way that is still open between the two ends of a ticket. One's own routes cost nothing.

import type { Plan } from "../wire";

export interface Way {
  routes: string[]; // still to be claimed
  own: string[];
  cost: number; // cards
}

export function cheapestWay(
  plan: Plan,
  open: ReadonlySet<string>,
  own: ReadonlySet<string>,
  from: string,
  to: string,
): Way | null {
  const cost = new Map<string, number>([[from, 0]]);
  const arrived = new Map<string, { route: string; before: string }>();
  const done = new Set<string>();
  for (;;) {
    const here = [...cost].filter(([place]) => !done.has(place)).sort((a, b) => a[1] - b[1])[0];
    if (!here) return null;
    const [place, paid] = here;
    if (place === to) break;
    done.add(place);
    for (const route of plan.routes) {
      if (route.first !== place && route.second !== place) continue;
      if (!own.has(route.id) && !open.has(route.id)) continue;
      const next = route.first === place ? route.second : route.first;
      const price = paid + (own.has(route.id) ? 0 : route.length);
      if (price < (cost.get(next) ?? Infinity)) {
        cost.set(next, price);
        arrived.set(next, { route: route.id, before: place });
      }
    }
  }
  const way: Way = { routes: [], own: [], cost: cost.get(to) ?? 0 };
  for (let at = to; at !== from; ) {
    const step = arrived.get(at);
    if (!step) return null;
    (own.has(step.route) ? way.own : way.routes).push(step.route);
    at = step.before;
  }
  return way;
}
