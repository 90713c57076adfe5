// Why something was refused, in the person's language.

import { ApiError } from "./api";
import { cardCount, cardName, placeName, routeName, seatName, type Teller } from "./story";
import { t, tMaybe, type Values } from "./words.svelte";

export interface Refusal {
  readonly reason: string | null;
  readonly rule: string | null;
  readonly key?: string | null;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A refusal by the rules: places and cards by their names. */
export function refusalText(refusal: Refusal, teller: Teller): string {
  const values: Values = {};
  for (const [name, value] of Object.entries(refusal.values ?? {})) values[name] = named(name, value, teller);
  const { card, count } = refusal.values ?? {};
  if (card !== undefined && count !== undefined) values["cards"] = cardCount(String(card), Number(count));
  return tMaybe(`refusal.${refusal.key}`, values) || refusal.reason || t("error.failed");
}

function named(name: string, value: string | number, teller: Teller): string | number {
  if (name === "route") return routeName(teller.plan, String(value));
  if (name === "location") return placeName(teller.plan, String(value));
  if (name === "card" || name === "colour") return cardName(String(value));
  if (name === "seat") return seatName(teller, Number(value));
  return value;
}

/** Anything else that went wrong with a request. */
export function errorText(error: unknown): string {
  const code = error instanceof ApiError ? error.code : "failed";
  return tMaybe(`error.${code}`) || t("error.failed");
}
