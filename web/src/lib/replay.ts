// Replays: what an address asks for, through whose eyes one may look, and what each step says.

import type { Frame, Replay, State, TableInfo } from "../wire";
import { tell, type Teller } from "./story";

export const SPEEDS = [0.5, 1, 2, 4] as const;
export const PACE = 1400; // milliseconds a step at speed 1

/** The step that an address asks for, as far as there is one. */
export function stepFrom(query: URLSearchParams, steps: number): number {
  const wanted = Math.trunc(Number(query.get("at") ?? 0));
  return Number.isFinite(wanted) ? Math.min(Math.max(0, wanted), Math.max(0, steps - 1)) : 0;
}

/** Through whose eyes an address asks to look; null where that is left to the server. */
export function eyesFrom(query: URLSearchParams): string | null {
  const eyes = query.get("eyes");
  return eyes !== null && /^(all|public|[0-3])$/.test(eyes) ? eyes : null;
}

/** Once a game is over, anybody's; before that, one's own or the public's. */
export function allowedEyes(table: TableInfo): string[] {
  const seats = table.seating.map((_, seat) => String(seat));
  if (table.status === "over" || table.status === "imported") return ["all", "public", ...seats];
  return table.you.seat === null ? ["public"] : [String(table.you.seat), "public"];
}

export function addressOf(table: string, step: number, eyes: string): string {
  return `/game/${table}?at=${step}&eyes=${eyes}`;
}

/** A frame as a table's state, for everything that shows one. Points are told when the game is over, not before. */
export function stateAt(replay: Replay, frame: Frame): State {
  const over = frame.view.phase === "over";
  const seats = frame.view.seats.map((seat) => (over ? seat : { ...seat, score: null }));
  return {
    type: "state",
    n: frame.step + 1,
    after: frame.step,
    table: { ...replay.table, deadline: null },
    view: { ...frame.view, seat: replay.table.you.seat, seats, legal: [] }, // whose eyes they are does not make them you
    events: frame.events,
  };
}

/** What a step brought, in words, but for the cards that were turned up: those, one sees. */
export function stepText(teller: Teller, frame: Frame): string {
  return frame.events
    .filter((event) => event.e !== "flip")
    .map((event) => tell(teller, event))
    .filter(Boolean)
    .join(" ");
}
