// Presence: who is at the table, in words. Of oneself, of bots and of empty chairs nothing is said.

import { createSubscriber } from "svelte/reactivity";

import type { ChairPresence, Presence, TableInfo } from "../wire";
import { serverNow } from "./servertime";
import { t, words } from "./words.svelte";

const SHORT = 60; // seconds without a connection after which somebody is gone, and not just away
const TICK = 5000;
const DAY = 24 * 3600;

export type Standing = "here" | "away" | "gone" | "unseen";

const tick = createSubscriber((update) => {
  const timer = setInterval(update, TICK);
  return () => clearInterval(timer);
});

/** The server's time in seconds; who reads it is asked again every few seconds. */
export function seconds(): number {
  tick();
  return serverNow() / 1000;
}

/** How somebody else is there; null where that is not known, or nobody's to say. */
export function standing(presence: Presence | null, table: TableInfo, chair: number): Standing | null {
  const found = presence?.chairs[chair];
  if (!found || chair === table.you.chair) return null;
  if (found.how === "here") return "here";
  if (found.since === null) return "unseen";
  return found.how === "hidden" || seconds() - found.since < SHORT ? "away" : "gone";
}

export function standingText(presence: Presence | null, chair: number, how: Standing): string {
  const since = presence?.chairs[chair]?.since ?? 0;
  return how === "gone" ? t("presence.gone", { time: timeText(since) }) : t(`presence.${how}`);
}

function timeText(since: number): string {
  const day: Intl.DateTimeFormatOptions = seconds() - since > DAY / 2 ? { day: "numeric", month: "short" } : {};
  const format = new Intl.DateTimeFormat(words.language, { ...day, hour: "2-digit", minute: "2-digit" });
  return format.format(1000 * since);
}

/** Those who sit at the table and do not look at it, by their chairs. */
export const missing = (presence: Presence | null, table: TableInfo): number[] =>
  table.chairs.flatMap((_, chair) => {
    const how = standing(presence, table, chair);
    return how === null || how === "here" ? [] : [chair];
  });

/** The chair for which somebody who waits may let a bot play, as the server will see it. */
export function absentee(presence: Presence | null, table: TableInfo, deciding: readonly number[]): number | null {
  if (!presence || table.clock !== "none" || table.you.seat === null || table.waiting == null) return null;
  const waited = (seen: ChairPresence): number => seconds() - Math.max(seen.since ?? presence.known, table.waiting ?? 0);
  const chairs = deciding.flatMap((seat) => table.seating[seat] ?? []);
  const long = (chair: number): boolean => {
    const seen = presence.chairs[chair];
    return !!seen && seen.how !== "here" && !table.chairs[chair]?.away && waited(seen) >= presence.patience;
  };
  return chairs.find((chair) => chair !== table.you.chair && long(chair)) ?? null;
}
