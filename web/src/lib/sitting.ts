// Sitting down: a table shows its commitment, we give our seal, and when all have done so, we reveal our salt.

import type { State, TableInfo, TableWanted } from "../wire";
import { api } from "./api";
import { sha256 } from "./fairness";
import { exact } from "./fairtable";
import { changeReceipt, keepReceipt, newReceipt, noteChair, type Receipt, receiptOf } from "./receipts";
import { isPossible } from "./verify";

/** Opens a table. One without open chairs is dealt at once, but not before our salt is part of it. */
export async function openTable(wanted: TableWanted): Promise<State> {
  const full = wanted.chairs.every(({ kind }) => kind !== "open");
  const { table } = await api.openTable({ ...wanted, autostart: Boolean(wanted.autostart) && !full });
  const state = await changeMe(table, wanted.name ?? "");
  return full && wanted.autostart ? start(table.id) : state;
}

/** The host has the cards dealt: our own salt with them, and those of the others as they come. */
export const start = async (table: string): Promise<State> => reveal(await api.start(table));

/** Takes a chair at the table of an invitation. */
export async function join(invite: string, name: string): Promise<State> {
  const seal = await prepareSeal(await api.invitation(invite));
  return reveal(await api.join(invite, name, seal));
}

/** Gives our name, and our seal with it: the one that we gave before, if the table still has it. */
export async function changeMe(table: TableInfo, name: string): Promise<State> {
  const state = await api.changeMe(table.id, name, await prepareSeal(table));
  await noteChair(state);
  return state;
}

/** Reveals our salt, if it is time for it: only where the table keeps to what it has shown before. */
export async function reveal(state: State): Promise<State> {
  await noteChair(state);
  const { table } = state;
  const receipt = receiptOf(table.id);
  if (table.status !== "revealing" || !receipt || receipt.revealed || !isFaithful(table, receipt)) return state;
  changeReceipt(table.id, { seals: [...table.seals] });
  const after = await api.reveal(table.id, receipt.salt);
  changeReceipt(table.id, { revealed: true });
  return after;
}

/** If it is not, we keep our salt, and the record will show that it is not part of the game. */
function isFaithful(table: TableInfo, { commitment, chair, sealed, seals }: Receipt): boolean {
  const same = table.commitment === commitment && table.you.chair === chair && sealed;
  const unchanged = seals.length === 0 || exact(seals) === exact(table.seals);
  const bots = table.chairs.every(({ kind }, at) => kind === "person" || table.seals[at] === null);
  return same && unchanged && bots;
}

/** None where the browser cannot calculate: then we bring no salt, as `/verify` says. */
async function prepareSeal(table: TableInfo): Promise<string> {
  if (!isPossible() || table.scheme < 2) return "";
  const receipt = receiptOf(table.id) ?? newReceipt(table);
  keepReceipt(receipt); // first: the answer may get lost
  return sha256(receipt.salt);
}
