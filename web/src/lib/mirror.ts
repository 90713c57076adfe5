// Mirror: what is drawn must follow from the events. Only they are hashed, and compared with the record afterwards.

import type { GameEvent, GameView, State } from "../wire";
import { exact } from "./exact";

type Counts = Record<string, number>;

export class Mirror {
  private display: Counts = {};
  private hand: Counts = {};
  private owners: Record<string, number> = {};
  private tickets: string[] = [];
  private offered: string[] = [];
  private first: readonly string[] | null = null; // tickets that were offered before any event told of it

  /** Whether a state shows no other display, hand, tickets and owners than its events, and those before, have brought. */
  agrees({ after, events, view }: State): boolean {
    if (after === 0) Object.assign(this, new Mirror(), { first: this.first });
    if (!view) return true;
    const told = events.every((event) => this.take(event, view.seat));
    return told && this.isShown(view);
  }

  private isShown(view: GameView): boolean {
    if (view.phase === "keep_first_tickets" && view.seat !== null) {
      this.first ??= view.offer;
      if (!same(this.first, view.offer)) return false;
    } else if (!same(this.offered, view.offer) || !same(this.tickets, view.tickets)) return false;
    const cards = exact([this.display, this.hand].map(withoutNone)) === exact([view.display, view.hand].map(withoutNone));
    return cards && exact(this.owners) === exact(view.owners);
  }

  /** Whether it is an event that can come now, as far as that is told here. */
  private take(event: GameEvent, seat: number | null): boolean {
    const own = "seat" in event && event.seat === seat;
    switch (event.e) {
      case "display":
        event.cards.forEach((card) => add(this.display, card, 1));
        return true;
      case "flip":
        add(this.display, event.card, 1);
        return true;
      case "reset":
        this.display = {};
        return true;
      case "deal":
        event.cards?.forEach((card) => add(this.hand, card, 1));
        return own === (event.cards !== undefined);
      case "draw":
        if (event.from === "display" && event.card) add(this.display, event.card, -1);
        if (own && event.card) add(this.hand, event.card, 1);
        return event.card !== undefined || !own;
      case "claim":
        this.owners[event.route] = event.seat;
        if (own) for (const [card, count] of Object.entries(event.cards)) add(this.hand, card, -count);
        return true;
      case "offer":
        return !own || this.offer(event.tickets ?? []);
      case "keep":
        if (own) [this.tickets, this.offered] = [[...this.tickets, ...(event.tickets ?? [])], []];
        return true;
      default:
        return true; // it changes nothing of these
    }
  }

  /** The first tickets were on the table before. */
  private offer(tickets: readonly string[]): boolean {
    const good = this.tickets.length > 0 || this.first === null || same(this.first, tickets);
    this.offered = [...tickets];
    return good;
  }
}

function add(counts: Counts, card: string, count: number): void {
  counts[card] = (counts[card] ?? 0) + count;
}

const withoutNone = (counts: Readonly<Counts>): object =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

const same = (one: readonly string[], other: readonly string[]): boolean =>
  exact([...one].sort()) === exact([...other].sort());
