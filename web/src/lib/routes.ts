// Routes: what tells one from another, in words.

import type { Plan, PlanRoute } from "../wire";
import { cardName } from "./story";
import { t } from "./words.svelte";

/** "2 spaces, grey, the left one, 2 points". */
export function routeFacts(plan: Plan, id: string): string {
  const route = plan.routes.find((one) => one.id === id);
  if (!route) return "";
  const facts = [t("route.spaces", { count: route.length }), cardName(route.colour)];
  const side = whichTwin(plan, route);
  if (side) facts.push(t(`route.${side}`));
  if (route.ferries) facts.push(t("route.ferries", { count: route.ferries }));
  return [...facts, t("route.points", { count: route.points })].join(", ");
}

/** Which of a double route it is, where the colour does not say so. */
export function whichTwin(plan: Plan, route: PlanRoute): "left" | "right" | "upper" | "lower" | null {
  const twin = plan.routes.find((one) => one.id !== route.id && one.first === route.first && one.second === route.second);
  if (!twin || twin.colour !== route.colour) return null;
  const [here, there] = [middle(route), middle(twin)];
  if (Math.abs(here.x - there.x) > Math.abs(here.y - there.y)) return here.x < there.x ? "left" : "right";
  return here.y < there.y ? "upper" : "lower";
}

const middle = ({ spaces }: PlanRoute): { x: number; y: number } => ({
  x: spaces.reduce((sum, { x }) => sum + x, 0) / spaces.length,
  y: spaces.reduce((sum, { y }) => sum + y, 0) / spaces.length,
});
