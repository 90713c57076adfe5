// Verify: everything that chance brought in a record, compared with what the secret gives.

import { Fairness, FairnessError, type Pieces, readRevealed, type Revealed, seedText } from "./fairness";
import { type Draws, FairTable } from "./fairtable";

export const STEPS = ["commitment", "seating", "deal", "draws"] as const;
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
  failure: FairnessError | null;
}

export const isPossible = (): boolean => typeof crypto !== "undefined" && crypto.subtle !== undefined;

/** The id of the map that a record was played on. */
export function mapOf(record: unknown): string {
  const map = isObject(record) ? record["map"] : null;
  if (typeof map !== "string" || !/^[a-z0-9_]{1,40}$/.test(map)) throw new FairnessError("notRecord");
  return map;
}

/** Throws a FairnessError where there is nothing to check; what is checked and wrong is in the report. */
export async function verify(record: unknown, pieces: Pieces): Promise<Report> {
  const map = mapOf(record);
  const { players, events, fairness: entry, seed: toldSeed } = record as Record<string, unknown>;
  if (entry === undefined) throw new FairnessError("noFairness");
  if (typeof players !== "number" || ![2, 3, 4].includes(players) || !Array.isArray(events))
    throw new FairnessError("notRecord");
  if (map !== pieces.map) throw new FairnessError("otherMap", { expected: pieces.map, found: map });
  const told = readRevealed(entry, players);
  const fairness = new Fairness(told.secret, told.game, told.salts);
  const table = new FairTable(events, players, pieces, fairness);
  const report = {
    players,
    told,
    commitment: await fairness.commitment(),
    message: fairness.message("seating"),
    seating: await fairness.seating(),
    seed: seedText(await fairness.seed(0)),
  };
  const failure =
    compare("commitment", report.commitment, told.commitment) ??
    compare("seating", report.seating.join(" "), told.seating.join(" ")) ??
    compare("seed", report.seed, String(toldSeed)) ??
    (await follow(table));
  const { draws, ticketOrder: tickets, cardsSeen, ticketsSeen } = table;
  return { ...report, tickets, draws, cardsSeen, ticketsSeen, failure };
}

function compare(key: "commitment" | "seating" | "seed", expected: string, found: string): FairnessError | null {
  return expected === found ? null : new FairnessError(key, { expected, found });
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

/** How each part of the check ended. */
export function statusOf(report: Report, step: Step): Status {
  const { failure } = report;
  if (!failure) return "good";
  const inDeal = (report.draws.at(-1)?.step ?? 0) === 0;
  const failed: Step =
    failure.key === "commitment" || failure.key === "seating"
      ? failure.key
      : failure.key === "seed" || inDeal
        ? "deal"
        : "draws";
  const distance = STEPS.indexOf(step) - STEPS.indexOf(failed);
  return distance < 0 ? "good" : distance === 0 ? "bad" : "open";
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
