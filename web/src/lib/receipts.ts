// Receipts: what this browser keeps of each game while it is played, to hold the game's record against in the end.
// A receipt only moves forward: what is written down once, no later message of the table changes.

import type { ChairInfo, State, TableInfo } from "../wire";
import { exact } from "./exact";
import { sha256 } from "./fairness";

type Kind = ChairInfo["kind"];

/** As `fogline audit --receipt` reads it, too. One that an older page has begun has no `kinds`, nor what stands below. */
export interface Receipt {
  game: string;
  commitment: string; // as it was before the seal was given
  salt: string;
  chair: number | null; // ours, as the table last said before the lock
  sealed: boolean; // the table has shown our seal in that chair
  seals: (string | null)[] | null; // of all chairs, at the lock; only with all of them in good order is the salt given
  revealed: boolean; // in time, as the table said
  seen: Seen; // the events that were shown here, and their running hash
  differed: boolean; // later, the table showed something else
  kinds: Kind[]; // who has the chairs: fixed by the lock
  opened: boolean; // by us: no bot here becomes a person, unless we want it
  locked: boolean; // the table has said that the game begins
  given: boolean; // the salt: written down before it leaves
  undealt: string[]; // other tables that were given a salt before the deal, and of which no game was seen
}

export interface Seen {
  events: number;
  hash: string;
  trail?: string; // the beginning of the hash after each event, as long as the game goes on
}

const KEY = "fogline.receipts";
const MOST = 200; // tables

let here: Record<string, Receipt> = {}; // what could not be stored, as long as the page is open

function stored(): Record<string, Receipt> {
  try {
    return { ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Receipt>) };
  } catch {
    return {}; // storage may be forbidden, or hold something of another time
  }
}

const all = (): Record<string, Receipt> => ({ ...stored(), ...here });

const find = (kept: Record<string, Receipt>, table: string): Receipt | null =>
  Object.hasOwn(kept, table) ? (kept[table] as Receipt) : null;

export const receiptOf = (table: string): Receipt | null => find(all(), table);

/** Not one that an older page has begun: such a one says less. */
export const isCurrent = ({ kinds }: Receipt): boolean => Array.isArray(kinds);

/** Whether it is kept: the next page finds it as it is now or, where nothing can be stored, none at all. */
export function keepReceipt(receipt: Receipt): boolean {
  const others = worthKeeping(Object.entries(stored()).filter(([table]) => table !== receipt.game));
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [receipt.game, receipt]])));
    const { [receipt.game]: _, ...left } = here;
    here = left;
  } catch {
    here = { ...here, [receipt.game]: receipt };
  }
  return isKept(receipt);
}

const isKept = (receipt: Receipt): boolean => exact(find({ ...here, ...stored() }, receipt.game)) === exact(receipt);

/** The latest; where they are too many, those go first whose table has never had a salt of ours. */
function worthKeeping(kept: [string, Receipt][]): [string, Receipt][] {
  const tooMany = kept.length - (MOST - 1);
  const idle = new Set(kept.filter(([, { given, seen }]) => !given && !seen?.events).slice(0, Math.max(0, tooMany)));
  return kept.filter((one) => !idle.has(one)).slice(1 - MOST);
}

/** One after the other, in all tabs: they have the receipts together. */
const inTurn = async <T>(deed: () => T): Promise<T> =>
  globalThis.navigator?.locks ? ((await navigator.locks.request(KEY, () => deed())) as T) : deed();

/** Adds to a receipt. Gives it as it is then; null where there is none, or where it could not be kept. */
export function moveOn(table: string, step: (receipt: Receipt) => Partial<Receipt>): Promise<Receipt | null> {
  return inTurn(() => {
    const before = receiptOf(table);
    if (!before) return null;
    const change = step(before);
    const receipt = { ...before, ...change };
    return (exact(change) === "{}" ? isKept(receipt) : keepReceipt(receipt)) ? receipt : null;
  });
}

const FORM = { id: /^[\w-]{1,64}$/, digest: /^[0-9a-f]{64}$/ };

/** Whether a table can have these. */
const areChairs = (kinds: readonly Kind[], ours: number | null): boolean =>
  kinds.length >= 2 &&
  kinds.length <= 4 &&
  kinds.every((kind) => ["open", "person", "bot"].includes(kind)) &&
  (ours === null || kinds[ours] !== undefined);

/** A new salt, for a table whose commitment is seen now, before anybody can know the salt. */
export function newReceipt({ id, commitment, chairs, you }: TableInfo, wanted?: readonly Kind[]): Receipt {
  const kinds = [...(wanted ?? chairs.map(({ kind }) => kind))];
  if (!FORM.id.test(id) || !FORM.digest.test(commitment) || !areChairs(kinds, you.chair)) throw new Error("this is no table");
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const salt = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const nothing = { chair: null, sealed: false, seals: null, locked: false, given: false, revealed: false, differed: false };
  const opened = wanted !== undefined || you.host;
  return { game: id, commitment, salt, ...nothing, kinds, opened, undealt: [], seen: { events: 0, hash: "" } };
}

/** Writes down what a table says of its chairs, and of the seals at the lock. */
export async function note({ table }: State): Promise<void> {
  const salt = receiptOf(table.id)?.salt;
  if (salt === undefined || table.status === "closed" || table.status === "imported") return;
  const seal = await sha256(salt);
  await moveOn(table.id, (receipt) => (isCurrent(receipt) ? noted(receipt, table, seal) : {}));
}

function noted(receipt: Receipt, table: TableInfo, seal: string): Partial<Receipt> {
  const { chair } = table.you;
  const kinds = table.chairs.map(({ kind }) => kind);
  const sealed = chair !== null && table.seals[chair] === seal;
  if (!areChairs(kinds, chair) || kinds.length !== receipt.kinds.length) return { differed: true };
  if (table.status === "open") // which may also come late
    return receipt.locked ? {} : { chair, sealed, kinds: receipt.opened ? withOurBots(receipt.kinds, kinds) : kinds };
  if (receipt.locked) return isUnchanged(receipt, table, kinds) ? {} : { differed: true };
  const good = table.status === "revealing" && sealed && isInOrder(receipt, table, kinds);
  const seals = good ? [...table.seals] : null;
  // A chair that we still have, but without the seal that it had, is no change of ours: the record will show it.
  const exchanged = receipt.sealed && !sealed && chair !== null;
  return { locked: true, seals, kinds, ...(exchanged ? {} : { chair, sealed }) };
}

const withOurBots = (ours: readonly Kind[], kinds: readonly Kind[]): Kind[] =>
  kinds.map((kind, chair) => (ours[chair] === "bot" ? "bot" : kind));

/** Whether everybody is bound by the lock: then nothing that the table can still do depends on our salt. */
function isInOrder(receipt: Receipt, table: TableInfo, kinds: readonly Kind[]): boolean {
  const given = table.seals.filter((seal) => seal !== null);
  return (
    table.commitment === receipt.commitment &&
    table.seals.length === kinds.length &&
    (!receipt.opened || exact(kinds) === exact(withOurBots(receipt.kinds, kinds))) &&
    kinds.every((kind, chair) => kind === "person" || (kind === "bot" && table.seals[chair] === null)) &&
    given.every((seal) => FORM.digest.test(seal)) &&
    new Set(given).size === given.length
  );
}

const isUnchanged = (receipt: Receipt, { you, seals }: TableInfo, kinds: readonly Kind[]): boolean =>
  you.chair === receipt.chair &&
  exact(kinds) === exact(receipt.kinds) &&
  (receipt.seals === null || exact(seals) === exact(receipt.seals));

/** We give a chair of our table to somebody else. */
export async function freeChair(table: string, chair: number): Promise<void> {
  await moveOn(table, ({ kinds = [] }) => ({ kinds: kinds.map((kind, at) => (at === chair ? "open" : kind)) }));
}

/** Tables that had a salt of ours when this one was dealt, and of which no game was seen. Each counts for one game. */
export function undealtBefore(table: string): string[] {
  const kept = Object.values(all()).filter(({ game }) => game !== table);
  for (const one of kept.filter(({ undealt }) => undealt?.includes(table))) // this is one that came late
    keepReceipt({ ...one, undealt: one.undealt.filter((id) => id !== table) });
  const counted = new Set(kept.flatMap(({ undealt }) => undealt ?? []));
  return kept.filter(({ game, given, seen }) => given && seen.events === 0 && !counted.has(game)).map(({ game }) => game);
}
