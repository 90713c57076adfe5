// Lets the page start without a connection, so that it can say so itself, and the rules and the tutorial be read. It
// keeps the page and its files, whose names change with their content; of what the server knows about people's games it
// keeps nothing.

const CACHE = "fogline";
const PAGE = "/";
const ALIKE_FOR_ALL = /^\/api\/(tutorial|maps\/\w+)$/;
const KEPT = ["/api/tutorial", "/api/maps/san_francisco"];

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
  else if (ALIKE_FOR_ALL.test(pathname)) event.respondWith(newest(request));
  else if (request.mode === "navigate" && !pathname.startsWith("/api")) event.respondWith(page(event));
});

/** The newest page there is; the one kept only where the server cannot be reached. */
async function page(event) {
  const { request } = event;
  try {
    const answer = await fetch(request);
    if (answer.ok && new URL(request.url).pathname === PAGE) event.waitUntil(remember(answer.clone()));
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

/** What the server has now; what it had only where it cannot be reached. */
async function newest(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone()).catch(() => undefined);
    return answer;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

async function keepPage() {
  const answer = await fetch(PAGE, { cache: "no-cache" });
  if (answer.ok) await remember(answer);
}

/** Every file, and whatever it names in turn: pages that nobody has opened yet are there, too. */
async function keepFiles(cache, files, known) {
  const wanted = files.filter((file) => !known.has(file));
  for (const file of wanted) known.add(file);
  const named = await Promise.all(wanted.map((file) => keepFile(cache, file).catch(() => [])));
  if (wanted.length) await keepFiles(cache, [...new Set(named.flat())], known);
}

async function keepFile(cache, file) {
  const kept = await cache.match(file);
  const answer = kept ?? (await fetch(file));
  if (!answer.ok) return [];
  if (!kept) await cache.put(file, answer.clone());
  return file.endsWith(".woff2") ? [] : filesIn(await answer.text());
}

/** The names of files as the builder makes them, wherever they stand. */
const filesIn = (text) => [...text.matchAll(/[\w.]+(?:-[\w.]+)*-[\w-]{8}\.(?:js|css|woff2)/g)].map(([name]) => `/assets/${name}`);

/** A page that differs from the one kept belongs to another version: the files of the old one go. */
async function remember(answer) {
  const cache = await caches.open(CACHE);
  const text = await answer.clone().text();
  const kept = await cache.match(PAGE);
  if (kept && (await kept.text()) === text) return;
  for (const key of await cache.keys()) await cache.delete(key);
  await cache.put(PAGE, answer);
  await keepFiles(cache, filesIn(text), new Set());
  await Promise.allSettled(KEPT.map((path) => cache.add(path)));
}
