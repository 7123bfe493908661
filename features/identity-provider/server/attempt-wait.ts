/** Wrong passwords without a wait: people mistype. */
export const mistypes = 4;
/** Wrong passwords without a wait, for all networks of one /48 together, where there may be several people. */
const freeOfSite = 16;
const longestMs = 15 * 60_000;
/** After so many wrong passwords in a row, the next attempt has the longest wait. */
export const attemptsUntilSlowest = mistypes + 1 + Math.ceil(Math.log2(longestMs / 1000));
/** Failed attempts are no longer counted a day after the last one. */
export const attemptMemoryMs = 24 * 3_600_000;

/** A limit: `burst` attempts at once, and one more each time that `everyMs` has passed. */
export type Total = { burst: number; everyMs: number };

/**
 * Attempts at one account from all browsers that it does not know. A network that goes on guessing makes four an
 * hour: it takes four networks to use this up, and even a thousand networks make only 338 on the first day.
 */
export const totalAttempts: Total = { burst: 50, everyMs: 5 * 60_000 };

/** Requests for a new password for one address, each of which is a mail. */
export const totalRequests: Total = { burst: 10, everyMs: 3_600_000 };

/** Requests to register from one network, an office perhaps, and from all: each may be a mail, and a link for an hour. */
export const registrationsOfNetwork: Total = { burst: 100, everyMs: 20_000 };
export const registrations: Total = { burst: 1_000, everyMs: 2_000 };

/** Milliseconds until the next attempt: none at first, then doubling from a second to 15 minutes. */
export function waitAfter(attempts: number, without = mistypes): number {
  return attempts <= without ? 0 : Math.min(longestMs, 1000 * 2 ** (attempts - without - 1));
}

/** `waitAfter` for all networks of a /48. */
export function waitOfSite(attempts: number): number {
  return waitAfter(attempts, freeOfSite);
}

/** Milliseconds until the next request for a new password: a minute, doubling to an hour. */
export function waitAfterRequest(requests: number): number {
  return Math.min(3_600_000, 60_000 * 2 ** (requests - 1));
}
