// Whose turn it is, where one sees it from afar: in the tab's title, its icon, and, if allowed, a notification.

import type { State } from "../wire";
import { seatName } from "./story";
import { settings } from "./settings.svelte";
import { t } from "./words.svelte";

let before = false;

/** `away`: a bot plays for the person. */
export function attention(state: State | null, yours: boolean, away = false): void {
  const view = state?.view;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = yours ? "/icon-turn.svg" : "/icon.svg";
  if (!state || !view) document.title = "Fogline";
  else if (view.phase === "over") document.title = `${t("prompt.over")} · Fogline`;
  else if (away) document.title = `${t("menu.away")} · Fogline`;
  else if (yours) document.title = `${t("title.yours")} · Fogline`;
  else document.title = `${t("title.theirs", { name: view.deciding.map((seat) => seatName(state, seat)).join(", ") })} · Fogline`;
  if (yours && !before && document.hidden && settings.notify && "Notification" in window)
    notify();
  before = yours;
}

function notify(): void {
  try {
    new Notification(t("title.yours"), { icon: "/icon.svg", tag: "fogline-turn" });
  } catch {
    // Android's browsers have the class, but let only a service worker use it
  }
}
