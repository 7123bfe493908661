import { type Readable, watch } from '../platform/state/store.ts';
import type { Clock } from '../platform/time/clock.ts';

const againMs = 10_000;

/** Downloads a part, once, when it is first wanted; what fails is tried again as long as it is wanted. */
export function whenWanted(wanted: Readable<boolean>, clock: Clock, load: () => Promise<void>): void {
  let isAsked = false;
  const look = (): void => {
    if (isAsked || !wanted.get()) return;
    isAsked = true;
    load().catch(() => {
      clock.after(againMs, () => {
        isAsked = false;
        look();
      });
    });
  };
  watch(wanted, look);
}
