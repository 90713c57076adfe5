// Lessons: what the coach says at each step of the tutorial, and what it points at.

import type { Choice, Frame, Lesson, Plan, Tutorial } from "../wire";
import { cardName, cardsText, placeName, routeName, ticketName } from "./story";
import type { Values } from "./words.svelte";

/** The choice that a lesson waits for; null where there is only something to be told. */
export function wantedChoice(tutorial: Tutorial, lesson: Lesson): Choice | null {
  if (!lesson.does) return null;
  const action = tutorial.actions[lesson.step];
  return frameOf(tutorial, lesson)?.view.legal.find((choice) => choice.action === action) ?? null;
}

export const frameOf = (tutorial: Tutorial, lesson: Lesson): Frame | undefined => tutorial.replay.frames[lesson.step];

/** What stands in the places of a lesson's text. */
export function lessonValues(plan: Plan, tutorial: Tutorial, lesson: Lesson): Values {
  const choice = wantedChoice(tutorial, lesson);
  const view = frameOf(tutorial, lesson)?.view;
  const values: Values = { friend: tutorial.replay.table.chairs[0]?.name ?? "" };
  const target = choice?.target ?? "";
  const ticket = view?.offer[target === "second" ? 1 : 0] ?? view?.completed[0];
  if (ticket) values["ticket"] = ticketName(plan, ticket);
  if (choice?.kind === "draw") values["card"] = cardName(target);
  if (choice?.kind === "place" || choice?.kind === "token") values["location"] = placeName(plan, target);
  if (choice?.kind === "claim") {
    values["route"] = routeName(plan, target);
    values["cards"] = cardsText(choice.cards ?? {});
    values["count"] = plan.routes.find(({ id }) => id === target)?.points ?? 0;
  }
  return values;
}

const POINTED: Readonly<Record<string, string>> = {
  gotToken: '[data-spot="seat-1"]',
  twin: '[data-route="sunset-twin_peaks:1"]',
  reset: '[data-spot="display"]',
  completed: ".tickets",
  recycle: '[data-spot="deck"]',
  lastRound: '[data-spot="seat-0"]',
};

/** Where on the screen a lesson happens, as a selector. */
export function lessonTarget(tutorial: Tutorial, lesson: Lesson): string {
  const choice = wantedChoice(tutorial, lesson);
  switch (choice?.kind) {
    case "draw":
      return `[data-spot="${choice.target === "deck" ? "deck" : `display-${choice.target}`}"]`;
    case "draw_tickets":
      return '[data-spot="tickets"]';
    case "claim":
      return `[data-route="${choice.target}"]`;
    case "place":
    case "token":
      return `[data-location="${choice.target}"]`;
    case "keep":
      return ".offer";
    default:
      return POINTED[lesson.name] ?? "";
  }
}

export type Tab = "cards" | "tickets" | "players";

/** Where a small screen has what is pointed at: in one of its tabs. The board is always seen, and its routes are paid
 * for with cards. */
export function lessonTab(target: string): Tab {
  if (target.includes("seat-")) return "players";
  return target === ".offer" || target === ".tickets" ? "tickets" : "cards";
}

/** The locations on the board that a lesson is about. */
export function lessonPlaces(plan: Plan, tutorial: Tutorial, lesson: Lesson): string[] {
  const [, kind, id = ""] = /^\[data-(route|location)="(.+)"\]$/.exec(lessonTarget(tutorial, lesson)) ?? [];
  if (kind === "location") return [id];
  const route = plan.routes.find((one) => one.id === id);
  return route ? [route.first, route.second] : [];
}

/** Whether the learner's own turns are among those that pass by themselves on the way to a step. */
export function isLeap(tutorial: Tutorial, from: number, to: number): boolean {
  const learner = tutorial.replay.table.you.seat ?? 0;
  return tutorial.replay.frames.slice(from + 1, to).some((frame) => frame.view.deciding.includes(learner));
}
