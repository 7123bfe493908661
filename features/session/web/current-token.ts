import type { Clock } from '#web/platform/time/clock.ts';
import type { TokenAnswer } from './session-ends.ts';

export type CurrentToken = ReturnType<typeof createCurrentToken>;

/** Times in milliseconds by this computer's clock, except `expiresAt`, which is by the server's. */
type Token = { value: string; expiresAt: number; usableUntil: number; renewAt: number };

/** A token that is about to expire is not sent any more. */
const margin = 5_000;

/**
 * The access token of this tab, in memory alone, with the times at which it can be sent and is to be renewed.
 */
export function createCurrentToken(clock: Clock, random: () => number) {
  let token: Token | null = null;
  let last: string | null = null;
  return {
    value: () => token?.value ?? null,
    /** The last token: by it the server knows which session ended when this page asks for the reason. */
    last: () => last,
    /** The token, while it can be sent. */
    usable: () => (token !== null && clock.now() < token.usableUntil ? token.value : null),
    isTrusted: () => (token?.usableUntil ?? 0) > 0,
    isDue: () => token === null || clock.now() >= token.renewAt,
    isNewerThan: ({ expiresAt }: TokenAnswer) => token !== null && expiresAt < token.expiresAt,
    /** Stores a new token; returns the milliseconds until it is to be renewed. */
    take({ accessToken: value, expiresAt, serverTime, receivedAt }: TokenAnswer): number {
      const lifetime = expiresAt - serverTime;
      // At a random time, so that the tabs of a browser, and browsers after an outage, do not ask together.
      const renewAt = receivedAt + lifetime * (0.65 + random() * 0.15);
      const usableUntil = receivedAt + lifetime - Math.min(margin, lifetime / 10);
      token = { value, expiresAt, usableUntil, renewAt };
      last = value;
      return Math.max(0, renewAt - clock.now());
    },
    /** The token is not sent any more, but is still named to the server as the refused one. */
    distrust() {
      if (token !== null) token = { ...token, usableUntil: 0 };
    },
    drop() {
      token = null;
    },
  };
}
