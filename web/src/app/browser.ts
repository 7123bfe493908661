import type { Boot } from '#contract/boot.ts';
import { newEventId } from '../platform/calls/event-id.ts';
import { createErrorRecord, watchUncaught } from '../platform/record-error.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { electTabLeader, leaderMessage } from '../platform/tabs/tab-leader.ts';
import { createSharedMemory, createTabMemory } from '../platform/tabs/tab-memory.ts';
import { watchTabPresence } from '../platform/tabs/tab-presence.ts';
import { browserClock } from '../platform/time/clock.ts';
import { createServerClock, pageObservation } from '../platform/time/server-clock.ts';
import { base } from '../platform/base.ts';

export type Browser = ReturnType<typeof browserOf>;

/**
 * The parts of the browser and of its other tabs that the features of the page use.
 *
 * @param screen returns the path of the screen, with the names of parameters in place of their values
 */
export function browserOf(boot: Boot, screen: () => string) {
  const clock = browserClock;
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const presence = watchTabPresence(window, document);
  const errors = createErrorRecord(clock.now, screen);
  watchUncaught(window, errors);
  return {
    clock,
    serverClock: createServerClock(() => performance.now(), pageObservation(performance, boot.serverTime)),
    random: Math.random,
    fetch: window.fetch.bind(window),
    locks,
    presence,
    memory: createTabMemory(window),
    shared: createSharedMemory(window),
    newId: newEventId,
    /** The id of this tab. */
    tab: newEventId(),
    errors,
    leader: electTabLeader({
      locks,
      broadcast: openBroadcast(browserChannel, 'leader', leaderMessage),
      clock,
      presence,
    }),
  };
}

/** @param address path, query and fragment of the screen */
export function pageMoves(address: () => string) {
  // In a new task: by then the forms that would ask before the page is left are unmounted.
  return {
    address,
    go: (to: string) => void setTimeout(() => window.location.assign(to)),
    reload: () => void setTimeout(() => window.location.reload()),
    startOver: () => void setTimeout(() => window.location.replace(`${base}/`)),
  };
}
