// Flights: cards, tickets and tokens that visibly go from one place on the screen to another. Who wants no motion sees
// where they arrive light up instead.

import { mount, unmount } from "svelte";

import CardFace from "../components/CardFace.svelte";
import Souvenir from "../components/Souvenir.svelte";
import type { GameEvent, Plan } from "../wire";
import { isStill } from "./settings.svelte";

export interface Flight {
  from: DOMRect;
  to: string[]; // spots, the best first
  card?: string;
  souvenir?: string;
}

const DURATION = 420;
const BETWEEN = 90;
const HOP = 46; // pixels that a token rises on its way
const ON_THE_BOARD = 0.6; // of a location's size, that a token on it has
const LIT = 600;
const WIDTH = { card: 52, token: 40 }; // as they are drawn; on their way they take the size of where they are

/** The picture in a spot that is seen: of several cards the uppermost, of a seat its emblem. */
function picture(name: string): Element | null {
  const spots = [...document.querySelectorAll(`[data-spot="${name}"]`)];
  const seen = spots.filter((one) => one.getBoundingClientRect().width > 0);
  const spot = seen.find((one) => one === document.activeElement) ?? seen[0]; // of two alike, the one that was pressed
  if (!spot) return null;
  const pictures = [...spot.querySelectorAll("svg")];
  return (name.startsWith("hand-") ? pictures.at(-1) : pictures[0]) ?? spot;
}

function first(names: readonly string[]): Element | null {
  for (const name of names) {
    const found = picture(name);
    if (found) return found;
  }
  return null;
}

/** What will fly, to be asked before the screen changes: from where, it knows only then. */
export function plannedFlights(events: readonly GameEvent[], you: number | null): Flight[] {
  const flights: Flight[] = [];
  const add = (from: Element | null, rest: Omit<Flight, "from">): void => {
    if (from) flights.push({ from: from.getBoundingClientRect(), ...rest });
  };
  for (const event of events) {
    if (event.e === "draw") {
      const mine = event.seat === you;
      const card = event.card ?? "back";
      const to = mine ? [`hand-${card}`, "hand", `seat-${event.seat}`] : [`seat-${event.seat}`];
      add(first(event.from === "deck" ? ["deck"] : [`display-${card}`, "display"]), { to, card });
    } else if (event.e === "offer") {
      add(first(["tickets"]), { to: [`seat-${event.seat}`], card: "back" });
    } else if (event.e === "token") {
      const stack = document.querySelector(`[data-location="${event.location}"]`);
      add(stack, { to: [`seat-${event.seat}`], souvenir: event.souvenir });
    }
  }
  return flights;
}

/** Lets them fly, one shortly after the other. */
export function fly(flights: readonly Flight[], plan: Plan): void {
  flights.forEach((flight, number) => {
    const to = first(flight.to);
    if (!to) return;
    if (isStill()) light(to);
    else launch(flight, to, plan, number * BETWEEN);
  });
}

function light(arrived: Element): void {
  const lit = "0 0 0 4px #ffc928";
  arrived.animate([{ boxShadow: lit }, { boxShadow: lit, offset: 0.7 }, { boxShadow: "0 0 0 4px transparent" }], LIT);
}

function launch(flight: Flight, to: Element, plan: Plan, delay: number): void {
  const target = document.createElement("div");
  const width = flight.souvenir ? WIDTH.token : WIDTH.card;
  Object.assign(target.style, { position: "fixed", zIndex: "55", left: "0", top: "0", pointerEvents: "none" });
  target.style.width = `${width}px`;
  document.body.append(target);
  const drawn = flight.souvenir
    ? mount(Souvenir, { target, props: { plan, kind: flight.souvenir, size: width } })
    : mount(CardFace, { target, props: { plan, card: flight.card ?? "back" } });
  const timing = { duration: DURATION, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" } as const;
  const animation = target.animate(course(flight, to.getBoundingClientRect(), target.getBoundingClientRect()), timing);
  // In one's hand it is seen when it arrives, and not before; the first of its colour with its number.
  const fan = to.closest('[data-spot^="hand-"]');
  if (fan)
    (fan.querySelectorAll("svg").length > 1 ? to : fan).animate({ opacity: [0, 0, 1], offset: [0, 0.85, 1] }, { ...timing, easing: "linear" });
  animation.onfinish = animation.oncancel = () => {
    void unmount(drawn);
    target.remove();
  };
}

/** From the one box to the other; a token hops, and waits unseen. */
function course({ from, souvenir }: Flight, to: DOMRect, own: DOMRect): Keyframe[] {
  const at = (box: DOMRect, rise = 0): string => {
    const x = box.left + box.width / 2 - own.width / 2;
    const y = box.top + box.height / 2 - own.height / 2 - rise;
    return `translate(${x}px, ${y}px)`;
  };
  const size = (box: DOMRect): number => Math.min(box.width / own.width, box.height / own.height);
  if (!souvenir)
    return [
      { transform: `${at(from)} scale(${size(from)})`, opacity: 1 },
      { transform: `${at(to)} scale(${size(to)})`, opacity: 0.85 },
    ];
  const [x, y] = [(from.left + from.right + to.left + to.right) / 4, (from.top + from.bottom + to.top + to.bottom) / 4];
  return [
    { transform: `${at(from)} scale(${ON_THE_BOARD * size(from)})`, easing: "ease-out" },
    { transform: `${at(new DOMRect(x, y), HOP)} scale(1.15)`, easing: "ease-in" },
    { transform: `${at(to)} scale(${Math.min(1, size(to))})` },
  ];
}
