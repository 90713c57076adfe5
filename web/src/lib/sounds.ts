// Sounds: a cable car's bell when it is one's turn, a foghorn for the last round, a knock for each of the last seconds.
// How they are made is loaded with the first of them.

import { settings } from "./settings.svelte";

export type Sound = "bell" | "foghorn" | "tick";

const SECONDS: Readonly<Record<Sound, number>> = { bell: 1.5, foghorn: 1.5, tick: 0 };

/** Until when each sounds; nothing sounds twice at once, and the bell waits for the horn. */
const until: Record<Sound, number> = { bell: 0, foghorn: 0, tick: 0 };
let context: AudioContext | null = null;

/** A browser lets nothing sound before the person has touched the page. */
function wake(): void {
  if (settings.muted) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => undefined); // then it stays silent
}

addEventListener("pointerdown", wake);
addEventListener("keydown", wake);

async function sound(names: readonly Sound[]): Promise<void> {
  if (settings.muted || !names.length || !(navigator.userActivation?.hasBeenActive ?? context)) return;
  wake();
  const bells = await import("./bells");
  if (!context || settings.muted) return; // nobody wants to hear it any more
  for (const name of names) {
    const now = context.currentTime;
    if (until[name] > now) continue;
    const at = name === "bell" ? Math.max(now, until.foghorn) : now;
    bells[name](context, at);
    until[name] = at + SECONDS[name];
  }
}

export const sounds = {
  /** What a new state sounds like. */
  tell(lastRound: boolean, yourTurn: boolean): void {
    void sound([...(lastRound ? (["foghorn"] as const) : []), ...(yourTurn ? (["bell"] as const) : [])]);
  },

  tick(): void {
    void sound(["tick"]);
  },
};
