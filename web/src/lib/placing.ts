// Placing: the souvenirs that were set aside, and which of them comes next (2.7, 2.8).

import type { GameView, Plan } from "../wire";

export interface Placed {
  souvenir: string;
  count: number; // tokens in the stack
}

/** What is to be placed next: the kinds come in the map's order, and two players place single tokens. */
export function nextPlaced(plan: Pick<Plan, "souvenirs">, view: Pick<GameView, "stacks" | "seats">): Placed {
  const stacks = Object.values(view.stacks);
  const souvenir = plan.souvenirs.find((kind) => !stacks.some((stack) => stack.souvenir === kind)) ?? "";
  return { souvenir, count: view.seats.length === 2 ? 1 : (stacks[0]?.count ?? 1) };
}
