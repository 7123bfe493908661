import * as z from 'zod/mini';
import { type Embed, embed, getEmbed } from '#features/embed/contract/embed.ts';
import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import type { Api } from '../platform/calls/call.ts';
import { createPoller } from '../platform/live/poller.ts';
import { createStore, type Readable, watch } from '../platform/state/store.ts';
import type { Broadcast } from '../platform/tabs/broadcast.ts';
import type { TabMemory } from '../platform/tabs/tab-memory.ts';
import type { TabPresence } from '../platform/tabs/tab-presence.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ServerClock } from '../platform/time/server-clock.ts';

/*
 * The server's answer to `GET /v1/embed`: maintenance, person, rights and flags of this page. It is fetched
 * when the page opens and after each change. One tab fetches it and passes it on to the others, without the
 * token. The parts that are not personal are stored for the next page of the tab, so that a banner does not
 * flicker while that page waits for its own answer.
 */

export type EmbedStatus = Omit<Embed, 'token'>;
export const embedStatusMessage = z.object({ known: embed });
export type EmbedStatusMessage = z.infer<typeof embedStatusMessage>;

type EmbedStatusDependencies = {
  api: Pick<Api, 'call'>;
  clock: Clock;
  serverClock: ServerClock;
  leader: Readable<boolean>;
  presence: TabPresence;
  broadcast: Broadcast<EmbedStatusMessage>;
  memory: TabMemory;
  /** Whether the stream of live events is connected. */
  connected: Readable<boolean>;
  onAnswer(answer: Embed): void;
  onError(error: unknown): void;
};

const everyMs = 60_000;
const withoutEventsMs = 15_000;
const leaderTimeoutMs = 2_000;
const lastKey = 'portico.embed';

export function createEmbedStatus(dependencies: EmbedStatusDependencies) {
  const { clock, broadcast, leader, memory } = dependencies;
  const known = createStore<EmbedStatus | null>(lastPage(memory));
  /** Whether `known` is the answer to this page's own request. */
  const fresh = createStore(false);

  /** Answers can overtake each other, so the newer maintenance status wins. */
  function take(next: EmbedStatus): void {
    const now = known.get();
    const isOlder = now !== null && fresh.get() && now.maintenance.changedAt > next.maintenance.changedAt;
    known.set(isOlder ? { ...next, maintenance: now.maintenance } : next);
    fresh.set(true);
    remember();
  }

  function remember(): void {
    const now = known.get();
    if (now === null) return;
    const { maintenance, branding, provider, reports, language, release } = now;
    memory.write(lastKey, JSON.stringify({ maintenance, branding, provider, reports, language, release }));
  }

  async function poll(signal: AbortSignal): Promise<boolean> {
    const measured = dependencies.serverClock.asking();
    try {
      const { token, ...answer } = await dependencies.api.call(getEmbed, {}, { signal });
      if (signal.aborted) return false;
      measured(answer.maintenance.serverTime);
      dependencies.onAnswer({ ...answer, token });
      take(answer);
      if (leader.get()) broadcast.post({ known: { ...answer, token: null } });
      return true;
    } catch (error) {
      if (!signal.aborted) dependencies.onError(error);
      return false;
    }
  }

  const withoutEvents = createStore(false);
  const asked = createPoller(
    { ...dependencies, random: Math.random },
    { every: everyMs, enabled: createStore(true), poll },
  );
  createPoller(
    { ...dependencies, random: Math.random },
    {
      every: withoutEventsMs,
      enabled: withoutEvents,
      known: true,
      poll: async () => {
        await asked.now();
        return true;
      },
    },
  );
  let cancelDoubt = () => {};
  watch(dependencies.connected, (connected) => {
    cancelDoubt();
    if (connected) withoutEvents.set(false);
    else
      cancelDoubt = clock.after(Math.random() * withoutEventsMs, () =>
        withoutEvents.set((known.get()?.user ?? null) !== null),
      );
  });

  let received = 0;
  broadcast.subscribe(({ known: other }) => {
    const now = known.get();
    // Another person signed in or out in that tab, so this page fetches its own answer.
    if (now === null || now.user?.id !== other.user?.id) void asked.now();
    else if (Number(other.eventId) >= Number(now.eventId)) {
      received += 1;
      take(other);
      asked.polledElsewhere();
    }
  });

  let isPlanned = false;

  return {
    known,
    fresh,
    ask: () => void asked.now(),
    /**
     * Many browsers are affected: the leading tab fetches within so many milliseconds, the others wait for
     * its answer.
     */
    changed(within: number): void {
      if (isPlanned) return;
      isPlanned = true;
      const before = received;
      clock.after(leader.get() ? Math.random() * within : within + leaderTimeoutMs, () => {
        isPlanned = false;
        if (leader.get() || received === before) void asked.now();
      });
    },
    /** The server has pushed the maintenance status. */
    pushed(maintenance: MaintenanceStatus): void {
      const now = known.get();
      if (now === null || maintenance.changedAt < now.maintenance.changedAt) return;
      known.set({ ...now, maintenance });
      remember();
    },
  };
}

/** The stored answer of the previous page of this tab; null if there is none, or if it said offline. */
function lastPage(memory: TabMemory): EmbedStatus | null {
  try {
    const last = JSON.parse(memory.read(lastKey) ?? 'null') as object | null;
    const nobody = { user: null, token: null, rights: [], rightLabels: {}, flags: {}, eventId: '' };
    const read = embed.safeParse({ ...nobody, ...last });
    // This page was served, so an older status must not send it to the maintenance page.
    return read.success && read.data.maintenance.mode !== 'full' ? read.data : null;
  } catch {
    return null;
  }
}
