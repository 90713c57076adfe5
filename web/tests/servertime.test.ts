import { afterEach, describe, expect, it, vi } from "vitest";

import { hearDate, serverNow } from "../src/lib/servertime";

const NOON = Date.UTC(2030, 0, 1, 12);

describe("the server's time", () => {
  afterEach(() => void vi.useRealTimers());

  it("is the device's where the two agree, as well as whole seconds can tell", () => {
    vi.useFakeTimers({ now: NOON + 900 });
    hearDate(new Date(NOON).toUTCString());
    expect(serverNow()).toBe(NOON + 900);
  });

  it("goes on from what was told where they do not", () => {
    vi.useFakeTimers({ now: NOON + 3_600_000 });
    hearDate(new Date(NOON).toUTCString());
    vi.advanceTimersByTime(10_000);
    expect(Math.abs(serverNow() - (NOON + 10_000))).toBeLessThan(1000);
  });

  it("stays what it was when nothing is told", () => {
    vi.useFakeTimers({ now: NOON });
    hearDate(new Date(NOON + 60_000).toUTCString());
    const before = serverNow();
    hearDate(null);
    hearDate("soon");
    expect(serverNow()).toBe(before);
  });
});
