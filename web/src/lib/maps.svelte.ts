// The names of the maps, asked for once.

import type { MapInfo } from "../wire";
import { api } from "./api";

let maps = $state.raw<readonly MapInfo[]>([]);
let asked = false;

export function mapName(id: string): string {
  if (!asked) {
    asked = true;
    void api.maps().then(
      (found) => (maps = found),
      () => (asked = false),
    );
  }
  return maps.find((map) => map.id === id)?.name ?? "…";
}
