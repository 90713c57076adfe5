// Link: the live connection to a table. It comes back by itself, and what was not acknowledged is sent again.

import { type Accepted, type Answer, type Look, type Presence, PROTOCOL, type Rejected, type ServerMessage, type State } from "../wire";
import { ApiError } from "./api";

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;
const ANSWERED_WITHIN = 4000; // else the connection is dead, though nobody has told the browser
const ASLEEP = 20_000; // after which a hidden page does not trust its connection

interface Waiting {
  message: object;
  resolve: (answer: Accepted | Answer) => void;
  reject: (error: ApiError) => void;
}

export type LinkStatus = "connecting" | "online" | "offline" | "gone" | "outdated";

const isHidden = (): boolean => document.visibilityState === "hidden";

export class Link {
  state = $state.raw<State | null>(null);
  presence = $state.raw<Presence | null>(null); // who is there; null while that is not known
  status = $state<LinkStatus>("connecting");
  cut = $state(false); // the device itself has no network

  private socket: WebSocket | null = null;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private doubt: ReturnType<typeof setTimeout> | undefined;
  private hiddenSince = 0;
  private closed = false;

  /** `told` hears of every state, with the events that are new in it. */
  constructor(
    readonly table: string,
    private readonly told: (state: State) => void = () => undefined,
  ) {
    this.connect();
    addEventListener("online", this.hurry);
    addEventListener("offline", this.unplugged);
    document.addEventListener("visibilitychange", this.hurry);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.doubt);
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.unplugged);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  /** Decides the step that the last state showed. Sent again after a lost connection, it still happens once. */
  play(action: string): Promise<Accepted> {
    const step = this.state?.view?.step ?? 0;
    return this.ask({ type: "play", step, action }) as Promise<Accepted>;
  }

  whyNot(action: string): Promise<Answer> {
    return this.ask({ type: "why_not", action }) as Promise<Answer>;
  }

  private ask(question: object): Promise<Accepted | Answer> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const message = { ...question, id };
      this.waiting.set(id, { message, resolve, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
      this.doubtLater();
    });
  }

  private connect(): void {
    this.drop();
    const after = this.state?.n ?? 0;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = `protocol=${PROTOCOL}&after=${after}&hidden=${isHidden()}`;
    const address = `${scheme}//${location.host}/api/tables/${this.table}/socket?${query}`;
    const socket = (this.socket = new WebSocket(address));
    socket.onopen = () => {
      for (const { message } of this.waiting.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as ServerMessage);
    socket.onclose = () => this.lost();
  }

  /** Nothing more is heard from the socket before: two at once would tell everything twice. */
  private drop(): void {
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
  }

  /** Connects anew when a question stays without an answer. */
  private doubtLater(): void {
    clearTimeout(this.doubt);
    if (this.waiting.size) this.doubt = setTimeout(() => this.status === "online" && this.again(), ANSWERED_WITHIN);
  }

  private again(): void {
    this.drop();
    this.lost();
  }

  /** The browser knows at once what we would learn when nobody answers. */
  private unplugged = (): void => {
    this.cut = true;
    if (!this.closed) this.again();
  };

  private lost(): void {
    this.presence = null;
    if (this.closed || this.status === "gone" || this.status === "outdated") return;
    this.status = this.state ? "offline" : "connecting";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.pause * (0.7 + 0.6 * Math.random()));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  private hurry = (event: Event): void => {
    if (event.type === "online") this.cut = false;
    else if (this.socket?.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ type: "look", hidden: isHidden() } satisfies Look));
    if (document.visibilityState === "hidden") {
      this.hiddenSince = Date.now();
      return;
    }
    const slept = this.hiddenSince > 0 && Date.now() - this.hiddenSince > ASLEEP;
    this.hiddenSince = 0;
    if (this.closed || !(this.status === "offline" || (this.status === "online" && slept))) return;
    clearTimeout(this.timer);
    this.pause = FIRST_PAUSE;
    this.connect();
  };

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "state":
        if (message.table.id !== this.table) {
          this.status = "gone"; // whatever is said of another table is not for us
          this.socket?.close();
          break;
        }
        this.status = "online";
        this.cut = false;
        this.pause = FIRST_PAUSE;
        this.doubtLater();
        this.state = message;
        this.told(message);
        break;
      case "accepted":
      case "answer":
        this.waiting.get(message.id)?.resolve(message);
        this.waiting.delete(message.id);
        this.doubtLater();
        break;
      case "presence":
        this.presence = message;
        break;
      case "rejected":
        this.refuse(message);
        break;
      case "reload":
        this.status = "outdated";
        break;
      case "gone":
        this.status = "gone";
        break;
    }
  }

  private refuse(message: Rejected): void {
    if (message.id === null) return;
    this.waiting.get(message.id)?.reject(new ApiError(message.code, message.reason, message.rule, message.key === null ? null : message));
    this.waiting.delete(message.id);
    this.doubtLater();
  }
}
