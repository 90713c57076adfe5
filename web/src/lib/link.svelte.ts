// Link: the live connection to a table. It comes back by itself, and what was not acknowledged is sent again.

import type { Accepted, Answer, Rejected, ServerMessage, State } from "../wire";
import { ApiError } from "./api";

export const PROTOCOL = 1;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

interface Waiting {
  message: object;
  resolve: (answer: Accepted | Answer) => void;
  reject: (error: ApiError) => void;
}

export type LinkStatus = "connecting" | "online" | "offline" | "gone" | "outdated";

export class Link {
  state = $state.raw<State | null>(null);
  status = $state<LinkStatus>("connecting");
  reason = $state("");

  private socket: WebSocket | null = null;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  /** `told` hears of every state, with the events that are new in it. */
  constructor(
    readonly table: string,
    private readonly told: (state: State) => void = () => undefined,
  ) {
    this.connect();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.hurry);
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
    });
  }

  private connect(): void {
    const after = this.state?.n ?? 0;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = `${scheme}//${location.host}/api/tables/${this.table}/socket?protocol=${PROTOCOL}&after=${after}`;
    const socket = (this.socket = new WebSocket(address));
    socket.onopen = () => {
      for (const { message } of this.waiting.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as ServerMessage);
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private lost(): void {
    if (this.closed || this.status === "gone" || this.status === "outdated") return;
    this.status = this.state ? "offline" : "connecting";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.pause * (0.7 + 0.6 * Math.random()));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  private hurry = (): void => {
    if (this.status !== "offline" || document.visibilityState === "hidden" || this.closed) return;
    clearTimeout(this.timer);
    this.pause = FIRST_PAUSE;
    this.connect();
  };

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "state":
        this.status = "online";
        this.pause = FIRST_PAUSE;
        this.state = message;
        this.told(message);
        break;
      case "accepted":
      case "answer":
        this.waiting.get(message.id)?.resolve(message);
        this.waiting.delete(message.id);
        break;
      case "rejected":
        this.refuse(message);
        break;
      case "reload":
        this.status = "outdated";
        break;
      case "gone":
        this.status = "gone";
        this.reason = message.reason;
        break;
    }
  }

  private refuse(message: Rejected): void {
    if (message.id === null) return;
    this.waiting.get(message.id)?.reject(new ApiError(message.code, message.reason, message.rule, message.key === null ? null : message));
    this.waiting.delete(message.id);
  }
}
