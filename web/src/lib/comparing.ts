// Comparing: a record, held against the receipt of somebody who played.

import { exact } from "./exact";
import { Fairness, FairnessError, type Revealed, sha256, type Source } from "./fairness";
import type { Receipt } from "./receipts";
import { hashOn } from "./witness";

/** A receipt as it was read. One that an older page has begun says nothing of what makes the others stronger. */
export interface ReadReceipt extends Pick<Receipt, "game" | "commitment" | "salt" | "chair" | "sealed" | "seals"> {
  revealed: boolean;
  differed: boolean;
  seen: Receipt["seen"];
  kinds: string[];
  given: boolean;
  undealt: string[];
  older: boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isAnswer = (value: unknown): boolean => typeof value === "boolean";

/** Reads a receipt of a table with so many chairs; only its form is checked. */
export function readReceipt(value: unknown, players: number): ReadReceipt {
  const kept = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const seen = (typeof kept["seen"] === "object" && kept["seen"] !== null ? kept["seen"] : {}) as Record<string, unknown>;
  const { chair, sealed, revealed, seals } = kept;
  const older = !("kinds" in kept || "given" in kept || "undealt" in kept);
  const isRow = (row: unknown, fits: (one: unknown) => boolean): boolean =>
    Array.isArray(row) && row.length === players && row.every(fits);
  const nothing = older ? Array.isArray(seals) && seals.length === 0 : seals === null;
  const good =
    [kept["game"], kept["commitment"], kept["salt"], seen["hash"]].every(isText) &&
    /^[0-9a-f]{1,64}$/.test(kept["salt"] as string) &&
    [sealed, revealed, kept["differed"]].every(isAnswer) &&
    (nothing || isRow(seals, (seal) => seal === null || isText(seal))) &&
    Number.isInteger(seen["events"]) &&
    (seen["events"] as number) >= 0 &&
    (chair === null ? !sealed : Number.isInteger(chair) && (chair as number) >= 0 && (chair as number) < players) &&
    (!revealed || sealed === true) &&
    (older ||
      (isRow(kept["kinds"], (kind) => ["open", "person", "bot"].includes(kind as string)) &&
        isAnswer(kept["given"]) &&
        (!kept["given"] || (sealed === true && !nothing)) &&
        (!revealed || kept["given"] === true) &&
        Array.isArray(kept["undealt"]) &&
        kept["undealt"].every(isText)));
  if (!good) throw new FairnessError("receipt");
  const missing = older ? { kinds: [], given: !nothing, undealt: [] } : {};
  return { ...(kept as unknown as Receipt), ...missing, seals: nothing ? null : (seals as string[]), older };
}

const HIDDEN: Partial<Record<string, string>> = { deal: "cards", draw: "card", offer: "tickets", keep: "tickets" };

/** An event as a seat is shown it: of what others have in their hands no more than how much it is, or a seal of it. */
export async function asSeen(
  event: Record<string, unknown>,
  seat: number | null,
  number: number,
  source: Pick<Fairness, "sealEvent">,
): Promise<object> {
  const kind = String(event["e"]);
  const hidden = HIDDEN[kind];
  if (hidden === undefined || event["seat"] === seat || event["from"] === "display") return event;
  const { [hidden]: value, ...shown } = event;
  if (hidden === "card") return shown;
  const counted = { ...shown, count: Array.isArray(value) ? value.length : 0 };
  return kind === "keep" ? { ...counted, seal: await source.sealEvent(number, exact(event)) } : counted;
}

/** How the record differs from what was kept, if it does. */
export async function compareWith(
  receipt: ReadReceipt,
  told: Revealed,
  events: readonly unknown[],
  source: Source,
): Promise<FairnessError | null> {
  const { chair, seals, seen } = receipt;
  if (!(source instanceof Fairness)) return new FairnessError("otherScheme");
  const other =
    differs("otherGame", receipt.game, told.game) ??
    differs("otherCommitment", receipt.commitment, told.commitment) ??
    (seals ? differs("otherSeals", seals, told.seals) : null) ??
    findBotSeal(receipt, told) ??
    (await compareSalt(receipt, told)) ??
    (receipt.differed ? new FairnessError("differed") : null);
  if (other) return other;
  const seat = chair === null ? null : told.seating.indexOf(chair);
  const first = events.slice(0, seen.events) as Record<string, unknown>[];
  const shown = await Promise.all(first.map((event, number) => asSeen(event, seat, number, source)));
  const same = seen.events <= events.length && (await hashOn("", shown)) === seen.hash;
  return same ? null : new FairnessError("otherEvents");
}

/** Nobody can have sat down where the receipt saw a bot. */
function findBotSeal({ kinds }: ReadReceipt, { seals }: Revealed): FairnessError | null {
  const chair = kinds.findIndex((kind, at) => kind === "bot" && seals?.[at] !== null);
  return chair < 0 ? null : new FairnessError("botSeal", { number: String(chair + 1) });
}

async function compareSalt({ chair, salt, sealed, revealed }: ReadReceipt, told: Revealed): Promise<FairnessError | null> {
  if (!sealed || chair === null) return null;
  const found = told.salts[chair] ?? null;
  return (
    differs("otherSeal", await sha256(salt), told.seals?.[chair]) ??
    (found === null && !revealed ? null : differs("otherSalt", salt, found))
  );
}

type Different = "otherGame" | "otherCommitment" | "otherSeals" | "otherSeal" | "otherSalt";

const differs = (key: Different, expected: unknown, found: unknown): FairnessError | null =>
  exact(expected) === exact(found) ? null : new FairnessError(key, { expected: exact(expected), found: exact(found) });

export type Doubt = "older" | "undealt" | "unsalted" | "unseen";

/** What leaves open whether the table chose the cards, though the record is of the game that was seen. */
export function doubtsOf({ given, chair, seen, undealt, older }: ReadReceipt, told: Revealed, events: number): Doubt[] {
  const salted = given && chair !== null && typeof told.salts[chair] === "string";
  const open: Record<Doubt, boolean> = {
    unsalted: !salted,
    unseen: seen.events < events,
    undealt: undealt.length > 0,
    older,
  };
  return (Object.keys(open) as Doubt[]).filter((doubt) => open[doubt]);
}
