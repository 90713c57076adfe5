// Verify: everything that chance brought in a record, compared with what the secret gives.

import { compareWith, type Doubt, doubtsOf, readReceipt, type ReadReceipt } from "./comparing";
import { DIGESTS } from "./digests";
import { FairnessError, type FailureKey, type Pieces, readRevealed, type Revealed, seedText, sha256, sourceOf } from "./fairness";
import { type Draws, FairTable } from "./fairtable";

export const STEPS = ["commitment", "seating", "deal", "draws", "receipt"] as const;
export type Step = (typeof STEPS)[number];
export type Status = "good" | "bad" | "open"; // open: something before it went wrong

/** What was worked out, and how far the record agrees. */
export interface Report {
  players: number;
  told: Revealed;
  commitment: string;
  message: string; // what the seating is worked out from
  seating: number[];
  seed: string;
  tickets: string[]; // in the order in which they were shuffled
  draws: Draws[];
  cardsSeen: number;
  ticketsSeen: number;
  receipt: ReadReceipt | null; // what this browser kept of the game, and the record was compared with
  failure: FairnessError | null;
  doubts: Doubt[]; // what the receipt leaves open
}

/** The id of the map that a record was played on. */
export function mapOf(record: unknown): string {
  const map = isObject(record) ? record["map"] : null;
  if (typeof map !== "string" || !/^[a-z0-9_]{1,40}$/.test(map)) throw new FairnessError("notRecord");
  return map;
}

/** Throws a FairnessError where there is nothing to check; what is checked and wrong is in the report. */
export async function verify(record: unknown, pieces: Pieces, kept: unknown = null): Promise<Report> {
  const map = mapOf(record);
  const { players, events, fairness: entry, seed: toldSeed } = record as Record<string, unknown>;
  if (entry === undefined) throw new FairnessError("noFairness");
  if (typeof players !== "number" || ![2, 3, 4].includes(players) || !Array.isArray(events))
    throw new FairnessError("notRecord");
  if (map !== pieces.map) throw new FairnessError("otherMap", { expected: pieces.map, found: map });
  const receipt = kept === null ? null : readReceipt(kept, players);
  const told = readRevealed(entry, players);
  const source = sourceOf(told);
  const table = new FairTable(events, players, pieces, source);
  const report = {
    players,
    told,
    commitment: await source.commitment(),
    message: source.message,
    seating: await source.seating(),
    seed: seedText(await source.seed()),
    receipt,
    doubts: receipt ? doubtsOf(receipt, told, events.length) : [],
  };
  const failure =
    (await checkSalts(told)) ??
    (await checkMap(told, pieces)) ??
    compare("commitment", report.commitment, told.commitment) ??
    compare("seating", report.seating.join(" "), told.seating.join(" ")) ??
    compare("seed", report.seed, toldSeed) ??
    (await follow(table)) ??
    (receipt && (await compareWith(receipt, told, events, source)));
  const { draws, ticketOrder: tickets, cardsSeen, ticketsSeen } = table;
  return { ...report, tickets, draws, cardsSeen, ticketsSeen, failure };
}

function compare(key: "commitment" | "seating" | "seed", expected: string, found: unknown): FairnessError | null {
  return expected === found ? null : new FairnessError(key, { expected, found: String(found) });
}

/** Each salt must be the one that was sealed, and each seal somebody's own. */
async function checkSalts({ seals = [], salts }: Revealed): Promise<FairnessError | null> {
  for (const [chair, seal] of seals.entries()) {
    const salt = salts[chair] ?? null;
    if (salt !== null && (await sha256(salt)) !== seal) return new FairnessError("salt", { found: salt });
  }
  const found = seals.filter((seal) => seal !== null);
  return new Set(found).size === found.length ? null : new FairnessError("sameSeal");
}

/** The map must be the one that the secret was for; and the server, which shows it to us, has not changed a built-in one. */
async function checkMap({ map }: Revealed, pieces: Pieces): Promise<FairnessError | null> {
  const digest = await pieces.digest;
  const known = (Object.hasOwn(DIGESTS, pieces.map) && DIGESTS[pieces.map]) || digest;
  return (map === undefined || map === digest) && known === digest ? null : new FairnessError("otherEdition");
}

async function follow(table: FairTable): Promise<FairnessError | null> {
  try {
    await table.follow();
    return null;
  } catch (error) {
    if (error instanceof FairnessError) return error;
    throw new FairnessError("notRecord"); // nested too deep, for example
  }
}

const FAILED: Partial<Record<FailureKey, Step>> = {
  commitment: "commitment",
  salt: "commitment",
  sameSeal: "commitment",
  otherEdition: "commitment",
  seating: "seating",
  seed: "deal",
  otherScheme: "receipt",
  otherGame: "receipt",
  otherCommitment: "receipt",
  otherSeals: "receipt",
  otherSeal: "receipt",
  otherSalt: "receipt",
  otherEvents: "receipt",
  botSeal: "receipt",
  differed: "receipt",
};

/** How each part of the check ended. */
export function statusOf(report: Report, step: Step): Status {
  const { failure } = report;
  if (step === "receipt" && !report.receipt) return "open";
  if (!failure) return step === "receipt" && report.doubts.length ? "open" : "good";
  const inDeal = (report.draws.at(-1)?.step ?? 0) === 0;
  const failed = FAILED[failure.key] ?? (inDeal ? "deal" : "draws");
  const distance = STEPS.indexOf(step) - STEPS.indexOf(failed);
  return distance < 0 ? "good" : distance === 0 ? "bad" : "open";
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
