// Sitting down: a table shows its commitment, we give our seal, and when all have done so, we reveal our salt.

import type { State, TableInfo, TableWanted } from "../wire";
import { api, ApiError, ofTable } from "./api";
import { isPossible, sha256 } from "./fairness";
import { freeChair, isCurrent, keepReceipt, moveOn, newReceipt, note, type Receipt, receiptOf } from "./receipts";

/** Opens a table. One without open chairs is dealt at once, but not before our salt is part of it. */
export async function openTable(wanted: TableWanted): Promise<State> {
  const full = wanted.chairs.every(({ kind }) => kind !== "open");
  const { table } = await api.openTable({ ...wanted, autostart: Boolean(wanted.autostart) && !full });
  if (receiptOf(table.id)) throw new ApiError("other_table", "this is a table that was there before");
  if (isPossible()) newSeat(table, wanted);
  const state = await changeMe(table, wanted.name ?? "");
  return full && wanted.autostart ? start(table.id) : state;
}

/** The host has the cards dealt: our own salt with them, and those of the others as they come. */
export const start = async (table: string): Promise<State> => reveal(await api.start(table));

/** Takes a chair at the table of an invitation. */
export async function join(invite: string, name: string): Promise<State> {
  const table = await api.invitation(invite);
  const seal = await prepareSeal(table);
  return reveal(await ofTable(table.id, api.join(invite, name, seal)));
}

/** Gives our name, and our seal with it: the one that we gave before, if the table still has it. */
export async function changeMe(table: TableInfo, name: string): Promise<State> {
  const state = await api.changeMe(table.id, name, await prepareSeal(table));
  await note(state);
  return state;
}

/** The host gives a chair to a bot, or opens it. */
export async function fill(table: string, chair: number, player: string): Promise<State> {
  await freeChair(table, chair);
  return api.fill(table, chair, player);
}

/** Reveals our salt, if it is time for it: only where the table keeps to what it has shown before. */
export async function reveal(state: State): Promise<State> {
  await note(state);
  const { table } = state;
  const receipt = await moveOn(table.id, (kept) => (mayGive(kept, table) ? { given: true } : {}));
  if (!receipt || !mayGive(receipt, table) || receipt.revealed) return state; // then the check says that it is not part
  const after = await api.reveal(table.id, receipt.salt);
  await moveOn(table.id, () => ({ revealed: true }));
  return after;
}

/** Only for the seals that were written down: a table that shows others afterwards has differed. */
const mayGive = (receipt: Receipt, { status }: TableInfo): boolean =>
  status === "revealing" && isCurrent(receipt) && receipt.seals !== null && !receipt.differed;

/** None where the browser cannot calculate: then we bring no salt, as `/verify` says. */
async function prepareSeal(table: TableInfo): Promise<string> {
  if (!isPossible()) return "";
  return sha256((receiptOf(table.id) ?? newSeat(table)).salt);
}

/** Kept first: the answer may get lost. */
function newSeat(table: TableInfo, wanted?: TableWanted): Receipt {
  if (table.scheme < 2) throw new ApiError("old_scheme", "this table could choose the cards");
  const receipt = newReceipt(table, wanted?.chairs.map(({ kind }) => (kind === "me" ? "person" : kind)));
  keepReceipt(receipt);
  return receipt;
}
