// Receipts: what this browser keeps of each game while it is played, to hold the game's record against in the end.

import type { GameEvent, State, TableInfo } from "../wire";
import { Fairness, FairnessError, type Revealed, sha256, type Source } from "./fairness";
import { exact } from "./fairtable";

/** As `fogline audit --receipt` reads it, too. */
export interface Receipt {
  game: string;
  commitment: string; // as it was before the seal was given
  salt: string;
  chair: number | null; // ours, as the table last said before the deal
  sealed: boolean; // the table has shown our seal in that chair
  seals: (string | null)[]; // of all chairs, as they were before the salt was given; until then empty
  revealed: boolean; // in time, as the table said
  seen: Seen; // the events that were shown here, and their running hash
  differed: boolean; // later, other ones were shown in their place
}

export interface Seen {
  events: number;
  hash: string;
}

const KEY = "fogline.receipts";
const MOST = 60; // tables

let here: Record<string, Receipt> = {}; // where storage is forbidden, as long as the page is open

function all(): Record<string, Receipt> {
  try {
    return { ...here, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Receipt>) };
  } catch {
    return here; // storage may be forbidden, or hold something of another time
  }
}

export function receiptOf(table: string): Receipt | null {
  const kept = all();
  return Object.hasOwn(kept, table) ? (kept[table] as Receipt) : null;
}

export function keepReceipt(receipt: Receipt): void {
  const others = Object.entries(all()).filter(([table]) => table !== receipt.game).slice(1 - MOST);
  const kept = { ...Object.fromEntries(others), [receipt.game]: receipt };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
    here = {};
  } catch {
    here = kept;
  }
}

/** A new salt, for a table whose commitment is seen now, before anybody can know the salt. */
export function newReceipt({ id, commitment }: Pick<TableInfo, "id" | "commitment">): Receipt {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const salt = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const nothing = { chair: null, sealed: false, seals: [], revealed: false, differed: false };
  return { game: id, commitment, salt, ...nothing, seen: { events: 0, hash: "" } };
}

/** Until the cards are dealt chairs may change, and with them whose seal ours would be. */
export async function noteChair({ table }: State): Promise<void> {
  const salt = receiptOf(table.id)?.salt;
  if (salt === undefined || (table.status !== "open" && table.status !== "revealing")) return;
  const { chair } = table.you;
  const sealed = chair !== null && table.seals[chair] === (await sha256(salt));
  // Once people reveal their salts, seals stay as they are: another one in our chair would be a lie, and the record's.
  if (sealed || table.status === "open") changeReceipt(table.id, { chair, sealed });
}

/** What happened meanwhile to the rest of it stays. */
export function changeReceipt(table: string, change: Partial<Receipt>): void {
  const kept = receiptOf(table);
  if (kept) keepReceipt({ ...kept, ...change });
}

/** The running hash after some more events. */
export async function hashOn(hash: string, events: readonly object[]): Promise<string> {
  let found = hash;
  for (const event of events) found = await sha256(found + exact(event));
  return found;
}

const HIDDEN: Partial<Record<string, string>> = { deal: "cards", draw: "card", offer: "tickets", keep: "tickets" };

/** An event as a seat is shown it: of what others have in their hands no more than how much it is, or a seal of it. */
export async function asSeen(
  event: Record<string, unknown>,
  seat: number | null,
  number: number,
  source: Pick<Fairness, "sealEvent">,
): Promise<object> {
  const kind = String(event["e"]);
  const hidden = HIDDEN[kind];
  if (hidden === undefined || event["seat"] === seat || event["from"] === "display") return event;
  const { [hidden]: value, ...shown } = event;
  if (hidden === "card") return shown;
  const counted = { ...shown, count: Array.isArray(value) ? value.length : 0 };
  return kind === "keep" ? { ...counted, seal: await source.sealEvent(number, exact(event)) } : counted;
}

/** How the record differs from what was kept, if it does. */
export async function compareWith(
  receipt: Receipt,
  told: Revealed,
  events: readonly unknown[],
  source: Source,
): Promise<FairnessError | null> {
  const { chair, seals, seen } = receipt;
  if (!(source instanceof Fairness)) return new FairnessError("otherScheme");
  const other =
    differs("otherGame", receipt.game, told.game) ??
    differs("otherCommitment", receipt.commitment, told.commitment) ??
    (seals.length ? differs("otherSeals", seals, told.seals) : null) ??
    (await compareSalt(receipt, told));
  if (other) return other;
  const seat = chair === null ? null : told.seating.indexOf(chair);
  const first = events.slice(0, seen.events) as Record<string, unknown>[];
  const shown = await Promise.all(first.map((event, number) => asSeen(event, seat, number, source)));
  const same = !receipt.differed && seen.events <= events.length && (await hashOn("", shown)) === seen.hash;
  return same ? null : new FairnessError("otherEvents");
}

async function compareSalt({ chair, salt, sealed, revealed }: Receipt, told: Revealed): Promise<FairnessError | null> {
  if (!sealed || chair === null) return null;
  const found = told.salts[chair] ?? null;
  return (
    differs("otherSeal", await sha256(salt), told.seals?.[chair]) ??
    (found === null && !revealed ? null : differs("otherSalt", salt, found))
  );
}

type Different = "otherGame" | "otherCommitment" | "otherSeals" | "otherSeal" | "otherSalt";

const differs = (key: Different, expected: unknown, found: unknown): FairnessError | null =>
  exact(expected) === exact(found) ? null : new FairnessError(key, { expected: exact(expected), found: exact(found) });

export type Doubt = "unsalted" | "unseen";

/** What leaves open whether the table chose the cards, though the record is of the game that was seen. */
export function doubtsOf({ sealed, seals, chair, seen }: Receipt, told: Revealed, events: number): Doubt[] {
  const salted = sealed && seals.length > 0 && chair !== null && typeof told.salts[chair] === "string";
  return [...(salted ? [] : (["unsalted"] as const)), ...(seen.events < events ? (["unseen"] as const) : [])];
}

/** Follows a table, and writes down what is shown of its game, event by event. */
export class Witness {
  private queue = Promise.resolve();
  private seen: Seen = { events: 0, hash: "" };

  hear(state: State): void {
    this.queue = this.queue.then(() => this.take(state)).catch(() => undefined); // without a secure connection
  }

  private async take({ table, after, events }: State): Promise<void> {
    if (after === 0) this.seen = { events: 0, hash: "" };
    const kept = receiptOf(table.id)?.seen;
    const before = kept ? kept.events - this.seen.events : -1;
    const known = before >= 0 && before <= events.length ? await this.add(events.slice(0, before)) : null;
    await this.add(known === null ? events : events.slice(before));
    const receipt = receiptOf(table.id);
    if (!receipt || receipt.chair !== table.you.chair) return; // somebody else is shown other things
    // What was shown here before must be shown again.
    if (known !== null && known !== kept?.hash) changeReceipt(table.id, { differed: true });
    else if (this.seen.events > receipt.seen.events) changeReceipt(table.id, { seen: this.seen });
  }

  private async add(events: readonly GameEvent[]): Promise<string> {
    const hash = await hashOn(this.seen.hash, events);
    this.seen = { events: this.seen.events + events.length, hash };
    return hash;
  }
}
