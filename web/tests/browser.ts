// What the page's modules ask of a browser as they are loaded, for tests that run without one.

const nothing = { matches: false, addEventListener: () => undefined };
Object.assign(globalThis, { matchMedia: globalThis.matchMedia ?? (() => nothing) });
