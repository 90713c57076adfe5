// Opening a table: from what a person has chosen to what the server is asked for.

import type { MapInfo, PlayerInfo, TableInfo, TableWanted } from "../wire";
import { tMaybe } from "./words.svelte";

export interface Wish {
  players: number; // the person included
  player: string; // the bots' kind
  map: string;
  clock: NonNullable<TableWanted["clock"]>;
}

export const PLAYER_COUNTS = [2, 3, 4] as const;
export const CLOCKS = ["none", "30s", "60s", "1d", "3d"] as const satisfies readonly TableInfo["clock"][];
export const FIRST_WISH: Wish = { players: 2, player: "dreamer", map: "san_francisco", clock: "none" };

/** A table for this wish. Against bots the game begins at once; with friends the host says when. */
export function wantedTable(wish: Wish, company: "bots" | "friends", name: string): TableWanted {
  const other = company === "bots" ? { kind: "bot" as const, player: wish.player } : { kind: "open" as const };
  return {
    chairs: [{ kind: "me" }, ...Array.from({ length: wish.players - 1 }, () => ({ ...other }))],
    name,
    map: wish.map,
    clock: wish.clock,
    autostart: company === "bots",
  };
}

/** The same wish, with what this server has in place of what it has not. */
export function possible(wish: Wish, players: readonly PlayerInfo[], maps: readonly MapInfo[]): Wish {
  const player = players.find(({ name }) => name === wish.player) ?? players.at(-1);
  const map = maps.find(({ id }) => id === wish.map) ?? maps[0];
  return { ...wish, player: player?.name ?? wish.player, map: map?.id ?? wish.map };
}

/** What a bot is called. */
export const botName = (player: string): string => tMaybe(`player.${player}`) || player;
