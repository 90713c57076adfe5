// Lets the page start without a connection, so that it can say so itself. It keeps the page and its files, whose names
// change with their content; of what the server knows about games it keeps nothing.

const CACHE = "fogline";
const PAGE = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(keepPage().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate" && !pathname.startsWith("/api")) event.respondWith(page(request));
});

/** The newest page there is; the one kept only where the server cannot be reached. */
async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && new URL(request.url).pathname === PAGE) await remember(answer.clone());
    return answer;
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(PAGE);
    if (kept) return kept;
    throw error;
  }
}

async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone()).catch(() => undefined); // no room: then not
  return answer;
}

async function keepPage() {
  const answer = await fetch(PAGE, { cache: "no-cache" });
  if (!answer.ok) return;
  const files = (await answer.clone().text()).match(/\/assets\/[\w.-]+/g) ?? [];
  await remember(answer);
  await (await caches.open(CACHE)).addAll(files);
}

/** A page that differs from the one kept belongs to another version: the files of the old one go. */
async function remember(answer) {
  const cache = await caches.open(CACHE);
  const text = await answer.clone().text();
  const kept = await cache.match(PAGE);
  if (kept && (await kept.text()) === text) return;
  for (const key of await cache.keys()) await cache.delete(key);
  await cache.put(PAGE, answer);
}
