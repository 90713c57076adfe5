// Salts: what we added to the secret of each table, and the commitment that we saw then. Only we can compare them later.

import type { State } from "../wire";

export interface Remembered {
  salt: string;
  commitment: string;
}

const KEY = "fogline.salts";
const MOST = 60; // tables

function all(): Record<string, Remembered> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Remembered>;
  } catch {
    return {}; // storage may be forbidden, or hold something of another time
  }
}

/** Remembers a salt that a table has taken; gives back its state. */
export function rememberSalt(state: State, salt: string): State {
  const { id, commitment } = state.table;
  const known = all();
  const before = known[id];
  // Who comes too late to change theirs has still given the one before.
  const late = before !== undefined && state.table.salts[state.table.you.chair ?? -1] === before.salt;
  const given = { salt: late ? before.salt : salt, commitment: before?.commitment ?? commitment }; // as first seen
  const kept = Object.entries(known).filter(([table]) => table !== id).slice(1 - MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [id]: given }));
  } catch {
    // then there is nothing to compare
  }
  return state;
}

export const rememberedSalt = (table: string): Remembered | null => all()[table] ?? null;
