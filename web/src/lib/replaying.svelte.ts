// Replaying: a game that is looked at again, step by step. The address says which step, through whose eyes.

import { tick } from "svelte";

import type { Frame, Plan, Replay, State } from "../wire";
import { api, ApiError } from "./api";
import { fly, plannedFlights } from "./flights";
import { addressOf, eyesFrom, PACE, stateAt, stepFrom } from "./replay";
import { router } from "./router.svelte";

const SETTLED = 300; // milliseconds after which the address follows: browsers limit how often it may change

export class Replaying {
  replay = $state.raw<Replay | null>(null);
  step = $state(0);
  going = $state(false); // by itself
  speed = $state(1);
  fresh = $state.raw<ReadonlySet<string>>(new Set());
  error = $state.raw<unknown>(null);

  private known = new Map<string, Replay>(); // by eyes
  private timer: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private written = "";

  constructor(
    private readonly plan: Plan,
    readonly table: string,
  ) {}

  get last(): number {
    return Math.max(0, (this.replay?.steps ?? 1) - 1);
  }

  get frame(): Frame | null {
    return this.replay?.frames[this.step] ?? null;
  }

  get state(): State | null {
    return this.replay && this.frame && stateAt(this.replay, this.frame);
  }

  /** What the address asks for, unless it only says what is shown already. */
  async follow(query: URLSearchParams): Promise<void> {
    if (this.replay && this.written === query.toString()) return;
    await this.look(eyesFrom(query));
    if (this.replay) this.step = stepFrom(query, this.replay.steps);
  }

  /** Looks through other eyes, at the same step. */
  async look(eyes: string | null): Promise<void> {
    if (this.replay && eyes === this.replay.eyes) return;
    try {
      const replay = this.known.get(eyes ?? "") ?? (await api.replay(this.table, eyes));
      this.known.set(replay.eyes, replay).set(eyes ?? "", replay);
      this.replay = replay;
      this.error = null;
    } catch (error) {
      // A link may ask for eyes that the server lends only when the game is over.
      if (eyes !== null && error instanceof ApiError && error.code === "forbidden") return this.look(null);
      this.error = error;
    }
    this.settle();
  }

  go(step: number): void {
    this.stop();
    this.show(step);
  }

  play(): void {
    if (this.going) return this.stop();
    if (this.step === this.last) this.show(0);
    this.going = true;
    this.advance();
  }

  stop(): void {
    this.going = false;
    clearTimeout(this.timer);
  }

  close(): void {
    this.stop();
    clearTimeout(this.settling);
  }

  private advance(): void {
    this.timer = setTimeout(() => {
      this.show(this.step + 1);
      if (this.step < this.last) this.advance();
      else this.going = false;
    }, PACE / this.speed);
  }

  private show(wanted: number): void {
    const step = Math.min(Math.max(0, wanted), this.last);
    const events = this.replay?.frames[step]?.events ?? [];
    const forwards = step === this.step + 1; // only then does something fly and roll
    const flights = forwards ? plannedFlights(events, this.frame?.view.seat ?? null) : [];
    this.step = step;
    this.fresh = new Set(forwards ? events.flatMap((event) => (event.e === "claim" ? [event.route] : [])) : []);
    if (flights.length) void tick().then(() => fly(flights, this.plan));
    this.settle();
  }

  /** The address follows. */
  private settle(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (!this.replay) return;
      const address = addressOf(this.table, this.step, this.replay.eyes);
      this.written = address.split("?")[1] ?? "";
      router.go(address, true);
    }, SETTLED);
  }
}
