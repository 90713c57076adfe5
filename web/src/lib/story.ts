// The story: what happened, in words, for the log and for those who listen.

import type { GameEvent, Plan, TableInfo } from "../wire";
import { calledOn } from "./chairs";
import { list, t, tMaybe } from "./words.svelte";

export interface Teller {
  plan: Plan;
  table: TableInfo;
  you: number | null; // your seat
}

/** The name of who holds a seat. */
export function seatName({ table }: Pick<Teller, "table">, seat: number): string {
  return calledOn(table, table.seating[seat] ?? -1) || t("seat.number", { number: seat + 1 });
}

export const placeName = (plan: Plan, id: string): string => plan.locations.find((one) => one.id === id)?.name ?? id;

export function routeName(plan: Plan, id: string): string {
  const route = plan.routes.find((one) => one.id === id);
  return route ? `${placeName(plan, route.first)} – ${placeName(plan, route.second)}` : id;
}

export function ticketName(plan: Plan, id: string): string {
  const ticket = plan.tickets.find((one) => one.id === id);
  return ticket ? `${placeName(plan, ticket.first)} – ${placeName(plan, ticket.second)} (${ticket.value})` : id;
}

export const cardName = (card: string): string => tMaybe(`card.${card}`) || card;
export const souvenirName = (kind: string): string => tMaybe(`souvenir.${kind}`) || kind;

export const cardCount = (card: string, count: number): string => tMaybe(`cards.${card}`, { count }) || `${count} ${card}`;

/** "2 red and 1 ferry". */
export const cardsText = (cards: Readonly<Record<string, number>>): string =>
  list(Object.entries(cards).map(([card, count]) => cardCount(card, count)));

const counted = (cards: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const card of cards) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
};

/** One event in words; empty for those that need none. */
export function tell(teller: Teller, event: GameEvent): string {
  const { plan, you } = teller;
  const mine = "seat" in event && event.seat === you;
  const name = "seat" in event ? seatName(teller, event.seat) : "";
  switch (event.e) {
    case "deal":
      return mine && event.cards ? t("event.dealtYou", { cards: cardsText(counted(event.cards)) }) : "";
    case "display":
      return t("event.display", { cards: cardsText(counted(event.cards)) });
    case "reset":
      return t("event.reset");
    case "offer":
      return mine ? t("event.offerYou") : t("event.offer", { name });
    case "keep":
      return mine && event.tickets
        ? t("event.keepYou", { tickets: list(event.tickets.map((one) => ticketName(plan, one))) })
        : event.count === undefined && !event.tickets
          ? t("event.keepHidden", { name })
          : t("event.keep", { name, count: event.count ?? event.tickets?.length ?? 1 });
    case "place":
      return t(mine ? "event.placeYou" : "event.place", {
        name,
        souvenir: souvenirName(event.souvenir),
        location: placeName(plan, event.location),
      });
    case "draw":
      if (event.from === "display")
        return t(mine ? "event.takeYou" : "event.take", { name, card: cardName(event.card ?? "") });
      return event.card !== undefined && mine
        ? t("event.blindYou", { card: cardName(event.card) })
        : event.card !== undefined
          ? t("event.blindCard", { name, card: cardName(event.card) })
          : t("event.blind", { name });
    case "flip":
      return t("event.flip", { card: cardName(event.card) });
    case "recycle":
      return t("event.recycle");
    case "claim":
      return t(mine ? "event.claimYou" : "event.claim", {
        name,
        route: routeName(plan, event.route),
        cards: cardsText(event.cards),
      });
    case "token":
      return t(mine ? "event.tokenYou" : "event.token", {
        name,
        souvenir: souvenirName(event.souvenir),
        location: placeName(plan, event.location),
      });
    case "pass":
      return t(mine ? "event.passYou" : "event.pass", { name });
    case "last_round":
      return t("event.lastRound", { name });
    case "end":
      return t(event.reason === "stuck" ? "event.endStuck" : "event.end");
  }
}
