// Playing: what a person sees of a game, and what their taps mean. What is legal, the server says.

import { tick } from "svelte";

import type { Accepted, Answer, Choice, GameEvent, Plan, Presence, State } from "../wire";
import { ApiError } from "./api";
import { fly, plannedFlights } from "./flights";
import { notices } from "./notices.svelte";
import { errorText, refusalText } from "./refusals";
import { isStill, settings } from "./settings.svelte";
import { sounds } from "./sounds";
import type { Teller } from "./story";
import { t } from "./words.svelte";

/** Where decisions go: to a table, or to the tutorial. */
export interface Decider {
  play(action: string): Promise<Accepted>;
  whyNot(action: string): Promise<Answer>;
}

const SLOW = 700; // milliseconds after which it is said that a decision is on its way
const FOR_EACH_MOVE = 550; // milliseconds that another's move is seen before the next

export class Playing {
  shown = $state.raw<State | null>(null);
  log = $state.raw<readonly GameEvent[]>([]);
  latest = $state.raw<readonly GameEvent[]>([]); // what the last state brought
  fresh = $state.raw<ReadonlySet<string>>(new Set()); // routes claimed just now
  paying = $state<string | null>(null); // the route whose payment is being chosen
  looking = $state<string | null>(null); // the ticket that is being looked at
  pointed = $state<string | null>(null); // the route or the location that is spoken of in the list of actions
  asking = $state<"tray" | "list" | null>(null); // where it is asked whether to draw tickets
  busy = $state(false); // a decision is on its way
  sending = $state<string | null>(null); // which one
  slow = $state(false); // it has been for a while
  presence = $state.raw<Presence | null>(null); // who is at the table, where that is known

  private queue: State[] = [];
  private decided: number | undefined; // the step whose decision is on its way
  private patience: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly plan: Plan,
    private readonly decider: Decider,
  ) {}

  /** The table has a new state. Others' moves are shown one at a time. */
  hear(state: State): void {
    this.queue.push(state);
    if (this.timer === undefined) this.next();
  }

  /** Shows at once what there is to show. */
  skip(): void {
    if (!this.queue.length) return;
    clearTimeout(this.timer);
    while (this.queue.length) this.show(this.queue.shift() as State, false);
    this.timer = undefined;
  }

  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.patience);
  }

  get teller(): Teller | null {
    return this.shown && { plan: this.plan, table: this.shown.table, you: this.shown.table.you.seat };
  }

  get yourTurn(): boolean {
    return (this.shown?.view?.legal.length ?? 0) > 0;
  }

  /** The route whose claim is on its way. */
  get claiming(): string | null {
    return /^claim (\S+)/.exec(this.sending ?? "")?.[1] ?? null;
  }

  /** Whether a bot plays for the person: then nothing is theirs to decide. */
  get away(): boolean {
    const table = this.shown?.table;
    return table?.status === "playing" && (table.chairs[table.you.chair ?? -1]?.away ?? false);
  }

  choices(kind: Choice["kind"], target?: string): Choice[] {
    const legal = this.shown?.view?.legal ?? [];
    return legal.filter((choice) => choice.kind === kind && (target === undefined || choice.target === target));
  }

  private next(): void {
    const state = this.queue.shift();
    if (!state) {
      this.timer = undefined;
      return;
    }
    this.show(state, true);
    const you = state.table.you.seat;
    const others = state.events.some((event) => "seat" in event && event.seat !== you && event.e !== "deal");
    this.timer = setTimeout(() => this.next(), others && state.after > 0 && !isStill() ? FOR_EACH_MOVE : 0);
  }

  private show(state: State, moving: boolean): void {
    const flights = moving && state.after > 0 ? plannedFlights(state.events, state.table.you.seat) : [];
    const before = this.yourTurn;
    this.shown = state;
    if (this.busy && state.view?.step !== this.decided) this.settle(); // it is seen before it is acknowledged
    this.log = state.after > 0 ? [...this.log, ...state.events] : state.events;
    this.latest = state.events;
    this.fresh = new Set(
      state.after > 0 ? state.events.flatMap((event) => (event.e === "claim" ? [event.route] : [])) : [],
    );
    if (this.paying && !this.choices("claim", this.paying).length) this.paying = null;
    if (!this.choices("draw_tickets").length) this.asking = null;
    if (state.after > 0) {
      notices.moveOn();
      sounds.tell(state.events.some(({ e }) => e === "last_round"), this.yourTurn && !before);
    }
    if (flights.length) void tick().then(() => fly(flights, this.plan));
  }

  // What taps mean.

  card(card: string): void {
    this.act(this.choices("draw", card)[0], `draw ${card}`);
  }

  deck(): void {
    this.act(this.choices("draw", "deck")[0], "draw deck");
  }

  /** It takes the whole turn, so it is asked first; but not where nothing else can be done. */
  tickets(from: "tray" | "list" = "tray"): void {
    const choice = this.choices("draw_tickets")[0];
    if (!choice || this.shown?.view?.legal.length === 1) return this.act(choice, "draw tickets");
    notices.clear();
    this.skip();
    this.asking = from;
  }

  askedTickets(wanted: boolean): void {
    this.asking = null;
    if (wanted) this.act(this.choices("draw_tickets")[0], "draw tickets");
  }

  keep(which: string): void {
    this.act(this.choices("keep", which)[0], `keep ${which}`);
  }

  pass(): void {
    this.act(this.choices("pass")[0], "pass");
  }

  location(location: string): void {
    const choice = this.choices("place", location)[0] ?? this.choices("token", location)[0];
    this.act(choice, `${this.shown?.view?.phase === "place" ? "place" : "token"} ${location}`);
  }

  route(route: string): void {
    this.skip();
    const payments = this.choices("claim", route);
    const only = payments[0];
    if (!only) void this.explain(`claim ${route}`); // with no payment: the answer is about all of them
    else if (payments.length === 1 && !settings.confirm) void this.play(only.action);
    else {
      notices.clear();
      this.asking = null;
      this.paying = route;
    }
  }

  pay(choice: Choice): void {
    this.paying = null;
    void this.play(choice.action);
  }

  private act(choice: Choice | undefined, otherwise: string): void {
    this.skip();
    if (choice) void this.play(choice.action);
    else void this.explain(otherwise);
  }

  /** Sends a decision. Until the answer is there no second one leaves, so a double tap does nothing twice. */
  async play(action: string): Promise<void> {
    if (this.busy) return;
    const step = (this.decided = this.shown?.view?.step);
    notices.clear();
    this.asking = null;
    this.busy = true;
    this.sending = action;
    this.patience = setTimeout(() => (this.slow = true), SLOW);
    try {
      await this.decider.play(action);
    } catch (error) {
      this.refused(error);
    } finally {
      if (this.decided === step) this.settle();
    }
  }

  /** Nothing is on its way any more. */
  private settle(): void {
    clearTimeout(this.patience);
    this.busy = this.slow = false;
    this.sending = null;
  }

  /** Says why something cannot be done. */
  async explain(action: string): Promise<void> {
    const teller = this.teller;
    if (!teller || this.busy || this.shown?.table.you.seat === null) return;
    if (this.away) return notices.say(t("menu.awayHelp"), null, "refusal");
    try {
      const answer = await this.decider.whyNot(action);
      if (!answer.legal) notices.say(refusalText(answer, teller), answer.rule, "refusal");
    } catch (error) {
      this.refused(error);
    }
  }

  private refused(error: unknown): void {
    if (error instanceof ApiError && error.code === "late") return; // the table has moved on, and shows it
    const teller = this.teller;
    const refusal = error instanceof ApiError ? error.refusal : null;
    if (refusal && teller) notices.say(refusalText(refusal, teller), refusal.rule, "refusal");
    else notices.say(errorText(error), null, "refusal");
  }
}
