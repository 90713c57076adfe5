// The server's time: turns are timed by its clock, and a device's may be wrong.

const IGNORED = 1500; // milliseconds: the server tells whole seconds, and takes a moment to say them

let ahead = 0; // milliseconds, of the device's clock

/** What an answer says in its `Date` header. */
export function hearDate(date: string | null): void {
  const told = Date.parse(date ?? "") + 500;
  if (Number.isNaN(told)) return;
  const found = told - Date.now();
  ahead = Math.abs(found) < IGNORED ? 0 : found;
}

/** In milliseconds since 1970. */
export const serverNow = (): number => Date.now() + ahead;
