// Notices: short words to the person, said once, seen for a while and read aloud.

export interface Notice {
  id: number;
  text: string;
  rule: string | null;
  kind: "info" | "refusal";
}

const SHOWN_FOR = 6000;

class Notices {
  all = $state<Notice[]>([]);
  private next = 1;

  say(text: string, rule: string | null = null, kind: Notice["kind"] = "info"): void {
    const id = this.next++;
    this.all = [...this.all.filter((one) => one.text !== text).slice(-2), { id, text, rule, kind }];
    setTimeout(() => this.dismiss(id), SHOWN_FOR);
  }

  dismiss(id: number): void {
    this.all = this.all.filter((one) => one.id !== id);
  }
}

export const notices = new Notices();
