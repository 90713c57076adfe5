// Sounds: a few short tones, made here; off unless they are wanted.

import type { State } from "../wire";
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function tone(frequency: number, delay: number, length: number, volume = 0.08): void {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

const TONES: Record<string, () => void> = {
  draw: () => tone(420, 0, 0.08),
  claim: () => [523, 659, 784].forEach((note, number) => tone(note, number * 0.09, 0.22)), // the bell of a cable car
  token: () => tone(988, 0.25, 0.18),
  last_round: () => [392, 392].forEach((note, number) => tone(note, number * 0.2, 0.3)),
  end: () => [523, 659, 784, 1047].forEach((note, number) => tone(note, number * 0.12, 0.4)),
};

export const sounds = {
  tell(state: State): void {
    if (!settings.sound) return;
    for (const kind of new Set(state.events.map((event) => event.e))) TONES[kind]?.();
  },
};
