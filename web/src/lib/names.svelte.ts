// Names: what somebody is called who gives none, and what somebody at a table is called.

import type { TableInfo } from "../wire";
import { calledOn } from "./chairs";
import { settings } from "./settings.svelte";
import { t, tMaybe } from "./words.svelte";

export const NAME_LENGTH = 24;
const NICKNAMES = 8;
const KEY = "fogline.nickname";
const mine = kept();

/** The same one at every visit: whoever sat down with it is still called that. */
function kept(): number {
  const drawn = 1 + Math.floor(Math.random() * NICKNAMES);
  try {
    const found = Number(localStorage.getItem(KEY));
    if (Number.isInteger(found) && found >= 1 && found <= NICKNAMES) return found;
    localStorage.setItem(KEY, String(drawn));
  } catch {
    // storage may be forbidden: then it is the same for as long as the page is open
  }
  return drawn;
}

/** A name for those who give none; it is shown in the empty field, so that it surprises nobody. */
export const nickname = (): string => tMaybe(`nickname.${mine}`);

export const ownName = (): string => settings.name.trim() || nickname();

/** Who has a chair, before seats are drawn. */
export function chairName(table: Pick<TableInfo, "chairs" | "seating">, number: number): string {
  if (table.chairs[number]?.kind === "open") return t("chair.open");
  return calledOn(table, number) || t("seat.number", { number: number + 1 });
}
