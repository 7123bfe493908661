import { storeReturnAddress, storeSignInReason, type SignInReason } from '#web/platform/sign-in-reason.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { base } from '#web/platform/base.ts';

const leftForSignInKey = 'portico.left-for-sign-in';
/** Two visits to the sign-in within this time without a token in between are a loop. */
const loopWindow = 30_000;

/** Goes to the sign-in page, and remembers in the tab's memory what is needed on return. */
export function createSignInPage({
  clock,
  memory,
  page,
}: {
  clock: Clock;
  memory: TabMemory;
  page: { address(): string; go(address: string): void };
}) {
  return {
    /** Whether this page has just returned from the sign-in page without a token. */
    isLoop: () => clock.now() - Number(memory.read(leftForSignInKey) ?? 0) < loopWindow,
    /** @param reason what the sign-in page shows; null: what is stored already, if anything */
    go(reason: SignInReason | null): void {
      if (reason !== null) storeSignInReason(memory, reason);
      memory.write(leftForSignInKey, String(clock.now()));
      storeReturnAddress(memory, page.address());
      page.go(`${base}/auth/login?returnTo=${encodeURIComponent(page.address())}`);
    },
    /** A token was received. */
    forget(): void {
      memory.write(leftForSignInKey, null);
      storeSignInReason(memory, null);
      storeReturnAddress(memory, null);
    },
  };
}
