// The table, as far as chance needs it. What comes next is worked out first; then the record must say the same.

import { exact } from "./exact";
import { CARDS, type Chance, FairnessError, type FailureKey, type Pieces, shuffled, type Source } from "./fairness";

/** One thing that chance brought: of so many, the number that came, and what lay there. */
export interface Pick {
  of: number;
  number: number;
  card: string;
}

/** What chance brought in one step. */
export interface Draws {
  step: number;
  event: number; // the first of the step
  picks: Pick[];
}

type Event = Record<string, unknown>;

/** What follows from no secret, and how it is told; whatever else happens is worked out as a whole. */
const FORMS: Record<string, string[]> = {
  offer: ["seat", "tickets"],
  keep: ["seat", "tickets"],
  place: ["seat", "location", "souvenir", "count"],
  draw: ["seat", "from", "card"],
  claim: ["seat", "route", "cards"],
  token: ["seat", "location", "souvenir"],
  pass: ["seat"],
  last_round: ["seat"],
  end: ["reason"],
};

const isText = (value: unknown): boolean => typeof value === "string";
const isRow = (value: unknown): value is unknown[] => Array.isArray(value);

export class FairTable {
  readonly draws: Draws[] = [];
  ticketOrder: string[] = []; // as shuffled
  cardsSeen = 0;
  ticketsSeen = 0;
  at = 0; // the next event

  private step = 0;
  private chance!: Chance; // of the step
  private picks: Pick[] = [];
  private deck: string[];
  private display: string[] = [];
  private discard: string[] = [];
  private tickets: string[];
  private offered: string[] = [];
  private readonly stackSize: number;
  private readonly stacks: Map<string, string[]>;
  private readonly owned = new Set<string>(); // "seat souvenir"
  private choice: string[] = []; // two locations, while a seat must choose between their tokens

  constructor(
    private readonly events: readonly unknown[],
    private readonly players: number,
    pieces: Pieces,
    private readonly source: Source,
  ) {
    this.deck = [...pieces.cards];
    this.tickets = [...pieces.tickets];
    this.stackSize = players === 4 ? 3 : 2;
    this.stacks = new Map([...pieces.landmarks].map(([place, souvenir]) => [place, this.stack(souvenir, this.stackSize)]));
  }

  async follow(): Promise<void> {
    await this.begin();
    this.deal();
    while (this.at < this.events.length) {
      const kind = this.text("e");
      if (kind === "last_round" || kind === "end") {
        this.checkForm(kind);
        this.at++; // nobody decides them, and they bring nothing
      } else await this.act(kind);
      if (kind === "end" && this.at < this.events.length) this.fail("afterEnd", { found: exact(this.events[this.at]) });
    }
  }

  /** Every step has numbers of its own. */
  private async begin(): Promise<void> {
    this.chance = await this.source.chance(this.step);
    this.picks = [];
    this.draws.push({ step: this.step, event: this.at, picks: this.picks });
  }

  private deal(): void {
    for (let seat = 0; seat < this.players; seat++)
      this.expect({ e: "deal", seat, cards: [this.nextCard(), this.nextCard()] });
    const shown = Math.min(5, this.deck.length);
    for (let slot = 0; slot < shown; slot++) this.display.push(this.nextCard());
    this.expect({ e: "display", cards: [...this.display] });
    this.resetFerries();
    this.tickets = shuffled(this.tickets, this.chance);
    this.ticketOrder = [...this.tickets];
    this.offer(0);
  }

  private async act(kind: string): Promise<void> {
    this.step++;
    await this.begin();
    const possible = this.possibleActions();
    const action = possible.get(kind);
    if (!action) this.fail("action", { expected: [...possible.keys()].join(", "), found: exact(this.events[this.at]) });
    this.checkForm(kind);
    action();
  }

  /** Where none of these comes next, an action is missing, or there is one too many. */
  private possibleActions(): Map<string, () => void> {
    if (this.offered.length) return new Map([["keep", () => this.keep()]]);
    if (this.step <= this.players + 2) return new Map([["place", () => this.place()]]);
    if (this.choice.length) return new Map([["token", () => this.token()]]);
    return new Map([
      ["draw", () => this.draw()],
      ["claim", () => this.claim()],
      ["offer", () => this.offer(this.whole("seat"))],
      ["pass", () => void this.at++],
    ]);
  }

  private keep(): void {
    const kept = this.row("tickets");
    const others = this.offered.filter((ticket) => !kept.includes(ticket));
    if (!kept.length || kept.length + others.length !== this.offered.length) this.fail("keep", { found: exact(kept) });
    this.at++;
    this.offered = [];
    this.tickets.push(...others); // to the bottom
    if (this.step < this.players) this.offer(this.step); // the first tickets of the next seat
  }

  private place(): void {
    const size = this.players === 2 ? 1 : this.stackSize;
    this.stacks.set(this.text("location"), this.stack(this.text("souvenir"), size));
    this.at++;
  }

  private draw(): void {
    const card = this.text("card");
    if (this.text("from") === "deck") {
      if (!this.deck.length) this.fail("noDeck");
      this.expect({ ...this.event, card: this.nextCard() });
      this.recycle();
      return;
    }
    const slot = this.display.indexOf(card);
    if (slot < 0) this.fail("notOnDisplay", { found: exact(card) });
    this.at++;
    this.display.splice(slot, 1);
    this.fillDisplay();
  }

  /** The payment is discarded. A token follows: the only one, or one to choose, which is an action of its own. */
  private claim(): void {
    const [seat, route] = [this.whole("seat"), this.text("route")];
    for (const [card, count] of this.payment()) this.discard.push(...this.stack(card, count));
    this.at++;
    this.recycle();
    this.fillDisplay();
    const ends = (route.split(":")[0] ?? "").split("-");
    const free = ends.filter((end) => {
      const souvenir = this.stacks.get(end)?.[0];
      return souvenir !== undefined && !this.owned.has(`${seat} ${souvenir}`);
    });
    const [location] = free;
    if (free.length > 1) this.choice = free;
    else if (location !== undefined) {
      const souvenir = this.stacks.get(location)?.pop() ?? "";
      this.expect({ e: "token", seat, location, souvenir });
      this.owned.add(`${seat} ${souvenir}`);
    }
  }

  private payment(): [string, number][] {
    const cards = this.event["cards"];
    if (typeof cards !== "object" || cards === null || isRow(cards)) this.fail("noEvent", { found: exact(this.event) });
    const parts = Object.entries(cards) as [string, number][];
    const good = parts.every(
      ([card, count]) => (CARDS as readonly string[]).includes(card) && Number.isInteger(count) && count > 0 && count <= 8,
    );
    if (!good) this.fail("payment", { found: exact(cards) });
    return parts;
  }

  private token(): void {
    const [seat, location] = [this.whole("seat"), this.text("location")];
    if (!this.choice.includes(location)) this.fail("token", { expected: this.choice.join(", "), found: exact(location) });
    this.at++;
    this.owned.add(`${seat} ${this.stacks.get(location)?.pop() ?? ""}`);
    this.choice = [];
  }

  // What follows from an action.

  /** Any card of the deck, with equal chance: it is the top card of a deck whose order nobody knows. */
  private nextCard(): string {
    const of = this.deck.length;
    const number = this.chance.below(of);
    const card = this.deck.splice(number, 1)[0] ?? "";
    this.cardsSeen++;
    this.picks.push({ of, number, card });
    return card;
  }

  private fillDisplay(): void {
    if (this.display.length >= 5) return;
    this.turnUp();
    this.resetFerries();
  }

  private turnUp(): void {
    while (this.display.length < 5 && this.deck.length) {
      const card = this.nextCard();
      this.display.push(card);
      this.expect({ e: "flip", card });
      this.recycle();
    }
  }

  /** A display with three ferries is discarded, while there is a deck, but at most three times in a row. */
  private resetFerries(): void {
    for (let time = 0; time < 3; time++) {
      if (this.display.filter((card) => card === "ferry").length < 3 || !this.deck.length) continue;
      this.expect({ e: "reset", cards: [...this.display].sort() });
      this.discard.push(...this.display);
      this.display = [];
      this.turnUp();
    }
  }

  /** The discard pile becomes the deck at once when that is empty. */
  private recycle(): void {
    if (this.deck.length || !this.discard.length) return;
    this.expect({ e: "recycle" });
    this.deck = CARDS.flatMap((card) => this.discard.filter((one) => one === card));
    this.discard = [];
  }

  private offer(seat: number): void {
    if (!this.tickets.length) this.fail("noTickets");
    this.offered = this.tickets.splice(0, 2);
    this.ticketsSeen += this.offered.length;
    this.expect({ e: "offer", seat, tickets: [...this.offered] });
  }

  private stack(souvenir: string, size: number): string[] {
    return Array.from({ length: size }, () => souvenir);
  }

  // The record.

  /** The next event must be this one. */
  private expect(event: Event): void {
    if (this.at >= this.events.length) this.fail("stops", { expected: exact(event) });
    let found = this.event;
    if (this.text("e") === "reset") {
      const cards = [...this.row("cards")].sort((a, b) => (exact(a) < exact(b) ? -1 : 1)); // a display has no order
      found = { ...found, cards };
    }
    if (exact(found) !== exact(event)) this.fail("expected", { expected: exact(event), found: exact(found) });
    this.at++;
  }

  private get event(): Event {
    const event = this.events[this.at];
    if (typeof event !== "object" || event === null || isRow(event)) this.fail("noEvent", { found: exact(event) });
    return event as Event;
  }

  private text(key: string): string {
    const found = this.event[key];
    if (typeof found !== "string") this.fail("noEvent", { found: exact(this.event) });
    return found;
  }

  private whole(key: string): number {
    const found = this.event[key];
    if (!Number.isInteger(found)) this.fail("noEvent", { found: exact(this.event) });
    return found as number;
  }

  private row(key: string): unknown[] {
    const found = this.event[key];
    if (!isRow(found)) this.fail("noEvent", { found: exact(this.event) });
    return found;
  }

  /** A decision has no more than it needs: what nobody asks for, nobody compares. */
  private checkForm(kind: string): void {
    const event = this.event;
    const fits: Record<string, (value: unknown) => boolean> = {
      seat: (seat) => Number.isInteger(seat) && (seat as number) >= 0 && (seat as number) < this.players,
      count: (count) => [1, 2, 3].includes(count as number),
      from: (pile) => pile === "deck" || pile === "display",
      tickets: isRow,
      cards: (cards) => typeof cards === "object" && cards !== null && !isRow(cards),
    };
    const keys = FORMS[kind] ?? [];
    const good = keys.every((key) => Object.hasOwn(event, key) && (fits[key] ?? isText)(event[key]));
    if (!good || Object.keys(event).length !== keys.length + 1) this.fail("noEvent", { found: exact(event) });
  }

  private fail(key: FailureKey, values: Record<string, string> = {}): never {
    throw new FairnessError(key, values, this.at);
  }
}
