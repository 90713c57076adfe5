// Fairness: the secret of a table, and all chance that comes from it. The browser works it out itself, as src/fogline/fairness does.

import type { Plan } from "../wire";

export const CARDS = ["blue", "green", "black", "purple", "red", "orange", "ferry"] as const;

export type FailureKey =
  | "notRecord"
  | "noFairness"
  | "form"
  | "rules" // another version of the rules, or a later scheme
  | "receipt" // which is damaged, or of a table with other chairs
  | "sameSeal" // in two chairs
  | "salt" // a salt that is not the one of its seal
  | "otherEdition" // of the map
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
  | "noEvent"
  | "afterEnd"
  // What the record says, and what this browser kept of the game.
  | "otherScheme"
  | "otherGame"
  | "otherCommitment"
  | "otherSeals"
  | "otherSeal"
  | "otherSalt"
  | "otherEvents"
  | "botSeal" // in a chair where a bot sat
  | "differed"; // what the table showed, from what it had shown before

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

/** What a record carries as its `fairness`; by the first scheme, `map`, `rules` and `seals` are not there. */
export interface Revealed {
  scheme?: number;
  game: string;
  map?: string;
  rules?: number;
  commitment: string;
  secret: string;
  seals?: (string | null)[];
  salts: (string | null)[];
  seating: number[];
}

const RULES = 1;
const FIRST_KEYS = "commitment,game,salts,seating,secret";
const KEYS = "commitment,game,map,rules,salts,scheme,seals,seating,secret";

const isText = (value: unknown, pattern: RegExp): value is string => typeof value === "string" && pattern.test(value);
const HEX32 = /^[0-9a-f]{64}$/;

/** Reads that; only its form is checked. */
export function readRevealed(entry: unknown, players: number): Revealed {
  const told = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
  const first = !("scheme" in told);
  const row = (value: unknown, fits: (one: unknown) => boolean): boolean =>
    Array.isArray(value) && value.length === players && value.every(fits);
  const good =
    Object.keys(told).sort().join() === (first ? FIRST_KEYS : KEYS) &&
    isText(told["game"], /^[A-Za-z0-9_-]+$/) &&
    isText(told["commitment"], HEX32) &&
    isText(told["secret"], HEX32) &&
    row(told["seating"], Number.isInteger) &&
    (first
      ? row(told["salts"], (salt) => isText(salt, /^[0-9a-f]{0,64}$/))
      : isText(told["map"], HEX32) &&
        row(told["seals"], (seal) => seal === null || isText(seal, HEX32)) &&
        row(told["salts"], (salt) => salt === null || isText(salt, /^[0-9a-f]{1,64}$/)));
  if (!good) throw new FairnessError("form");
  if (!first && (told["scheme"] !== 2 || told["rules"] !== RULES)) throw new FairnessError("rules");
  return told as unknown as Revealed;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Browsers calculate only for pages that came over a secure connection. */
export const isPossible = (): boolean => typeof crypto !== "undefined" && crypto.subtle !== undefined;

export async function sha256(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

async function hmac(key: Uint8Array<ArrayBuffer>): Promise<(message: string) => Promise<Uint8Array>> {
  const signing = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", signing, new TextEncoder().encode(message)));
}

const number = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`);

/** The numbers of one step. */
export interface Chance {
  /** The next number, from 0 up to, and without, the bound. */
  below(bound: number): number;
}

/** Where all chance of a game comes from, by either scheme. */
export interface Source {
  commitment(): Promise<string>;
  seating(): Promise<number[]>;
  /** The seed that the record has. */
  seed(): Promise<bigint>;
  chance(step: number): Promise<Chance>;
  /** What all numbers are worked out from. */
  readonly message: string;
}

export function sourceOf(told: Revealed): Source {
  const { secret, game, map, seals, salts } = told;
  if (map === undefined || seals === undefined) return new FirstFairness(secret, game, salts as string[]);
  return new Fairness(secret, game, map, seals, salts);
}

const MOST_IN_A_DEAL = 96; // 8 cards, the display, three resets of five cards, and 64 tickets
const MOST_IN_A_STEP = 24; // a card, five for the display, and three resets of five

/** A table's secret, what it is committed to, and the chairs' salts: together they are all of its chance. */
export class Fairness implements Source {
  readonly message: string;
  private readonly context: string;
  private sign: Promise<(message: string) => Promise<Uint8Array>>;

  constructor(
    private readonly secret: string,
    game: string,
    map: string,
    seals: readonly (string | null)[],
    salts: readonly (string | null)[],
  ) {
    this.context = `fogline-fairness/2 ${game} ${map} ${seals.length} ${RULES}`;
    const parts = seals.map((seal, chair) => salts[chair] ?? (seal === null ? "none" : `sealed:${seal}`));
    this.message = `${this.context} ${parts.join(" ")}`;
    this.sign = hmac(fromHex(secret))
      .then((sign) => sign(this.message))
      .then((key) => hmac(key as Uint8Array<ArrayBuffer>));
  }

  commitment(): Promise<string> {
    return sha256(`${this.context} ${this.secret}`);
  }

  async seating(): Promise<number[]> {
    const order = [...this.message.split(" ").slice(5).keys()];
    return shuffled(order, await this.numbers("seating", order.length));
  }

  async seed(): Promise<bigint> {
    return ((await this.numbers("record", 1)).all[0] as bigint) % (1n << 64n);
  }

  chance(step: number): Promise<Chance> {
    return this.numbers(String(step), step === 0 ? MOST_IN_A_DEAL : MOST_IN_A_STEP);
  }

  /** What others were shown of a hidden decision, so that it cannot be another one afterwards: of its JSON, as text. */
  async sealEvent(number: number, event: string): Promise<string> {
    return toHex(await (await this.sign)(`event ${number} ${event}`));
  }

  private async numbers(purpose: string, most: number): Promise<Numbers> {
    const sign = await this.sign;
    const digests = Array.from({ length: most }, (_, drawn) => sign(`${purpose} ${drawn}`));
    return new Numbers((await Promise.all(digests)).map(number));
  }
}

class Numbers implements Chance {
  private drawn = 0;

  constructor(readonly all: readonly bigint[]) {}

  below(bound: number): number {
    const next = this.all[this.drawn++];
    if (next === undefined) throw new FairnessError("notRecord"); // no step brings as much
    return Number(next % BigInt(bound));
  }
}

/** For each place from the last one down to 1, a number says with which place it is exchanged. */
export function shuffled<T>(row: readonly T[], chance: Chance): T[] {
  const order = [...row];
  for (let place = order.length - 1; place > 0; place--) swap(order, place, chance.below(place + 1));
  return order;
}

/** The first scheme, by which older games were dealt. */
export class FirstFairness implements Source {
  private readonly sign: Promise<(message: string) => Promise<Uint8Array>>;

  constructor(
    private readonly secret: string,
    private readonly game: string,
    private readonly salts: readonly string[],
  ) {
    this.sign = hmac(fromHex(secret));
  }

  async commitment(): Promise<string> {
    return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", fromHex(this.secret))));
  }

  get message(): string {
    return this.labelled("seating");
  }

  async chance(step: number): Promise<Chance> {
    return new Generator(await this.stepSeed(step));
  }

  seed(): Promise<bigint> {
    return this.stepSeed(0);
  }

  async seating(): Promise<number[]> {
    const digest = await this.digest("seating");
    const order = this.salts.map((_, chair) => chair);
    for (let place = order.length - 1, k = 0; place > 0; place--, k++)
      swap(order, place, Number(number(digest.slice(4 * k, 4 * k + 4)) % BigInt(place + 1)));
    return order;
  }

  async stepSeed(step: number): Promise<bigint> {
    return number((await this.digest(String(step))).slice(0, 8));
  }

  private labelled(label: string): string {
    return `${this.game}:${label}:${this.salts.join("-")}`;
  }

  private async digest(label: string): Promise<Uint8Array> {
    return (await this.sign)(this.labelled(label));
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
export class Generator implements Chance {
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
  digest: Promise<string>; // of all that the rules need of it
}

export function piecesOf(plan: Plan): Pieces {
  const landmarks = plan.locations.filter((location) => location.landmark);
  return {
    map: plan.id,
    cards: CARDS.flatMap((card) => Array.from({ length: plan.cards[card] ?? 0 }, () => card)),
    tickets: plan.tickets.map((ticket) => `${ticket.first}-${ticket.second}`),
    landmarks: new Map(landmarks.map((location, place) => [location.id, plan.souvenirs[place] ?? ""])),
    digest: digestOf(plan),
  };
}

/** The SHA-256 of what the rules need of a map, in the form that docs/maps.md states. */
function digestOf(plan: Plan): Promise<string> {
  const twins = new Set<string | null>();
  const routes = plan.routes.flatMap(({ id, first, second, length, colour, ferries, twin }) => {
    if (twins.has(id)) return [];
    twins.add(twin);
    const other = plan.routes.find((route) => route.id === twin);
    return [[first, second, length, other ? [colour, other.colour] : [colour], ferries]];
  });
  const form = {
    cards: CARDS.map((card) => plan.cards[card] ?? 0),
    cars: plan.cars,
    form: "fogline-map/1",
    landmarks: plan.locations.filter(({ landmark }) => landmark).map(({ id }) => id),
    locations: plan.locations.map(({ id }) => id),
    route_points: plan.route_points,
    routes,
    souvenirs: plan.souvenirs,
    tickets: plan.tickets.map(({ first, second, value }) => [first, second, value]),
    token_points: plan.token_points,
  };
  return sha256(JSON.stringify(form));
}
