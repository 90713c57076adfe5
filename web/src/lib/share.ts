// Sharing: links to copy, to hand over to another app, or to be seen by a camera.

import { encode } from "uqr";

export const inviteLink = (invite: string): string => `${location.origin}/join/${invite}`;
export const gameLink = (table: string): string => `${location.origin}/game/${table}`;

/** Whether it was copied: not every browser lets a page do so, least of all without a secure connection. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyTheOldWay(text);
  }
}

function copyTheOldWay(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.position = "fixed";
  field.style.opacity = "0";
  const before = document.activeElement;
  (document.querySelector("dialog[open]") ?? document.body).append(field); // a dialog lets nothing outside be selected
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

export const canShare = (): boolean => typeof navigator.share === "function";

export async function share(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined); // whoever changes their mind need not be told
}

/** A code that a camera reads, as one path of squares of size 1, and how wide it is. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 2, ecc: "M" });
  const rows = data.map((row, y) => {
    let path = "";
    for (let x = 0; x < row.length; x++) {
      const from = x;
      while (row[x]) x++;
      if (x > from) path += `M${from} ${y}h${x - from}v1h-${x - from}z`;
    }
    return path;
  });
  return { path: rows.join(""), size };
}
