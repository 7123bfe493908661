import type { SessionEnd } from '#features/session/contract/end.ts';
import type { SessionState } from '#web/platform/contexts.tsx';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { CurrentToken } from './current-token.ts';
import type { createRenewal } from './renewal.ts';
import { type SessionMessage, signInReasonOf, staysHere } from './session-ends.ts';
import type { createSignInPage } from './sign-in-page.ts';

type EndingDependencies = {
  clock: Clock;
  broadcast: Broadcast<SessionMessage>;
  presence: TabPresence;
  page: { stays(): boolean };
};

type EndingParts = {
  token: CurrentToken;
  renewal: ReturnType<typeof createRenewal>;
  signInPage: ReturnType<typeof createSignInPage>;
  isOver: () => boolean;
  /** Drops the token, and sets the next state. */
  forget: (next: SessionState) => void;
  /** Whether a person has been signed in on this page. */
  hasKnownPerson: () => boolean;
};

const endTimeout = 5_000;
/** A new sign-in ends the previous session, and the next page needs this long to load. */
const newPageWithin = 1_000;

/** How the session ends when the person has not asked for it here. */
export function createSessionEnding(dependencies: EndingDependencies, parts: EndingParts) {
  const { clock, broadcast, presence, page } = dependencies;
  const { token, renewal, signInPage, isOver, forget } = parts;
  /** The reason that the server has published for the end of the session; null again once a token is received. */
  let published: SessionEnd | null = null;

  function publishedEnded(reason: SessionEnd): void {
    if (isOver()) return;
    published = reason;
    const signal = renewal.signal();
    token.distrust();
    const cancel = clock.after(endTimeout, () => {
      // The sign-in would fail without the server, and what is typed would be lost with the page.
      if (!signal.aborted && !token.isTrusted()) end(reason, false);
    });
    // The token of a renewal under way may have been granted before the end.
    renewal
      .settled()
      .then(token.distrust, () => {})
      .then(() => renewal.renew(token.value()))
      .then(cancel, () => {});
  }

  /**
   * The server has ended the session: goes to the sign-in, unless this tab is hidden or has just come from
   * there.
   */
  function end(found: SessionEnd, redirects = true): void {
    const wait = published === null ? 0 : newPageWithin;
    const reason = published === null || published === 'ended' ? found : published;
    forget({ status: 'signed-out', reason });
    broadcast.post({ type: 'ended' });
    if (staysHere.has(reason)) return;
    if (!redirects || page.stays() || !presence.visible.get()) return;
    if (signInPage.isLoop()) return;
    // A person who arrives without a session needs no explanation of the sign-in page.
    const redirect = () => signInPage.go(parts.hasKnownPerson() ? signInReasonOf(reason) : null);
    if (wait === 0) redirect();
    else renewal.after(wait, redirect);
  }

  return {
    publishedEnded,
    end,
    tokenReceived(): void {
      published = null;
    },
  };
}
