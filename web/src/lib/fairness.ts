// Fairness: the secret of a table, and all chance that comes from it. The browser works it out itself, as fairness.py does.

import type { Plan } from "../wire";

export const CARDS = ["blue", "green", "black", "purple", "red", "orange", "ferry"] as const;

export type FailureKey =
  | "notRecord"
  | "noFairness"
  | "form"
  | "otherMap"
  | "commitment"
  | "seating"
  | "seed"
  | "expected" // another event must come here
  | "stops"
  | "action" // no such action is possible here
  | "keep"
  | "noDeck"
  | "notOnDisplay"
  | "payment"
  | "token"
  | "noTickets"
  | "noEvent";

/** A record that is not fair, or cannot be checked: at which event (from 0), where there is one. */
export class FairnessError extends Error {
  constructor(
    readonly key: FailureKey,
    readonly values: Readonly<Record<string, string>> = {},
    readonly event: number | null = null,
  ) {
    super(`${event === null ? "" : `event ${event}: `}${key} ${JSON.stringify(values)}`);
  }
}

/** What a record carries as its `fairness`. */
export interface Revealed {
  game: string;
  commitment: string;
  secret: string;
  salts: string[];
  seating: number[];
}

const isText = (value: unknown, pattern: RegExp): value is string => typeof value === "string" && pattern.test(value);
const HEX32 = /^[0-9a-f]{64}$/;

/** Reads that; only its form is checked. */
export function readRevealed(entry: unknown, players: number): Revealed {
  const told = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
  const { game, commitment, secret, salts, seating } = told;
  const good =
    Object.keys(told).sort().join() === "commitment,game,salts,seating,secret" &&
    isText(game, /^[A-Za-z0-9_-]+$/) &&
    isText(commitment, HEX32) &&
    isText(secret, HEX32) &&
    Array.isArray(salts) &&
    salts.length === players &&
    salts.every((salt) => isText(salt, /^[0-9a-f]{0,64}$/)) &&
    Array.isArray(seating) &&
    seating.length === players &&
    seating.every((chair) => Number.isInteger(chair));
  if (!good) throw new FairnessError("form");
  return told as unknown as Revealed;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const number = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`);

/** A table's secret, its id, and a salt for each of its chairs: together they are all of its chance. */
export class Fairness {
  private key: Promise<CryptoKey>;
  private readonly secret: Uint8Array<ArrayBuffer>;

  constructor(
    secret: string,
    readonly game: string,
    readonly salts: readonly string[],
  ) {
    this.secret = fromHex(secret);
    this.key = crypto.subtle.importKey("raw", this.secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  /** What the table shows at the start: it fixes the secret and does not tell it. */
  async commitment(): Promise<string> {
    return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", this.secret)));
  }

  message(label: string): string {
    return `${this.game}:${label}:${this.salts.join("-")}`;
  }

  async digest(label: string): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign("HMAC", await this.key, new TextEncoder().encode(this.message(label))));
  }

  /** The seed of a step: step 0 is the deal, and each action is one more, in the order in which they happen. */
  async seed(step: number): Promise<bigint> {
    return number((await this.digest(String(step))).slice(0, 8));
  }

  /** The chair that holds each seat: the chairs, shuffled. */
  async seating(): Promise<number[]> {
    const digest = await this.digest("seating");
    const order = this.salts.map((_, chair) => chair);
    for (let place = order.length - 1, k = 0; place > 0; place--, k++)
      swap(order, place, Number(number(digest.slice(4 * k, 4 * k + 4)) % BigInt(place + 1)));
    return order;
  }
}

export const seedText = (seed: bigint): string => `0x${seed.toString(16).padStart(16, "0")}`;

export function swap<T>(row: T[], one: number, other: number): void {
  const kept = row[one] as T;
  row[one] = row[other] as T;
  row[other] = kept;
}

const LOW = 0xffffffffn;

/** The generator that a step's seed sets going: MWC64X, a multiply-with-carry of 64 bits. */
export class Chance {
  private state: bigint;

  constructor(seed: bigint) {
    let [left, right] = [seed >> 32n, seed & LOW];
    for (let turn = 0n; turn < 4n; turn++) {
      let mixed = right ^ turn;
      mixed = ((mixed ^ (mixed >> 16n)) * 0x7feb352dn) & LOW;
      mixed = ((mixed ^ (mixed >> 16n)) * 0x846ca68bn) & LOW;
      [left, right] = [right, left ^ mixed ^ (mixed >> 16n)];
    }
    this.state = (((left & 0x7fffffffn) + 1n) << 32n) | right;
  }

  /** The next number, from 0 up to, and without, the bound. */
  below(bound: number): number {
    this.state = (this.state & LOW) * 4294883355n + (this.state >> 32n);
    const word = (this.state ^ (this.state >> 32n)) & LOW;
    return Number((word * BigInt(bound)) >> 32n);
  }
}

/** What chance needs to know of a map. */
export interface Pieces {
  map: string;
  cards: string[]; // sorted by kind
  tickets: string[];
  landmarks: Map<string, string>; // locations, and the souvenirs that lie there
}

export function piecesOf(plan: Plan): Pieces {
  const landmarks = plan.locations.filter((location) => location.landmark);
  return {
    map: plan.id,
    cards: CARDS.flatMap((card) => Array.from({ length: plan.cards[card] ?? 0 }, () => card)),
    tickets: plan.tickets.map((ticket) => `${ticket.first}-${ticket.second}`),
    landmarks: new Map(landmarks.map((location, place) => [location.id, plan.souvenirs[place] ?? ""])),
  };
}
