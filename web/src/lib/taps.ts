// Taps: who taps twice out of habit means it once, and another card may lie there by the second time.

const DOUBLE_TAP = 300; // milliseconds

let last = -Infinity;

/** Whether a click is the second of a double tap. Keys, and clicks elsewhere, never are. */
export function isSecondTap(event: MouseEvent): boolean {
  const quick = event.timeStamp - last < DOUBLE_TAP;
  last = event.timeStamp;
  return quick && event.detail > 1;
}
