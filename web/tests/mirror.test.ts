import { describe, expect, it } from "vitest";

import { Mirror } from "../src/lib/mirror";
import type { GameView, State } from "../src/wire";
import fixture from "./fairness.json";

// Whole games, as a seat or a spectator was shown them. Made by make_fairness.py: more, when a test says where they are.
const many = import.meta.env["VITE_EVENINGS"] as string | undefined;
const made: unknown = many ? ((await import(/* @vite-ignore */ many)) as { default: unknown }).default : fixture;
const games = (made as { drawn: State[][] }).drawn;

/** Whether all of it follows from the events. */
function agrees(states: readonly State[]): boolean {
  const mirror = new Mirror();
  return states.map((state) => mirror.agrees(state)).every(Boolean);
}

describe("what is drawn follows from the events", () => {
  it("in every game", () => {
    expect(games.length).toBeGreaterThan(3);
    for (const states of games) expect(agrees(states)).toBe(true);
  });

  it("also after a reload, and where all is told again", () => {
    for (const states of games) {
      const half = states.length / 2;
      const events = states.slice(0, half).flatMap((state) => state.events);
      const again = { ...(states[half - 1] ?? states[0]), after: 0, events } as State;
      if (half % 1 === 0) expect(agrees([again, ...states.slice(half)])).toBe(true);
      if (half % 1 === 0) expect(agrees([...states.slice(0, half), again, ...states.slice(half)])).toBe(true);
    }
  });

  const LIES: Record<string, (view: GameView) => Partial<GameView>> = {
    "another display": ({ display }) => ({ display: { ...display, ferry: (display["ferry"] ?? 0) + 1 } }),
    "a card less on display": ({ display }) => ({ display: Object.fromEntries(Object.entries(display).slice(1)) }),
    "another hand": ({ hand }) => ({ hand: { ...hand, red: (hand["red"] ?? 0) + 1 } }),
    "another offer": ({ offer }) => ({ offer: [...offer.slice(1), "a-b"] }),
    "another ticket": ({ tickets }) => ({ tickets: [...tickets, "a-b"] }),
    "another owner": ({ owners }) => ({ owners: { ...owners, "a-b": 1 } }),
  };

  it.each(Object.entries(LIES))("and %s is seen, once or for ever", (_, lie) => {
    const states = games.at(-1) ?? [];
    const lied = (state: State): State => ({ ...state, view: { ...state.view, ...lie(state.view as GameView) } as GameView });
    for (let at = 5; at < states.length; at += 5) {
      expect(agrees(states.map((state, number) => (number === at ? lied(state) : state)))).toBe(false);
      expect(agrees(states.map((state, number) => (number >= at ? lied(state) : state)))).toBe(false);
    }
  });

  it("and first tickets that are others when they are kept are seen", () => {
    const [states = []] = games.slice(1);
    const offer = (state: State): State =>
      state.view?.phase === "keep_first_tickets" ? { ...state, view: { ...state.view, offer: ["a-b", "c-d"] } } : state;
    expect(states.some((state) => offer(state) !== state)).toBe(true);
    expect(agrees(states.map(offer))).toBe(false);
  });
});
