import "./browser";

import { expect, it } from "vitest";

import { refusalText } from "../src/lib/refusals";
import type { Teller } from "../src/lib/story";

const plan = {
  locations: [
    { id: "bridge", name: "Bridge" },
    { id: "fort", name: "Fort" },
  ],
  routes: [{ id: "bridge-fort", first: "bridge", second: "fort" }],
};
const teller = { plan, table: { chairs: [], seating: [] }, you: 0 } as unknown as Teller;

/** What is said of a route that takes so much, to somebody who has so much for it. */
const said = (spaces: number, colour: string, ferries: number, card: string, held: number, held_ferries: number): string =>
  refusalText(
    { reason: "in English", rule: "4.1", key: "cannot_pay", values: { route: "bridge-fort", spaces, colour, ferries, card, held, held_ferries } },
    teller,
  );

it.each([
  [said(5, "grey", 1, "green", 1, 0), ["Bridge – Fort", "5 cards of one colour", "at least 1 ferry", "1 green", "no ferry"]],
  [said(3, "black", 0, "black", 1, 1), ["Bridge – Fort", "3 cards, black or ferry", "1 black and 1 ferry"]],
  [said(1, "grey", 1, "blue", 0, 0), ["Bridge – Fort", "1 ferry", "no cards"]],
  [said(2, "red", 0, "red", 0, 1), ["2 cards, red or ferry", "1 ferry"]],
])("a route that cannot be paid for is named, with its price and the best there is for it: %s", (text, parts) => {
  for (const part of parts) expect(text).toContain(part);
  expect(text).not.toMatch(/[{}]|undefined|NaN/);
});
