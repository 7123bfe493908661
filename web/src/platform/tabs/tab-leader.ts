import * as z from 'zod/mini';
import type { Broadcast } from './broadcast.ts';
import type { Clock } from '../time/clock.ts';
import { createStore, type Readable, watch } from '../state/store.ts';
import type { TabPresence } from './tab-presence.ts';
import type { Locks } from './with-lock.ts';
import { base } from '../base.ts';

/*
 * One of the tabs of a browser leads: it alone polls and holds the event streams, since browsers allow six
 * HTTP/1.1 connections to a host and the seventh tab would hang. The protocol:
 *
 * 1. The holder of the Web Lock leads. Every other tab queues for it, so when the leader closes or crashes,
 *    the browser itself gives the lock to the next one at once.
 * 2. The leader sends a beat every 5 s, and whenever a tab asks; the beat says whether the leader is visible.
 * 3. A visible tab that receives a hidden leader's beat steals the lock: browsers slow hidden tabs down and
 *    freeze them. A visible tab also steals the lock when it has received nothing for 12 s and its question stays
 *    unanswered for 1.5 s.
 * 4. Hidden tabs never steal: their own timers are slowed down, so their judgement of silence means nothing.
 * 5. A leader whose lock was stolen learns it from the lock, stops leading and queues again. A tab that thaws
 *    may lead for an instant together with the new leader: whatever a leader does is harmless when done twice.
 *
 * Without Web Locks (plain http on another name than localhost) every tab works by itself.
 */

/** `visible`: whether the sending tab is visible. */
export const leaderMessage = z.object({ type: z.enum(['beat', 'ask']), visible: z.boolean() });
export type LeaderMessage = z.infer<typeof leaderMessage>;

export type LeaderDependencies = {
  locks: Locks | undefined;
  broadcast: Broadcast<LeaderMessage>;
  clock: Clock;
  presence: Pick<TabPresence, 'visible'>;
};

const lockName = `portico${base}:leader`;
const beatEvery = 5_000;
const silence = 12_000;
const answerWithin = 1_500;

/**
 * Takes part in the election of the leading tab until the page goes away. Returns whether this tab leads,
 * live.
 */
export function electTabLeader({ locks, broadcast, clock, presence }: LeaderDependencies): Readable<boolean> {
  if (locks === undefined) return createStore(true);
  const manager = locks;
  const leads = createStore(false);
  let leaveQueue = new AbortController();
  let stealing = false;
  let cancelTimer = () => {};

  /** Holds the lock, once given, until it is stolen or the page goes away. */
  function request(options: LockOptions): void {
    manager
      .request(lockName, options, () => {
        lead();
        return new Promise<never>(() => {});
      })
      .catch((error: unknown) => {
        // The request was withdrawn in order to steal.
        if (options.signal?.aborted) return;
        if (error instanceof DOMException && error.name === 'AbortError') {
          follow();
          queue();
        } else {
          // Locks are refused here, as in a page without storage: this tab works by itself.
          leads.set(true);
        }
      });
  }

  function queue() {
    leaveQueue = new AbortController();
    request({ signal: leaveQueue.signal });
  }

  function steal() {
    if (stealing) return;
    stealing = true;
    leaveQueue.abort();
    request({ steal: true });
  }

  function lead() {
    stealing = false;
    leads.set(true);
    beat();
  }

  function post(type: LeaderMessage['type']) {
    broadcast.post({ type, visible: presence.visible.get() });
  }

  function beat() {
    cancelTimer();
    post('beat');
    cancelTimer = clock.after(beatEvery, beat);
  }

  function follow() {
    // Another tab may have stolen the lock before this one was given it.
    stealing = false;
    leads.set(false);
    listenForBeats();
  }

  function listenForBeats() {
    cancelTimer();
    if (!presence.visible.get()) return;
    cancelTimer = clock.after(silence, ask);
  }

  function ask() {
    post('ask');
    // A beat within this time replaces this timer by `listenForBeats`.
    cancelTimer = clock.after(answerWithin, steal);
  }

  broadcast.subscribe((message) => {
    if (leads.get()) {
      if (message.type === 'ask') beat();
      return;
    }
    if (message.type !== 'beat') return;
    if (!message.visible && presence.visible.get()) steal();
    else listenForBeats();
  });

  queue();
  watch(presence.visible, (visible) => {
    if (leads.get()) beat();
    else if (visible) ask();
    else cancelTimer();
  });
  return leads;
}
