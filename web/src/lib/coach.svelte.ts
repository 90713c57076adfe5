// Coach: goes through the tutorial's game with the learner, who does what there is to learn; the rest happens by itself.

import type { Accepted, Answer, Lesson, Plan, State, Tutorial } from "../wire";
import { api } from "./api";
import { isLeap, wantedChoice } from "./lessons";
import { notices } from "./notices.svelte";
import { type Decider, Playing } from "./playing.svelte";
import { cardsText } from "./story";
import { t } from "./words.svelte";

const KEY = "fogline.tutorial";
const PACE = 1000; // milliseconds for a move of the friend
const LEAP = 320; // where a few turns pass by themselves

export class Coach implements Decider {
  readonly playing: Playing;
  at = $state(0); // the lesson
  moving = $state(false); // until the lesson's step is reached
  leaping = $state(false);
  private step = 0; // the one that is shown
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly plan: Plan,
    readonly tutorial: Tutorial,
    private readonly learner: string, // a name
  ) {
    this.playing = new Playing(plan, this);
    this.start(remembered(tutorial.lessons.length));
  }

  get lesson(): Lesson {
    return this.tutorial.lessons[this.at] as Lesson;
  }

  get last(): boolean {
    return this.at === this.tutorial.lessons.length - 1;
  }

  /** Begins with a lesson: all before it has happened. */
  start(at: number): void {
    clearTimeout(this.timer);
    this.at = at;
    this.moving = this.leaping = false;
    this.step = this.lesson.step;
    this.playing.paying = null;
    this.playing.hear(this.state(this.step, true));
    this.playing.skip();
    remember(at);
  }

  /** What was told was heard. */
  next(): void {
    if (!this.lesson.does && !this.moving) this.pass(this.at);
  }

  /** The coach does it, for those who cannot or would rather look on. */
  doIt(): void {
    const choice = wantedChoice(this.tutorial, this.lesson);
    if (choice && !this.moving) void this.playing.play(choice.action);
  }

  close(): void {
    clearTimeout(this.timer);
    this.playing.close();
  }

  // As a table.

  async play(action: string): Promise<Accepted> {
    const { lessons, actions } = this.tutorial;
    const lesson = lessons.findIndex((one, at) => at >= this.at && one.step === this.step && one.does);
    if (!this.moving && lesson >= 0 && action === actions[this.step]) this.pass(lesson);
    else if (!this.moving) this.sayNotNow(action);
    return { type: "accepted", id: 0, n: this.step + 1 };
  }

  whyNot(action: string): Promise<Answer> {
    return api.tutorialWhyNot(this.step, action);
  }

  /** Something that the rules allow, but not what is being learned. */
  private sayNotNow(action: string): void {
    const wanted = wantedChoice(this.tutorial, this.lesson);
    const tried = this.playing.shown?.view?.legal.find((choice) => choice.action === action);
    const nearly = wanted?.kind === "claim" && tried?.kind === "claim" && tried.target === wanted.target;
    notices.say(nearly ? t("tutorial.nearly", { cards: cardsText(wanted.cards ?? {}) }) : t("tutorial.notNow"));
  }

  /** On to the lesson after this one, through all steps before it. */
  private pass(lesson: number): void {
    const next = this.tutorial.lessons[lesson + 1];
    if (!next) return;
    this.at = lesson + 1;
    remember(this.last ? 0 : this.at);
    this.leaping = isLeap(this.tutorial, this.step, next.step);
    this.moving = this.step < next.step;
    if (this.moving) this.go(0);
  }

  private go(after: number): void {
    this.timer = setTimeout(() => {
      this.step++;
      const there = this.step >= this.lesson.step;
      this.playing.hear(this.state(this.step, there));
      this.playing.skip();
      if (!there) return this.go(this.leaping ? LEAP : PACE);
      this.moving = this.leaping = false;
    }, after);
  }

  /** A frame as a table would tell it. Where nobody is to decide anything, nothing is offered. */
  private state(step: number, deciding: boolean): State {
    const { table, frames } = this.tutorial.replay;
    const frame = frames[step];
    if (!frame) throw new RangeError(`there is no step ${step}`);
    const begins = this.playing.shown === null || this.playing.shown.n !== step;
    const chairs = table.chairs.map((chair) => (chair.kind === "person" ? { ...chair, name: this.learner } : chair));
    return {
      type: "state",
      n: step + 1,
      after: begins ? 0 : step,
      table: { ...table, chairs },
      view: deciding ? frame.view : { ...frame.view, legal: [] },
      events: begins ? frames.slice(0, step + 1).flatMap(({ events }) => events) : frame.events,
    };
  }
}

function remembered(lessons: number): number {
  try {
    const at = Number(localStorage.getItem(KEY));
    return Number.isInteger(at) && at > 0 && at < lessons ? at : 0;
  } catch {
    return 0; // storage may be forbidden
  }
}

function remember(at: number): void {
  try {
    localStorage.setItem(KEY, String(at));
  } catch {
    // then it begins anew next time
  }
}
