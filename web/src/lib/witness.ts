// Witness: follows a table, and writes down what is shown of its game, event by event.

import type { GameEvent, State } from "../wire";
import { exact } from "./exact";
import { sha256 } from "./fairness";
import { Mirror } from "./mirror";
import { isCurrent, moveOn, note, type Receipt, type Seen, undealtBefore } from "./receipts";

/** The running hash after some more events. */
export async function hashOn(hash: string, events: readonly object[]): Promise<string> {
  return (await hashesOn(hash, events)).at(-1) ?? hash;
}

async function hashesOn(hash: string, events: readonly object[]): Promise<string[]> {
  const found: string[] = [];
  for (const event of events) found.push(await sha256((found.at(-1) ?? hash) + exact(event)));
  return found;
}

const SHORT = 16; // characters of each hash but the last: enough to know it again

export class Witness {
  private queue = Promise.resolve();
  private hashes: string[] = []; // after each event, as it was told last
  private readonly mirror = new Mirror();

  hear(state: State): void {
    this.queue = this.queue.then(() => this.take(state)).catch(() => undefined); // without a secure connection
  }

  /** When all that was heard is written down. */
  settled(): Promise<void> {
    return this.queue;
  }

  private async take(state: State): Promise<void> {
    await note(state);
    await this.add(state.after === 0 ? [] : this.hashes, state.events);
    const drawn = this.mirror.agrees(state);
    await moveOn(state.table.id, (receipt) => this.seen(receipt, state, drawn));
  }

  private async add(before: string[], events: readonly GameEvent[]): Promise<void> {
    this.hashes = [...before, ...(await hashesOn(before.at(-1) ?? "", events))];
  }

  /** Whatever else the table says, each event is the next one: what was shown here before must be shown again. */
  private seen(receipt: Receipt, { table }: State, drawn: boolean): Partial<Receipt> {
    if (!isCurrent(receipt) && receipt.chair !== table.you.chair) return {}; // as when that receipt was begun
    if (!drawn || !agrees(receipt.seen, this.hashes)) return { differed: true };
    const events = this.hashes.length;
    if (events <= receipt.seen.events) return {};
    const trail = table.status === "over" ? {} : { trail: this.hashes.map((hash) => hash.slice(0, SHORT)).join("") };
    const seen = { events, hash: this.hashes.at(-1) ?? "", ...trail };
    return receipt.seen.events === 0 && isCurrent(receipt) ? { seen, undealt: undealtBefore(receipt.game) } : { seen };
  }
}

/** Also where less is told than what was seen. */
function agrees({ events, hash, trail = "" }: Seen, hashes: readonly string[]): boolean {
  const known = hashes.slice(0, trail.length / SHORT).map((one) => one.slice(0, SHORT));
  const last = events > 0 ? hashes[events - 1] : undefined;
  return trail.startsWith(known.join("")) && (last === undefined || last === hash);
}
