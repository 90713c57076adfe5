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
const SMALL = 0.6; // a board that is seen at a smaller scale is hard to read
const NEAR = 0.55; // where names and spaces are good to play with
const NEAREST = 0.75; // closer than which nobody is brought
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

  /** Whoever looks at a part of the board goes on looking at it, at the same scale; whoever sees all of it still does. */
  resize(frame: Size): void {
    const first = this.frame.width === 1;
    const { scale } = this;
    const whole = this.zoom === 1;
    const middle = this.toBoard({ x: this.frame.width / 2, y: this.frame.height / 2 });
    this.frame = frame;
    if (first) this.begin();
    else if (!whole) {
      this.zoom = clamp(scale / this.fit, 1, CLOSEST);
      this.centre(middle);
    }
    this.hold();
    if (first) this.awaited?.();
  }

  /** Where the whole board would be too small to read, it begins filled, in the middle. */
  private begin(): void {
    if (this.fit >= SMALL) return;
    const fill = Math.max(this.frame.width / this.board.width, this.frame.height / this.board.height);
    this.zoom = Math.min(fill, NEAREST) / this.fit;
    this.centre({ x: this.board.width / 2, y: this.board.height / 2 });
  }

  private centre(on: Point): void {
    this.x = this.frame.width / 2 - on.x * this.scale;
    this.y = this.frame.height / 2 - on.y * this.scale;
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

  /** All of the board is seen. */
  reset(): void {
    if (this.frame.width === 1) this.awaited = () => this.reset();
    this.zoom = 1;
    this.hold();
  }

  /** Brings a part of the board into the middle, where the whole is too small to read: all of that part; or, if one would
   * rather be near, from no further than is good to play. */
  show(points: Point[], near: boolean): void {
    if (!points.length) return;
    if (this.frame.width === 1) {
      this.awaited = () => this.show(points, near);
      return;
    }
    if (this.fit >= SMALL) return;
    const xs = points.map((point) => point.x);
    const ys = points.map((point) => point.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const all = Math.min(this.frame.width / (right - left + 2 * AROUND), this.frame.height / (bottom - top + 2 * AROUND));
    this.zoom = Math.max(1, clamp(all, near ? NEAR : 0, NEAREST) / this.fit);
    this.centre({ x: (left + right) / 2, y: (top + bottom) / 2 });
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
