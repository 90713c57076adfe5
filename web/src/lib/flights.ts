// Flights: cards, tickets and tokens that visibly go from one place on the screen to another.

import { mount, unmount } from "svelte";

import CardFace from "../components/CardFace.svelte";
import Souvenir from "../components/Souvenir.svelte";
import type { GameEvent, Plan } from "../wire";
import { isStill } from "./settings.svelte";

interface Flight {
  from: DOMRect;
  to: string[]; // spots, the best first
  card?: string;
  souvenir?: string;
}

const DURATION = 420;
const BETWEEN = 90;

const spot = (names: string[]): DOMRect | null => {
  for (const name of names) {
    const box = document.querySelector(`[data-spot="${name}"]`)?.getBoundingClientRect();
    if (box && box.width > 0) return box;
  }
  return null;
};

/** What will fly, to be asked before the screen changes: from where, it knows only then. */
export function plannedFlights(events: readonly GameEvent[], you: number | null): Flight[] {
  if (isStill()) return [];
  const flights: Flight[] = [];
  const add = (from: DOMRect | null | undefined, rest: Omit<Flight, "from">): void => {
    if (from) flights.push({ from, ...rest });
  };
  for (const event of events) {
    if (event.e === "draw") {
      const mine = event.seat === you;
      const card = event.card ?? "back";
      const to = mine ? [`hand-${card}`, "hand", `seat-${event.seat}`] : [`seat-${event.seat}`];
      add(spot(event.from === "deck" ? ["deck"] : [`display-${card}`, "display"]), { to, card });
    } else if (event.e === "offer") {
      add(spot(["tickets"]), { to: [`seat-${event.seat}`], card: "back" });
    } else if (event.e === "token") {
      const stack = document.querySelector(`[data-location="${event.location}"]`)?.getBoundingClientRect();
      add(stack, { to: [`seat-${event.seat}`], souvenir: event.souvenir });
    }
  }
  return flights;
}

/** Lets them fly, one shortly after the other. */
export function fly(flights: Flight[], plan: Plan): void {
  flights.forEach((flight, number) => {
    const to = spot(flight.to);
    if (to) setTimeout(() => launch(flight, to, plan), number * BETWEEN);
  });
}

function launch(flight: Flight, to: DOMRect, plan: Plan): void {
  const target = document.createElement("div");
  const size = flight.souvenir ? 40 : 52;
  Object.assign(target.style, { position: "fixed", zIndex: "55", left: "0", top: "0", pointerEvents: "none" });
  target.style.width = `${size}px`;
  document.body.append(target);
  const picture = flight.souvenir
    ? mount(Souvenir, { target, props: { plan, kind: flight.souvenir, size } })
    : mount(CardFace, { target, props: { plan, card: flight.card ?? "back" } });
  const middle = (box: DOMRect): string =>
    `translate(${box.left + box.width / 2 - size / 2}px, ${box.top + box.height / 2 - size * 0.7}px)`;
  const course = [
    { transform: `${middle(flight.from)} scale(1)`, opacity: 1 },
    { transform: `${middle(to)} scale(0.7)`, opacity: 0.6 },
  ];
  const animation = target.animate(course, { duration: DURATION, easing: "cubic-bezier(.3,.1,.2,1)" });
  animation.onfinish = animation.oncancel = () => {
    void unmount(picture);
    target.remove();
  };
}
