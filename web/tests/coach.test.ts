import "./browser";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Coach } from "../src/lib/coach.svelte";
import { isLeap, lessonPlaces, lessonTab, lessonTarget, lessonValues, wantedChoice } from "../src/lib/lessons";
import { notices } from "../src/lib/notices.svelte";
import type { Choice, Lesson, Plan, Tutorial } from "../src/wire";

const plan = {
  locations: [
    { id: "pier", name: "Pier" },
    { id: "hill", name: "Hill" },
  ],
  routes: [{ id: "pier-hill", first: "pier", second: "hill", points: 4 }],
  tickets: [{ id: "pier-hill", first: "pier", second: "hill", value: 3 }],
} as unknown as Plan;

const choice = (action: string, kind: Choice["kind"], target: string | null, cards: Choice["cards"] = null): Choice => ({
  action,
  kind,
  target,
  cards,
});
const ROUTE = choice("claim pier-hill red2", "claim", "pier-hill", { red: 2 });
const FERRY = choice("claim pier-hill ferry2", "claim", "pier-hill", { ferry: 2 });
const DECK = choice("draw deck", "draw", "deck");
const RED = choice("draw red", "draw", "red");

// The learner has seat 1: draws at step 1, lets step 3 pass by itself, and claims at step 4.
const DECIDING: [number, Choice[]][] = [[0, []], [1, [DECK, RED]], [0, []], [1, [DECK]], [1, [ROUTE, FERRY]], [0, []]];
const lesson = (name: string, step: number, does: boolean): Lesson => ({ name, step, does, rules: ["3.1"] });
const tutorial = {
  actions: ["pass", "draw red", "pass", "draw deck", "claim pier-hill red2"],
  lessons: [lesson("welcome", 1, false), lesson("display", 1, true), lesson("claim", 4, true), lesson("score", 5, false)],
  replay: {
    eyes: "1",
    steps: DECIDING.length,
    table: { chairs: [{ kind: "bot", name: "Rosa" }, { kind: "person", name: "" }], seating: [0, 1], you: { seat: 1 } },
    frames: DECIDING.map(([seat, legal], step) => ({
      step,
      view: { deciding: [seat], legal, offer: [], completed: [], seat: 1 },
      events: [{ e: "flip", card: "red" }],
    })),
  },
} as unknown as Tutorial;
const [welcome, display, claim] = tutorial.lessons as [Lesson, Lesson, Lesson];

describe("a lesson", () => {
  it("waits for the action of its step, or for nothing", () => {
    expect(wantedChoice(tutorial, display)).toBe(RED);
    expect(wantedChoice(tutorial, welcome)).toBe(null);
  });

  it("points at what is meant", () => {
    expect(lessonTarget(tutorial, display)).toBe('[data-spot="display-red"]');
    expect(lessonTarget(tutorial, claim)).toBe('[data-route="pier-hill"]');
    expect(lessonTarget(tutorial, welcome)).toBe("");
    expect(lessonPlaces(plan, tutorial, claim)).toEqual(["pier", "hill"]);
    expect(lessonPlaces(plan, tutorial, display)).toEqual([]);
  });

  it("knows the tab of what it points at", () => {
    const TARGETS = ['[data-spot="seat-1"]', ".offer", ".tickets", '[data-spot="tickets"]', '[data-route="pier-hill"]', ""];
    expect(TARGETS.map(lessonTab)).toEqual(["players", "tickets", "tickets", "cards", "cards", "cards"]);
  });

  it("names things as the learner knows them", () => {
    expect(lessonValues(plan, tutorial, claim)).toEqual({ friend: "Rosa", route: "Pier – Hill", cards: "2 red", count: 4 });
    expect(lessonValues(plan, tutorial, display)).toEqual({ friend: "Rosa", card: "red" });
  });

  it("is reached in a leap where turns of one's own pass by themselves", () => {
    expect(isLeap(tutorial, 1, 4)).toBe(true);
    expect(isLeap(tutorial, 4, 5)).toBe(false);
  });
});

describe("the coach", () => {
  let kept: Record<string, string>;
  beforeEach(() => {
    kept = {};
    vi.useFakeTimers();
    const localStorage = {
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, value: string) => void (kept[key] = value),
    };
    Object.assign(globalThis, { localStorage });
    notices.all = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const begin = (): Coach => new Coach(plan, tutorial, "Ada");

  it("begins where the learner left off", () => {
    kept["fogline.tutorial"] = "2";
    expect(begin().lesson.name).toBe("claim");
    kept["fogline.tutorial"] = "99";
    expect(begin().lesson.name).toBe("welcome");
  });

  it("tells, waits, and goes on when the right thing is done", async () => {
    const coach = begin();
    expect(coach.playing.shown?.table.chairs[1]?.name).toBe("Ada");
    coach.next();
    expect(coach.lesson.name).toBe("display");
    await coach.play("draw red");
    expect(coach.moving).toBe(true);
    vi.runAllTimers();
    expect(coach.moving).toBe(false);
    expect(coach.lesson.name).toBe("claim");
    expect(coach.playing.shown?.n).toBe(5);
    expect(coach.playing.log).toHaveLength(5);
    expect(kept["fogline.tutorial"]).toBe("2");
  });

  it("takes the right thing before it has told everything", async () => {
    const coach = begin();
    await coach.play("draw red");
    expect(coach.lesson.name).toBe("claim");
  });

  it("offers nothing while moves pass by", async () => {
    const coach = begin();
    await coach.play("draw red");
    vi.advanceTimersByTime(1);
    expect(coach.playing.shown?.n).toBe(3);
    expect(coach.playing.yourTurn).toBe(false);
    await coach.play("draw deck");
    expect(notices.all).toEqual([]);
  });

  it("kindly refuses what is legal but not the lesson", async () => {
    const coach = begin();
    coach.next();
    await coach.play("draw deck");
    expect(coach.lesson.name).toBe("display");
    expect(notices.all.at(-1)?.text).toContain("Not now");
    coach.start(2);
    await coach.play("claim pier-hill ferry2");
    expect(notices.all.at(-1)?.text).toContain("2 red");
  });

  it("does it for the learner, up to the end, and then begins anew next time", async () => {
    const coach = begin();
    coach.start(2);
    coach.doIt();
    await vi.runAllTimersAsync();
    expect(coach.last).toBe(true);
    coach.next();
    expect(coach.last).toBe(true);
    expect(kept["fogline.tutorial"]).toBe("0");
  });
});
