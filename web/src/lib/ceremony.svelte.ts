// The ceremony at the end: one player after the other is counted, the winners last.

import type { Seat } from "../wire";

const FOR_EACH = 1700; // milliseconds that a player's lines shine
const COUNTING = 1100; // of them, while the points count up
const BEFORE = 500;

const total = (seat: Seat | undefined): number => seat?.score?.total ?? seat?.points ?? 0;

/** Those with the fewest points first. */
export function countingOrder(seats: readonly Seat[], winners: readonly number[]): number[] {
  const last = (seat: number): number => (winners.includes(seat) ? 1 : 0);
  return seats.map((_, seat) => seat).sort((a, b) => last(a) - last(b) || total(seats[a]) - total(seats[b]));
}

/** Points on their way up: quick at first, slow at the end, never beside the mark when the time is over. */
export function countedUp(points: number, passed: number): number {
  const share = Math.min(1, Math.max(0, passed / COUNTING));
  return Math.round(points * (1 - (1 - share) ** 3));
}

export class Ceremony {
  lit = $state<number | null>(null); // whose lines shine
  points = $state<number[]>([]); // shown so far, by seat
  over = $state(false);
  private frame = 0;
  private order: number[];
  private started: number | null = null;

  constructor(
    private readonly seats: readonly Seat[],
    winners: readonly number[],
    still: boolean,
  ) {
    this.order = countingOrder(seats, winners);
    this.points = seats.map(() => 0);
    if (still || !seats.length) this.finish();
    else this.frame = requestAnimationFrame((now) => this.step(now));
  }

  /** All is counted: somebody wants to look by themselves, or does not want to wait. */
  finish(): void {
    cancelAnimationFrame(this.frame);
    if (this.over) return;
    this.points = this.seats.map(total);
    this.lit = null;
    this.over = true;
  }

  close(): void {
    cancelAnimationFrame(this.frame);
  }

  private step(now: number): void {
    this.started ??= now;
    const passed = now - this.started - BEFORE;
    const turn = Math.floor(passed / FOR_EACH);
    if (turn >= this.order.length) {
      this.finish();
      return;
    }
    const points = this.seats.map(() => 0);
    this.order.forEach((seat, number) => (points[seat] = countedUp(total(this.seats[seat]), passed - number * FOR_EACH)));
    if (points.some((one, seat) => one !== this.points[seat])) this.points = points;
    this.lit = turn < 0 ? null : (this.order[turn] ?? null);
    this.frame = requestAnimationFrame((next) => this.step(next));
  }
}
