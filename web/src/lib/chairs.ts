// Chairs: what those who sit on them are called.

import type { ChairInfo, TableInfo } from "../wire";
import { botName } from "./opening";

const bare = (chair: ChairInfo | undefined): string =>
  !chair || chair.kind === "open" ? "" : chair.name || (chair.kind === "bot" ? botName(chair.player) : "");

/**
 * Of several with one name each has a number. People keep theirs, in the order of the chairs; bots, whom nobody knows
 * before the game, are numbered as they sit in it. Empty for somebody without a name.
 */
export function calledOn({ chairs, seating }: Pick<TableInfo, "chairs" | "seating">, number: number): string {
  const name = bare(chairs[number]);
  const place = (at: number): number =>
    chairs[at]?.kind === "bot" ? chairs.length + (seating.includes(at) ? seating.indexOf(at) : at) : at;
  const same = chairs.flatMap((one, at) => (bare(one) === name ? [at] : [])).sort((a, b) => place(a) - place(b));
  return name && same.length > 1 ? `${name} ${same.indexOf(number) + 1}` : name;
}
