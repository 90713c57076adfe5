// Notices: short words to the person, said once, seen for a while and read aloud. A newer one takes the place of an older.

export interface Notice {
  id: number;
  text: string;
  rule: string | null;
  kind: "info" | "refusal";
}

const SHOWN_FOR = 6000;
const READ_IN = 2500; // so long it stays, whatever others do meanwhile

class Notices {
  all = $state<Notice[]>([]);
  private next = 1;
  private said = 0;

  say(text: string, rule: string | null = null, kind: Notice["kind"] = "info"): void {
    const id = this.next++;
    this.said = performance.now();
    this.all = [{ id, text, rule, kind }];
    setTimeout(() => this.dismiss(id), SHOWN_FOR);
  }

  dismiss(id: number): void {
    this.all = this.all.filter((one) => one.id !== id);
  }

  /** The person does something else. */
  clear(): void {
    this.all = [];
  }

  /** Somebody has moved: what was said is of the past, once it can have been read. */
  moveOn(): void {
    const ids = this.all.map(({ id }) => id);
    setTimeout(() => ids.forEach((id) => this.dismiss(id)), Math.max(0, this.said + READ_IN - performance.now()));
  }
}

export const notices = new Notices();
