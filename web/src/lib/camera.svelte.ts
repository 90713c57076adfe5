// Camera: which part of the board is seen. It moves by drag, pinch, wheel, double tap and keys.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

const CLOSEST = 4;
const AROUND = 90; // of the board, that is seen around what is shown
const TAP_SLACK = 9;
const DOUBLE_TAP = 260;
const DOUBLE_TAP_SLACK = 30; // two taps further apart are two taps, however quick

export class Camera {
  x = $state(0);
  y = $state(0);
  zoom = $state(1);
  moving = $state(false);
  private frame = $state.raw<Size>({ width: 1, height: 1 });
  private pointers = new Map<number, Point>();
  private awaited: (() => void) | undefined; // what is to be shown once the frame has its size
  private travelled = 0;
  private lastTap: (Point & { time: number }) | null = null;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private tapping: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly board: Size,
    private readonly tapped: (on: Point) => void,
  ) {}

  /** The scale at which the whole board fits. */
  get fit(): number {
    return Math.min(this.frame.width / this.board.width, this.frame.height / this.board.height);
  }

  get scale(): number {
    return this.fit * this.zoom;
  }

  get transform(): string {
    return `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }

  resize(frame: Size): void {
    const first = this.frame.width === 1;
    this.frame = frame;
    if (first) this.begin();
    this.hold();
    if (first) this.awaited?.();
  }

  /** On a small upright screen the whole board would be too small to read: it begins filled, in the middle. */
  private begin(): void {
    const fill = Math.max(this.frame.width / this.board.width, this.frame.height / this.board.height) / this.fit;
    if (this.frame.width < 700 && fill > 1) {
      this.zoom = Math.min(fill, 1.5);
      this.x = (this.frame.width - this.board.width * this.scale) / 2;
    }
  }

  /** From the screen, relative to the frame, to the board. */
  toBoard(at: Point): Point {
    return { x: (at.x - this.x) / this.scale, y: (at.y - this.y) / this.scale };
  }

  zoomBy(factor: number, around: Point = { x: this.frame.width / 2, y: this.frame.height / 2 }): void {
    const zoom = Math.min(CLOSEST, Math.max(1, this.zoom * factor));
    const real = zoom / this.zoom;
    this.x = around.x - (around.x - this.x) * real;
    this.y = around.y - (around.y - this.y) * real;
    this.zoom = zoom;
    this.hold();
    this.settle();
  }

  moveBy(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.hold();
    this.settle();
  }

  reset(): void {
    this.zoom = 1;
    this.hold();
  }

  /** Brings a part of the board into the middle, all of it, and no closer than wanted. */
  show(points: Point[], closest: number): void {
    if (!points.length) return;
    if (this.frame.width === 1) {
      this.awaited = () => this.show(points, closest);
      return;
    }
    const xs = points.map((point) => point.x);
    const ys = points.map((point) => point.y);
    const wide = Math.max(...xs) - Math.min(...xs) + 2 * AROUND;
    const high = Math.max(...ys) - Math.min(...ys) + 2 * AROUND;
    const whole = Math.min(this.frame.width / wide, this.frame.height / high) / this.fit;
    this.zoom = Math.max(1, Math.min(closest, whole));
    this.x = this.frame.width / 2 - ((Math.min(...xs) + Math.max(...xs)) / 2) * this.scale;
    this.y = this.frame.height / 2 - ((Math.min(...ys) + Math.max(...ys)) / 2) * this.scale;
    this.hold();
  }

  /** The board stays in the frame. Where it is smaller, it lies in the middle and at the bottom: land goes on there. */
  private hold(): void {
    const width = this.board.width * this.scale;
    const height = this.board.height * this.scale;
    this.x = width <= this.frame.width ? (this.frame.width - width) / 2 : clamp(this.x, this.frame.width - width, 0);
    this.y = clamp(this.y, this.frame.height - height, Math.max(0, this.frame.height - height));
  }

  /** While it moves, the picture is only shifted; once it stands, it is drawn sharply. */
  private settle(): void {
    this.moving = true;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => (this.moving = false), 180);
  }

  down(id: number, at: Point): void {
    this.pointers.set(id, at);
    if (this.pointers.size === 1) this.travelled = 0;
  }

  move(id: number, at: Point): void {
    const before = this.pointers.get(id);
    if (!before) return;
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    this.pointers.set(id, at);
    this.travelled += Math.hypot(at.x - before.x, at.y - before.y);
    if (other) this.pinch(before, at, other);
    else if (this.travelled > TAP_SLACK) this.moveBy(at.x - before.x, at.y - before.y);
  }

  up(id: number, at: Point, touch: boolean): void {
    const alone = this.pointers.size === 1;
    if (!this.pointers.delete(id) || !alone || this.travelled > TAP_SLACK) return;
    const time = performance.now();
    const last = this.lastTap;
    const again =
      last !== null && time - last.time < DOUBLE_TAP && Math.hypot(at.x - last.x, at.y - last.y) < DOUBLE_TAP_SLACK;
    this.lastTap = again ? null : { ...at, time };
    const on = this.toBoard(at); // what was meant, wherever the board has moved by the time the tap counts
    clearTimeout(this.tapping);
    if (again) this.zoomBy(this.zoom > 1.6 ? 1 / CLOSEST : 2.2, at);
    // A finger's first tap may be half of a double tap, which means the board and not what lies under it.
    else if (touch) this.tapping = setTimeout(() => this.tapped(on), DOUBLE_TAP);
    else this.tapped(on);
  }

  cancel(id: number): void {
    this.pointers.delete(id);
    this.travelled = Infinity;
  }

  private pinch(before: Point, now: Point, other: Point): void {
    const wide = Math.hypot(now.x - other.x, now.y - other.y);
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.moveBy((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (was > 0) this.zoomBy(wide / was, middle);
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
