// Bells: how the sounds are made, from nothing but sines and noise. Each fades out within a second and a half.

const QUIET = 0.0003; // to which a sound decays, before it is faded out

interface Partial {
  ratio: number; // to the lowest; those of a bell are no whole numbers
  loudness: number;
  seconds: number; // until it is quiet: high ones die first
}

/** A bronze saucer, as it hangs on a cable car: its modes come in pairs that beat slowly against each other. */
const BELL: readonly Partial[] = [
  { ratio: 0.5, loudness: 0.16, seconds: 0.9 },
  { ratio: 1, loudness: 0.5, seconds: 1.1 },
  { ratio: 1.004, loudness: 0.3, seconds: 1.0 },
  { ratio: 2.31, loudness: 0.32, seconds: 0.75 },
  { ratio: 2.325, loudness: 0.18, seconds: 0.7 },
  { ratio: 3.86, loudness: 0.2, seconds: 0.42 },
  { ratio: 5.63, loudness: 0.12, seconds: 0.25 },
  { ratio: 7.4, loudness: 0.07, seconds: 0.14 },
];
const BELL_PITCH = 830;
const SECOND_STROKE = 0.24; // seconds after the first: "ding ding"

/** Two strokes of the gripman's bell. */
export function bell(context: BaseAudioContext, at: number): void {
  const out = master(context, at, 1.4, 0.21);
  stroke(context, out, at, 0.8);
  stroke(context, out, at + SECOND_STROKE, 1);
}

function stroke(context: BaseAudioContext, out: AudioNode, at: number, force: number): void {
  for (const { ratio, loudness, seconds } of BELL) {
    const gain = decay(context, at, force * loudness, 0.0015, seconds);
    sine(context, BELL_PITCH * ratio, at, seconds).connect(gain).connect(out);
  }
  const clapper = filter(context, "bandpass", 3200, 0.8);
  noise(context, at, 0.03).connect(clapper).connect(decay(context, at, 0.5 * force, 0.001, 0.025)).connect(out);
}

const HORN: readonly [pitch: number, loudness: number][] = [
  [116.5, 1],
  [147, 0.55], // a little out of tune with the first, as two horns are
];

/** A foghorn: air sets it going, and at the end it sinks into its grunt. */
export function foghorn(context: BaseAudioContext, at: number): void {
  const out = master(context, at, 1.45, 0.14);
  const throat = filter(context, "lowpass", 500, 0.7);
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(1, at + 0.16);
  gain.gain.setValueAtTime(1, at + 0.85);
  gain.gain.linearRampToValueAtTime(0.75, at + 1.05);
  gain.gain.exponentialRampToValueAtTime(QUIET, at + 1.42);
  throat.connect(gain).connect(out);
  for (const [pitch, loudness] of HORN) {
    const reed = context.createOscillator();
    reed.type = "sawtooth";
    reed.frequency.setValueAtTime(0.94 * pitch, at);
    reed.frequency.linearRampToValueAtTime(pitch, at + 0.2);
    reed.frequency.setValueAtTime(pitch, at + 0.92);
    reed.frequency.linearRampToValueAtTime(0.72 * pitch, at + 1.12);
    play(reed, at, 1.45);
    reed.connect(level(context, loudness)).connect(throat);
  }
  const breath = noise(context, at, 1.45).connect(filter(context, "bandpass", 480, 0.6));
  breath.connect(level(context, 0.1)).connect(throat);
}

/** A knock on wood: one second less. */
export function tick(context: BaseAudioContext, at: number): void {
  const out = master(context, at, 0.12, 0.16);
  sine(context, 1240, at, 0.09).connect(decay(context, at, 0.7, 0.001, 0.06)).connect(out);
  sine(context, 2310, at, 0.05).connect(decay(context, at, 0.3, 0.001, 0.03)).connect(out);
}

/** What every sound goes through: as loud as it may be, nothing below hearing, and silence in the end. */
function master(context: BaseAudioContext, at: number, seconds: number, volume: number): AudioNode {
  const gain = level(context, volume);
  gain.gain.setValueAtTime(volume, at + seconds - 0.06);
  gain.gain.linearRampToValueAtTime(0, at + seconds);
  gain.connect(filter(context, "highpass", 70, 0.7)).connect(context.destination);
  return gain;
}

function decay(context: BaseAudioContext, at: number, peak: number, attack: number, seconds: number): GainNode {
  const gain = level(context, 0);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(peak, at + attack);
  gain.gain.exponentialRampToValueAtTime(QUIET, at + attack + seconds);
  return gain;
}

function level(context: BaseAudioContext, volume: number): GainNode {
  const gain = context.createGain();
  gain.gain.value = volume;
  return gain;
}

function filter(context: BaseAudioContext, type: BiquadFilterType, frequency: number, sharpness: number): AudioNode {
  const node = context.createBiquadFilter();
  node.type = type;
  node.frequency.value = frequency;
  node.Q.value = sharpness;
  return node;
}

function sine(context: BaseAudioContext, frequency: number, at: number, seconds: number): AudioNode {
  const oscillator = context.createOscillator();
  oscillator.frequency.value = frequency;
  return play(oscillator, at, seconds);
}

function noise(context: BaseAudioContext, at: number, seconds: number): AudioNode {
  const buffer = context.createBuffer(1, Math.ceil(seconds * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let number = 0; number < samples.length; number++) samples[number] = 2 * Math.random() - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return play(source, at, seconds);
}

function play<Source extends AudioScheduledSourceNode>(source: Source, at: number, seconds: number): Source {
  source.start(at);
  source.stop(at + seconds);
  return source;
}
