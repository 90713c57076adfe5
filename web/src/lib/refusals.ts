// Why something was refused, in the person's language.

import { ApiError } from "./api";
import { cardCount, cardName, cardsText, placeName, routeName, seatName, type Teller } from "./story";
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
  if (refusal.key === "cannot_pay") Object.assign(values, shortfall(refusal.values ?? {}));
  return tMaybe(`refusal.${refusal.key}`, values) || refusal.reason || t("error.failed");
}

/** What a route takes, and the best that one has for it. */
function shortfall(of: Readonly<Record<string, string | number>>): { price: string; held: string } {
  const [count, ferries, held, heldFerries] = ["spaces", "ferries", "held", "held_ferries"].map((name) => Number(of[name]));
  const card = String(of["card"]);
  return { price: priceText(count ?? 0, String(of["colour"]), ferries ?? 0), held: heldText(card, held ?? 0, heldFerries ?? 0, ferries ?? 0) };
}

function priceText(count: number, colour: string, ferries: number): string {
  if (ferries === count) return cardsText({ ferry: count });
  const price = colour === "grey" ? t("price.grey", { count }) : t("price.colour", { count, colour: cardName(colour) });
  return ferries ? t("price.ferries", { price, count: ferries }) : price;
}

function heldText(card: string, held: number, ferries: number, wanted: number): string {
  if (!held && !ferries) return t("held.none");
  const cards = cardsText({ ...(held ? { [card]: held } : {}), ...(ferries ? { ferry: ferries } : {}) });
  return wanted && !ferries ? t("held.noFerry", { cards }) : cards;
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
