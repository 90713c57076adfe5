// An attempt: something asked of the server, whose refusal is said in words.

import { notices } from "./notices.svelte";
import { errorText } from "./refusals";

/** What the deed gives; null, after a word to the person, where it was refused. */
export async function attempt<T>(deed: () => Promise<T>): Promise<T | null> {
  try {
    return await deed();
  } catch (error) {
    notices.say(errorText(error), null, "refusal");
    return null;
  }
}
