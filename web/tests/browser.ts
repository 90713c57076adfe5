// What the page's modules ask of a browser as they are loaded, for tests that run without one.

const nothing = { matches: false, addEventListener: () => undefined };
Object.assign(globalThis, { matchMedia: globalThis.matchMedia ?? (() => nothing) });
Object.assign(globalThis, { addEventListener: globalThis.addEventListener ?? nothing.addEventListener });
Object.assign(globalThis, { navigator: globalThis.navigator ?? {} });
