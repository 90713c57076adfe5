// The latest: what the player who acted last has done, for the strip and for the mark on the board.

import type { ClaimEvent, DrawEvent, GameEvent, OfferEvent, PassEvent, PlaceEvent, TokenEvent } from "../wire";

export type Deed = ClaimEvent | DrawEvent | OfferEvent | PassEvent | PlaceEvent | TokenEvent;

const DEEDS: ReadonlySet<string> = new Set<Deed["e"]>(["claim", "draw", "offer", "pass", "place", "token"]);
const isDeed = (event: GameEvent): event is Deed => DEEDS.has(event.e);

/** All that one player has done in a turn, since somebody else did something. */
export function latestDeeds(log: readonly GameEvent[]): readonly Deed[] {
  const deeds: Deed[] = [];
  for (let at = log.length - 1; at >= 0; at--) {
    const event = log[at];
    if (!event || !isDeed(event) || isFirstOffer(log, at)) continue;
    if (deeds[0] && event.seat !== deeds[0].seat) break;
    deeds.unshift(event);
  }
  const last = deeds.at(-1);
  return last?.e === "place" ? [last] : deeds.filter(({ e }) => e !== "place"); // which comes before the turns
}

/** The route that was claimed last, until another player does something. */
export function lastClaim(log: readonly GameEvent[]): string | null {
  return latestDeeds(log).findLast((deed) => deed.e === "claim")?.route ?? null;
}

/** The first tickets, everyone is offered at once: that is nobody's deed. */
function isFirstOffer(log: readonly GameEvent[], at: number): boolean {
  const event = log[at];
  if (event?.e !== "offer") return false;
  return !log.slice(0, at).some((before) => before.e === "keep" && before.seat === event.seat);
}
