// The wire between the table server and its clients.
// Made from src/fogline/server by `make wire`: what is changed here by hand is lost.

/** The version of the protocol, which stands in the address of a socket. */
export const PROTOCOL = 2;

/** A socket was closed with this code: come again. */
export const RESTARTING = 1012;

/** A socket was closed with this code: coming again is no use. */
export const REFUSED = 4403;

/** A socket was closed with this code: load the page anew. */
export const OUTDATED = 4426;

/** A socket was closed with this code: send less. */
export const FLOOD = 4429;

/** The `code` of an error. */
export type ErrorCode =
  | "not_found"
  | "forbidden"
  | "unknown_person"
  | "invalid"
  | "not_an_action"
  | "illegal"
  | "late"
  | "still_here"
  | "conflict"
  | "too_many_tables"
  | "too_slow"
  | "too_large"
  | "too_many"
  | "unavailable"
  | "failed";

/** A transport card. */
export type Card = "blue" | "green" | "black" | "purple" | "red" | "orange" | "ferry";

/** A seat was dealt its first cards. Only the seat itself sees `cards`; everyone else sees their `count`. */
export interface DealEvent {
  readonly e: "deal";
  readonly seat: number;
  readonly cards?: readonly Card[];
  readonly count?: number;
}

/** The first display was turned up. */
export interface DisplayEvent {
  readonly e: "display";
  readonly cards: readonly Card[];
}

/** A ferry reset discarded these cards of the display; the new ones come as flips. */
export interface ResetEvent {
  readonly e: "reset";
  readonly cards: readonly Card[];
}

/** A seat was offered tickets. Only the seat itself sees `tickets`; everyone else sees their `count`. */
export interface OfferEvent {
  readonly e: "offer";
  readonly seat: number;
  readonly tickets?: readonly string[];
  readonly count?: number;
}

/** A seat kept these of the tickets offered.

Everyone else sees their `count`, once all first tickets are chosen, and a `seal`, so that it cannot be said later
that it was other ones. */
export interface KeepEvent {
  readonly e: "keep";
  readonly seat: number;
  readonly tickets?: readonly string[];
  readonly count?: number;
  readonly seal?: string;
}

/** A stack of tokens that was set aside was placed. */
export interface PlaceEvent {
  readonly e: "place";
  readonly seat: number;
  readonly location: string;
  readonly souvenir: string;
  readonly count: number;
}

/** A seat drew a card. One that comes from the deck only the seat itself sees. */
export interface DrawEvent {
  readonly e: "draw";
  readonly seat: number;
  readonly from: "deck" | "display";
  readonly card?: Card;
}

/** A card was turned up into the display. */
export interface FlipEvent {
  readonly e: "flip";
  readonly card: Card;
}

/** The discard pile became the deck. */
export interface RecycleEvent {
  readonly e: "recycle";
}

/** A seat claimed a route with this payment. */
export interface ClaimEvent {
  readonly e: "claim";
  readonly seat: number;
  readonly route: string;
  readonly cards: { readonly [key in Card]?: number };
}

/** A seat took a token. */
export interface TokenEvent {
  readonly e: "token";
  readonly seat: number;
  readonly location: string;
  readonly souvenir: string;
}

/** A seat had nothing to do. */
export interface PassEvent {
  readonly e: "pass";
  readonly seat: number;
}

/** The turn of this seat began the last round. */
export interface LastRoundEvent {
  readonly e: "last_round";
  readonly seat: number;
}

/** The game ended: by its last round, or because no seat could do anything any more. */
export interface EndEvent {
  readonly e: "end";
  readonly reason: "last_round" | "stuck";
}

/** Something that the seat may do now. `action` is what to send. */
export interface Choice {
  readonly action: string;
  readonly kind: "draw" | "draw_tickets" | "claim" | "keep" | "token" | "place" | "pass";
  /** "deck" or a card, a route, "first", "second" or "both", or a location */
  readonly target: string | null;
  /** what a claim is paid with */
  readonly cards: { readonly [key: string]: number } | null;
}

/** The points of a seat at the end. */
export interface SeatScore {
  readonly routes: number;
  readonly tickets: number;
  readonly tokens: number;
  readonly total: number;
  readonly completed: readonly string[];
  readonly failed: readonly string[];
}

/** What everyone may know of a seat; the last three only when the game is over. */
export interface Seat {
  /** for routes */
  readonly points: number;
  readonly cars: number;
  readonly cards: number;
  readonly tickets: number;
  readonly tokens: readonly string[];
  readonly hand: { readonly [key: string]: number } | null;
  readonly kept: readonly string[] | null;
  readonly score: SeatScore | null;
}

/** Tokens on a location. */
export interface Stack {
  readonly souvenir: string;
  readonly count: number;
}

/** The game as one seat sees it, or, where `seat` is null, as a spectator does. */
export interface GameView {
  readonly seat: number | null;
  /** to be given with a decision */
  readonly step: number;
  readonly phase: "keep_first_tickets" | "place" | "turn" | "second_card" | "keep_tickets" | "token" | "over";
  /** several only while the first tickets are chosen */
  readonly deciding: readonly number[];
  /** of the last round */
  readonly turns_left: number | null;
  readonly display: { readonly [key: string]: number };
  readonly deck_count: number;
  readonly discard: { readonly [key: string]: number };
  readonly ticket_count: number;
  readonly seats: readonly Seat[];
  /** by route */
  readonly owners: { readonly [key: string]: number };
  readonly open_routes: readonly string[];
  /** by location */
  readonly stacks: { readonly [key: string]: Stack };
  readonly hand: { readonly [key: string]: number };
  readonly tickets: readonly string[];
  readonly completed: readonly string[];
  readonly offer: readonly string[];
  readonly put_back: readonly string[];
  /** the first tickets that the seat has chosen, while others still choose */
  readonly chosen: string | null;
  /** nothing while a bot plays for the person */
  readonly legal: readonly Choice[];
  readonly winners: readonly number[];
}

/** A place at the table, and who has it. */
export interface ChairInfo {
  readonly kind: "open" | "person" | "bot";
  readonly name: string;
  /** which of the registered players, for a bot */
  readonly player: string;
  /** of a bot */
  readonly level: number | null;
  /** a bot plays on for a person who is not there */
  readonly away: boolean;
}

/** Who the server takes the receiver for. */
export interface You {
  readonly chair: number | null;
  readonly seat: number | null;
  readonly host: boolean;
}

/** A table, apart from its game. */
export interface TableInfo {
  readonly id: string;
  readonly status: "open" | "revealing" | "playing" | "over" | "closed" | "imported";
  readonly map: string;
  readonly clock: "none" | "30s" | "60s" | "1d" | "3d";
  readonly spectators: boolean;
  readonly chairs: readonly ChairInfo[];
  /** the chair of each seat, once they are drawn */
  readonly seating: readonly number[];
  readonly you: You;
  /** the key of the link, for those who sit here */
  readonly invite: string | null;
  /** when the clock runs out, in seconds since 1970 */
  readonly deadline: number | null;
  /** of fairness; see docs/fairness.md */
  readonly scheme: number;
  /** to the secret, and to what it is for */
  readonly commitment: string;
  /** by chair: the SHA-256 of each salt */
  readonly seals: readonly (string | null)[];
  /** by chair, once the game has begun */
  readonly salts: readonly (string | null)[];
  /** once the game is over */
  readonly secret: string | null;
  /** the table of the rematch */
  readonly again: string | null;
  /** since when those who must decide are waited for, in seconds since 1970 */
  readonly waiting: number | null;
}

/** All that there is to know now, and the events since message `after`. `n` is the message's number. */
export interface State {
  readonly n: number;
  readonly after: number;
  readonly table: TableInfo;
  /** null before the start */
  readonly view: GameView | null;
  readonly events: readonly GameEvent[];
  readonly type: "state";
}

/** The decision is stored; the state of number `n`, or a later one, shows it. */
export interface Accepted {
  readonly id: number;
  readonly n: number;
  readonly type: "accepted";
}

/** Nothing has changed, and why. */
export interface Rejected {
  readonly id: number | null;
  readonly code: ErrorCode;
  readonly reason: string;
  readonly rule: string | null;
  /** which refusal of the rules it is, to be said in any language */
  readonly key: string | null;
  readonly values: { readonly [key: string]: string | number };
  readonly type: "rejected";
}

/** Whether an action is legal now, and if not, why. */
export interface Answer {
  readonly id: number;
  readonly legal: boolean;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly key: string | null;
  readonly values: { readonly [key: string]: string | number };
  readonly type: "answer";
}

/** How a person is there: looks at the table, has it open and looks at something else, or has it open nowhere. */
export interface ChairPresence {
  readonly how: "here" | "hidden" | "gone";
  /** when somebody who does not look last did, in seconds since 1970; null where nobody knows */
  readonly since: number | null;
}

/** Who is there, told to those who sit at the table and said in their socket's address whether they look at it. */
export interface Presence {
  /** null for bots, and for open chairs */
  readonly chairs: readonly (ChairPresence | null)[];
  /** since when anybody would have been seen: when this server began to use the table */
  readonly known: number;
  /** seconds of absence after which others may let a bot play, where no clock runs */
  readonly patience: number;
  readonly type: "presence";
}

/** The client is not of the server's version: it must be loaded anew. */
export interface Reload {
  readonly protocol: number;
  readonly reason: string;
  readonly type: "reload";
}

/** The server ends the conversation, and coming back is no use. */
export interface Gone {
  readonly reason: string;
  readonly type: "gone";
}

/** What a bot had in mind: the ticket it worked on, the route it wanted next, and the one it feared to lose. */
export interface Mind {
  readonly seat: number;
  readonly ticket: string | null;
  readonly route: string | null;
  readonly feared: string | null;
}

/** A game after this many actions, and the events of the last one. */
export interface Frame {
  readonly step: number;
  readonly view: GameView;
  readonly events: readonly GameEvent[];
  /** of the bot that did it, where all is shown */
  readonly mind: Mind | null;
}

/** A game once more: all its frames, or one of them. */
export interface Replay {
  readonly table: TableInfo;
  /** "all", "public", or a seat */
  readonly eyes: string;
  readonly steps: number;
  readonly frames: readonly Frame[];
}

/** Decides the step of this number with an action's text. */
export interface Play {
  readonly type: "play";
  /** comes back with the answer */
  readonly id: number;
  readonly step: number;
  readonly action: string;
}

/** Asks whether an action is legal now; a claim without its payment asks about all of them. */
export interface WhyNot {
  readonly type: "why_not";
  readonly id: number;
  readonly action: string;
}

/** Says whether the page that shows the table is hidden now. There is no answer. */
export interface Look {
  readonly type: "look";
  readonly hidden: boolean;
}

/** A record, and who played. */
export interface ImportedRecord {
  readonly record: { readonly [key: string]: unknown };
  readonly names?: readonly string[];
}

/** Why something was refused: nothing has changed. */
export interface ErrorBody {
  readonly error: Error;
}

/** `code` is for programs, `reason` for people, `rule` the rule's id where one was broken. */
export interface Error {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly rule: string | null;
}

/** You. Send the token as `Authorization: Bearer TOKEN`; a browser keeps it in a cookie by itself. */
export interface NewPerson {
  /** null for whom a cookie has made known: no script may read it */
  readonly token: string | null;
}

/** Who sits there: you, a bot, or anyone with the link. */
export interface ChairWanted {
  readonly kind: "me" | "bot" | "open";
  /** which bot, as in /api/players */
  readonly player?: string;
}

/** A table to be opened. */
export interface TableWanted {
  readonly chairs: readonly ChairWanted[];
  /** what the others call you */
  readonly name?: string;
  readonly map?: string;
  readonly clock?: "none" | "30s" | "60s" | "1d" | "3d";
  readonly spectators?: boolean;
  /** start as soon as every chair is taken */
  readonly autostart?: boolean;
}

/** An action for the step that `view.step` named. */
export interface Decision {
  readonly step: number;
  readonly action: string;
}

/** It is stored: the state of number `n`, or a later one, shows it. */
export interface Stored {
  readonly n: number;
}

/** An action that may or may not be legal. A claim without its payment asks about all of them. */
export interface Question {
  readonly action: string;
}

/** Who wants to join. */
export interface Guest {
  /** what the others call you */
  readonly name?: string;
  /** the SHA-256 of a salt, which you reveal once the game is started; empty where you bring none */
  readonly seal?: string;
}

/** The salt that you sealed. */
export interface Revelation {
  /** what you add to the table's secret, so that nobody can choose it */
  readonly salt: string;
}

/** A bot, or, with an empty player, nobody yet. */
export interface Occupant {
  readonly player?: string;
}

/** Whether anyone with the table's id may look on. */
export interface Spectators {
  readonly allowed: boolean;
}

/** A player that can take a chair. */
export interface PlayerInfo {
  readonly name: string;
  readonly level: number;
  readonly description: string;
  /** in games of two; the random player has 0 */
  readonly elo: number | null;
}

/** A map that can be played. */
export interface MapInfo {
  readonly id: string;
  readonly name: string;
}

/** A rectangle around its centre, turned by `angle` degrees. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
}

/** A space of a route: the radius of its corners, and the scale of a ferry or car on it. */
export interface PlanSpace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
  readonly corner: number;
  readonly ferry: number;
  readonly car: number;
}

/** A name on its plate; `base` is where its first line stands. */
export interface PlanLabel {
  readonly place: Place;
  readonly lines: readonly string[];
  readonly size: number;
  readonly line: number;
  readonly base: number;
  readonly corner: number;
}

/** A location: a dot of this radius, its name, and the scale of a stack of tokens there. */
export interface PlanLocation {
  readonly id: string;
  readonly name: string;
  readonly landmark: boolean;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly stack: number;
  readonly label: PlanLabel;
}

/** A route: its row of spaces, and a line of this width through them, dotted with a gap where there are ferries. */
export interface PlanRoute {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  readonly colour: string;
  readonly length: number;
  readonly ferries: number;
  readonly twin: string | null;
  readonly points: number;
  /** from its first location to its second */
  readonly spaces: readonly PlanSpace[];
  /** from dot to dot; empty for the second of a double route */
  readonly track: readonly (readonly [number, number])[];
  readonly width: number;
  readonly gap: number | null;
}

/** A ticket: two locations and a value. */
export interface PlanTicket {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  readonly value: number;
}

/** Pieces of SVG around the origin. */
export interface Pictures {
  /** `url(#web-blue)` and so on */
  readonly patterns: string;
  /** by souvenir, in a circle of radius 19 */
  readonly tokens: { readonly [key: string]: string };
  /** what can be seen below the top one, in a stack of none, one, two or three */
  readonly tokens_below: readonly string[];
  /** the number beside such a stack */
  readonly token_counts: readonly string[];
  /** by seat, 44 long and 26 high */
  readonly cars: readonly string[];
  /** by seat, in a circle of radius 9 */
  readonly emblems: readonly string[];
  readonly ferry: string;
  readonly stop: string;
  readonly landmark: string;
}

/** A board on a canvas of `width` by `height`. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** of spaces, dots and labels */
  readonly scale: number;
  readonly cars: number;
  readonly cards: { readonly [key: string]: number };
  /** by length, from 0 */
  readonly route_points: readonly number[];
  /** by number of different souvenirs, from 0 */
  readonly token_points: readonly number[];
  readonly souvenirs: readonly string[];
  readonly locations: readonly PlanLocation[];
  readonly routes: readonly PlanRoute[];
  readonly tickets: readonly PlanTicket[];
  readonly scenery: string;
  readonly pictures: Pictures;
  /** of routes and cards */
  readonly colours: { readonly [key: string]: string };
  /** the emblem and colour of each */
  readonly seats: readonly (readonly [string, string])[];
  /** CSS variables */
  readonly day: { readonly [key: string]: string };
  readonly night: { readonly [key: string]: string };
}

/** The lesson at a step: the learner does the action, or only reads. */
export interface Lesson {
  readonly name: string;
  readonly step: number;
  readonly does: boolean;
  readonly rules: readonly string[];
}

/** A recorded game through the learner's eyes, the action of each of its steps, and its lessons in order. */
export interface Tutorial {
  readonly replay: Replay;
  readonly actions: readonly string[];
  readonly lessons: readonly Lesson[];
}

/** What happened in the game, as the receiver may see it. */
export type GameEvent =
  | DealEvent
  | DisplayEvent
  | ResetEvent
  | OfferEvent
  | KeepEvent
  | PlaceEvent
  | DrawEvent
  | FlipEvent
  | RecycleEvent
  | ClaimEvent
  | TokenEvent
  | PassEvent
  | LastRoundEvent
  | EndEvent;

/** All that comes over a socket. */
export type ServerMessage = State | Accepted | Rejected | Answer | Presence | Reload | Gone;

/** All that may be sent over a socket. */
export type ClientMessage = Play | WhyNot | Look;

/** Every request of the HTTP API: what goes with it, and its answer. */
export interface Api {
  /** Makes you known here, by a secret that only you hold. There are no accounts. Who is known already stays so. */
  readonly "POST /api/people": {
    readonly answer: NewPerson;
  };
  /** The tables at which you sit, those that changed last first. */
  readonly "GET /api/me/tables": {
    readonly answer: readonly TableInfo[];
  };
  /** Opens a table; you are its host. When no chair is open, the game starts at once. */
  readonly "POST /api/tables": {
    readonly body: TableWanted;
    readonly answer: State;
  };
  /** All that you may know of a table, with the events since the state of number `after`. */
  readonly "GET /api/tables/{table}": {
    readonly query: { readonly after?: number };
    readonly answer: State;
  };
  /** Decides for your seat. The same decision sent twice is carried out once. */
  readonly "POST /api/tables/{table}/actions": {
    readonly body: Decision;
    readonly answer: Stored;
  };
  /** Whether an action of yours is legal now, and if not, by which rule. */
  readonly "POST /api/tables/{table}/why-not": {
    readonly body: Question;
    readonly answer: Answer;
  };
  /** The table that an invitation is for. */
  readonly "GET /api/invites/{invite}": {
    readonly answer: TableInfo;
  };
  /** Takes an open chair at the table of an invitation. */
  readonly "POST /api/invites/{invite}": {
    readonly body: Guest;
    readonly answer: State;
  };
  /** Changes your name and seal before the start. */
  readonly "PUT /api/tables/{table}/me": {
    readonly body: Guest;
    readonly answer: State;
  };
  /** Reveals your salt once the host has started the game; with the last one, the cards are dealt. */
  readonly "POST /api/tables/{table}/reveal": {
    readonly body: Revelation;
    readonly answer: State;
  };
  /** The host gives a chair to a bot, or opens it. */
  readonly "PUT /api/tables/{table}/chairs/{chair}": {
    readonly body: Occupant;
    readonly answer: State;
  };
  /** Lets a bot play on for somebody for whom you wait, who has been gone for some minutes, until they come back. */
  readonly "POST /api/tables/{table}/chairs/{chair}/hand-over": {
    readonly answer: Stored;
  };
  /** The host makes a new link; the old one ends. */
  readonly "POST /api/tables/{table}/invite": {
    readonly answer: State;
  };
  /** The host revokes the link: nobody can join any more. */
  readonly "DELETE /api/tables/{table}/invite": {
    readonly answer: State;
  };
  /** The host lets spectators in, or sends them away. */
  readonly "PUT /api/tables/{table}/spectators": {
    readonly body: Spectators;
    readonly answer: State;
  };
  /** The host starts the game: salts are revealed, seats drawn by lot and cards dealt. */
  readonly "POST /api/tables/{table}/start": {
    readonly answer: State;
  };
  /** Leaves the table. While the game goes on, a bot plays for you until you come back. */
  readonly "POST /api/tables/{table}/leave": {
    readonly answer: Stored;
  };
  /** Takes over again from the bot that played for you. */
  readonly "POST /api/tables/{table}/back": {
    readonly answer: Stored;
  };
  /** A rematch: another table for the same people, opened by the first who asks. */
  readonly "POST /api/tables/{table}/again": {
    readonly answer: State;
  };
  /** The record of a game that is over, with the secret that its chance came from. */
  readonly "GET /api/tables/{table}/record": {
    readonly answer: { readonly [key: string]: unknown };
  };
  /** The game so far, step by step, as you may see it: all of it, through anyone's eyes, once it is over. */
  readonly "GET /api/tables/{table}/replay": {
    readonly query: { readonly eyes?: string | null; readonly at?: number | null };
    readonly answer: Replay;
  };
  /** Brings along a finished game that was played elsewhere, if it breaks no rule, to be replayed by its link. */
  readonly "POST /api/records": {
    readonly body: ImportedRecord;
    readonly answer: TableInfo;
  };
  /** The bots, easiest first. */
  readonly "GET /api/players": {
    readonly answer: readonly PlayerInfo[];
  };
  /** The maps that can be played here. */
  readonly "GET /api/maps": {
    readonly answer: readonly MapInfo[];
  };
  /** The guided first game. */
  readonly "GET /api/tutorial": {
    readonly answer: Tutorial;
  };
  /** Whether the rules allow the learner an action at a step of the guided game, and if not, why. */
  readonly "GET /api/tutorial/why-not": {
    readonly query: { readonly step: number; readonly action: string };
    readonly answer: Answer;
  };
  /** The plan of a board: where everything lies on it, and its pictures. */
  readonly "GET /api/maps/{map}": {
    readonly answer: Plan;
  };
}
