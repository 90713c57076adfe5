// My tables: the games of a person, those first that wait for them.

import type { State, TableInfo } from "../wire";
import { api } from "./api";

const KEY = "fogline.seated";
const LOOKED_AT = 8; // tables that are asked whose turn it is
const FINISHED = 3; // finished games that are still shown

export interface MyTable {
  table: TableInfo;
  yours: boolean; // it waits for you
}

/** Remembers that this browser has sat at a table, so that one that never did need not ask for its games. */
export function rememberSeated(): void {
  try {
    localStorage.setItem(KEY, "1");
  } catch {
    // then it is asked every time
  }
}

export function everSeated(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

export const awaitsYou = ({ table, view }: Pick<State, "table" | "view">): boolean =>
  (view?.legal.length ?? 0) > 0 && !table.chairs[table.you.chair ?? -1]?.away;

/** Whether the game goes on, or its cards are just being dealt. */
export const begun = (status: TableInfo["status"]): status is "playing" | "revealing" =>
  status === "playing" || status === "revealing";

/** In the order in which one would want to go on: your turn, others' turns, tables not begun, finished games. */
export function inOrder(tables: readonly MyTable[]): MyTable[] {
  const rank = ({ table, yours }: MyTable): number =>
    yours ? 0 : begun(table.status) ? 1 : table.status === "open" ? 2 : 3;
  const going = tables.filter((one) => rank(one) < 3).sort((a, b) => rank(a) - rank(b));
  const over = tables.filter(({ table }) => table.status === "over" || table.status === "imported");
  return [...going, ...over.slice(0, FINISHED)];
}

/** None for somebody whom the server does not know. */
export async function myTables(): Promise<MyTable[]> {
  if (!everSeated()) return [];
  const tables = await api.myTables().catch(() => []);
  const playing = tables.filter(({ status }) => status === "playing").slice(0, LOOKED_AT);
  const states = await Promise.all(playing.map(({ id }) => api.lookAt(id).catch(() => null)));
  const waiting = new Set(states.flatMap((state) => (state && awaitsYou(state) ? [state.table.id] : [])));
  return inOrder(tables.map((table) => ({ table, yours: waiting.has(table.id) })));
}
