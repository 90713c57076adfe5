// Chairs: what those who sit on them are called.

import type { ChairInfo } from "../wire";
import { botName } from "./opening";

const bare = (chair: ChairInfo | undefined): string =>
  !chair || chair.kind === "open" ? "" : chair.name || (chair.kind === "bot" ? botName(chair.player) : "");

/** Of several with one name each has a number, in the order of the chairs. Empty for somebody without a name. */
export function calledOn(chairs: readonly ChairInfo[], number: number): string {
  const name = bare(chairs[number]);
  const same = chairs.flatMap((one, at) => (bare(one) === name ? [at] : []));
  return name && same.length > 1 ? `${name} ${same.indexOf(number) + 1}` : name;
}
