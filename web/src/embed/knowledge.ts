import { type Embed, getEmbed } from '@portico/contract/embed';
import type { MaintenanceStatus } from '@portico/contract/maintenance';
import type { Api } from '../platform/calls/call.ts';
import { createPoller } from '../platform/live/poller.ts';
import { createStore, type Readable, watch } from '../platform/state/store.ts';
import type { Broadcast } from '../platform/tabs/broadcast.ts';
import type { TabMemory } from '../platform/tabs/tab-memory.ts';
import type { TabPresence } from '../platform/tabs/tab-presence.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ServerClock } from '../platform/time/server-clock.ts';

/*
 * What a page knows: one answer of the server, asked for when the page opens and again when something has changed. Of many tabs
 * one asks and passes the answer on, without the token in it. What everybody may know of the last page is shown by the next one
 * until its own answer is there, so that a banner does not come and go from page to page.
 */

export type Known = Omit<Embed, 'token'>;
export type KnownMessage = { known: Known };

type KnowledgeDependencies = {
  api: Pick<Api, 'call'>;
  clock: Clock;
  serverClock: ServerClock;
  leader: Readable<boolean>;
  presence: TabPresence;
  broadcast: Broadcast<KnownMessage>;
  memory: TabMemory;
  /** The live events arrive. */
  connected: Readable<boolean>;
  onAnswer(answer: Embed): void;
  onError(error: unknown): void;
};

const everyMs = 60_000;
const withoutEventsMs = 15_000;
const leaderTimeoutMs = 2_000;
const lastKey = 'portico.embed';

export function readKnownMessage(data: Record<string, unknown>): KnownMessage | null {
  const read = getEmbed.answer.safeParse({ ...(data['known'] as object | undefined), token: null });
  return read.success ? { known: read.data } : null;
}

export function createKnowledge(dependencies: KnowledgeDependencies) {
  const { clock, broadcast, leader, memory } = dependencies;
  const known = createStore<Known | null>(lastPage(memory));
  /** Whether it is this page's own. */
  const fresh = createStore(false);

  /** Of two that were under way at once, the later one may be the older. */
  function take(next: Known): void {
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
      if (leader.get()) broadcast.post({ known: answer });
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
    // Another person has signed in, or out: their answer is not this page's, and this page asks for itself.
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
    /** Something has changed for many: the leading tab asks within so many milliseconds, the others wait for it. */
    changed(within: number): void {
      if (isPlanned) return;
      isPlanned = true;
      const before = received;
      clock.after(leader.get() ? Math.random() * within : within + leaderTimeoutMs, () => {
        isPlanned = false;
        if (leader.get() || received === before) void asked.now();
      });
    },
    /** The server has pushed how maintenance is. */
    pushed(maintenance: MaintenanceStatus): void {
      const now = known.get();
      if (now === null || maintenance.changedAt < now.maintenance.changedAt) return;
      known.set({ ...now, maintenance });
      remember();
    },
  };
}

/** What the last page of this tab knew, as long as its maintenance may still be true; null: nothing. */
function lastPage(memory: TabMemory): Known | null {
  try {
    const last = JSON.parse(memory.read(lastKey) ?? 'null') as object | null;
    const nobody = { user: null, token: null, rights: [], rightLabels: {}, flags: {}, eventId: '' };
    const read = getEmbed.answer.safeParse({ ...nobody, ...last });
    // A page that was let through must not be led away by what was true a page ago.
    return read.success && read.data.maintenance.mode !== 'full' ? read.data : null;
  } catch {
    return null;
  }
}
