import type { Clock } from '../../platform/time/clock.ts';
import { ProblemError } from '../../platform/calls/problem-error.ts';
import { createStore, type Readable } from '../../platform/state/store.ts';
import { type Locks, takeTurns } from '../../platform/tabs/turns.ts';
import type { Draft } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import { type FeedbackError, sendingError } from './feedback-error.ts';
import type { Refusal, WaitingReport } from './waiting-report.ts';

/*
 * Reports that were to be sent and could not be (BUG-5). They stand in the browser's database, for their person, until the
 * server has them or the person discards them. The protocol:
 *
 * 1. Every tab lists them, and tries them again when the network is back, when the tab is looked at again, and from time to
 *    time, ever more rarely.
 * 2. A tab tries one only while it holds the lock of its event id, and looks again whether it still waits: of several tabs
 *    one sends it. Should a tab end in between, another sends it under the same event id, and the server stores it once.
 * 3. What the server refuses for good waits for the person, and is not tried again.
 * 4. A page belongs to one person: their reports alone are listed, and they are sent with their token or not at all.
 */

type OutboxEdges = {
  clock: Clock;
  random: () => number;
  locks: Locks | undefined;
  drafts: Pick<DraftStore, 'readWaiting' | 'putWaiting' | 'removeWaiting'>;
  /** Sends one to the end. Rejects with a FeedbackError. */
  deliver: (draft: Draft) => Promise<void>;
  /** The list has changed. */
  onChange: () => void;
  onSent: (report: WaitingReport) => void;
  onRefused: (report: WaitingReport, error: FeedbackError) => void;
  onLoss: (error: unknown) => void;
};

/** A tab that is frozen with the lock in its hands must not stop the others. */
const turnTimeout = 180_000;
const firstRetry = 15_000;
const longestRetry = 300_000;

/** Whether it goes by itself: not what the server refuses, nor what was only put aside and never sent. */
export function isOnItsWay({ draft, refusal }: WaitingReport): boolean {
  return refusal === null && draft.sentAlong !== null;
}

/** Whether the same report may be taken another time: the network or the server is in trouble, or the session has ended. */
export function isPassing({ failure, status }: FeedbackError): boolean {
  if (failure === 'undetermined' || status === 0) return true;
  return status === undefined ? false : status >= 500 || [401, 408, 425, 429].includes(status);
}

export function refusalOf({ status = 0, code = '', errors }: FeedbackError): Refusal {
  return { status, code, errors };
}

export function errorOf({ status, code, errors }: Refusal): FeedbackError {
  return sendingError(new ProblemError({ status, code, title: 'The report was refused.', errors }));
}

function inOrder(reports: readonly WaitingReport[]): readonly WaitingReport[] {
  const each = new Map(reports.map((report) => [report.draft.eventId, report]));
  return [...each.values()].toSorted((one, other) => one.at - other.at);
}

export function createOutbox(edges: OutboxEdges) {
  const { clock, drafts, onLoss } = edges;
  const waiting = createStore<readonly WaitingReport[]>([]);
  /** By event id: those that this page has and the database has not, or not yet. */
  const unkept = new Map<string, WaitingReport>();
  /** Counts what is put and removed: what was read from the database before is outdated then. */
  let changes = 0;
  let owner: string | null = null;
  let failures = 0;
  let draining: Promise<void> | null = null;
  let cancelTimer = () => {};

  function list(next: readonly WaitingReport[]): void {
    waiting.set(next);
    edges.onChange();
  }

  function without(eventId: string): readonly WaitingReport[] {
    return waiting.get().filter(({ draft }) => draft.eventId !== eventId);
  }

  /** Reads the stored ones; a browser that stores nothing has them in this page alone. */
  async function read(): Promise<void> {
    const whose = owner;
    if (whose === null) return;
    const before = changes;
    const found = await drafts.readWaiting(whose).catch(onLoss);
    if (found === undefined || owner !== whose) return;
    if (changes === before) list(inOrder([...found, ...unkept.values()]));
    else await read();
  }

  function turn<T>(eventId: string, work: () => Promise<T>): Promise<T> {
    return takeTurns(edges.locks, clock, `portico:report:${eventId}`, turnTimeout, work);
  }

  async function put(report: WaitingReport): Promise<void> {
    const { eventId } = report.draft;
    list(inOrder([...without(eventId), report]));
    unkept.set(eventId, report);
    if (owner === null) return;
    try {
      await drafts.putWaiting(owner, report);
      changes += 1;
      unkept.delete(eventId);
    } catch (error) {
      onLoss(error);
    }
  }

  async function remove(eventId: string): Promise<void> {
    unkept.delete(eventId);
    list(without(eventId));
    if (owner === null) return;
    await drafts.removeWaiting(owner, eventId).catch(onLoss);
    changes += 1;
    // A read in between may have listed it again.
    if (waiting.get().some(({ draft }) => draft.eventId === eventId)) list(without(eventId));
  }

  function retryable(): readonly WaitingReport[] {
    return waiting.get().filter((report) => isOnItsWay(report));
  }

  /** Tries each once; ends with the first for which it is too early, since the others would fare alike. */
  async function tryAll(whose: string): Promise<void> {
    for (const { draft } of retryable()) {
      const failure = await turn(draft.eventId, () => tryOne(whose, draft.eventId));
      if (owner !== whose) return;
      if (failure !== null && isPassing(failure)) {
        plan(failure.retryAfter);
        return;
      }
    }
    failures = 0;
  }

  async function tryOne(whose: string, eventId: string): Promise<FeedbackError | null> {
    await read();
    const report = retryable().find(({ draft }) => draft.eventId === eventId);
    if (owner !== whose || report === undefined) return null;
    try {
      await edges.deliver(report.draft);
    } catch (error) {
      const failure = sendingError(error);
      if (owner !== whose || isPassing(failure)) return failure;
      await put({ ...report, refusal: refusalOf(failure) });
      edges.onRefused(report, failure);
      return failure;
    }
    if (owner === whose) await remove(eventId);
    else await drafts.removeWaiting(whose, eventId).catch(onLoss);
    edges.onSent(report);
    return null;
  }

  function plan(retryAfter = 0): void {
    cancelTimer();
    const doubled = Math.min(longestRetry, firstRetry * 2 ** failures) * (0.75 + edges.random() / 2);
    failures += 1;
    cancelTimer = clock.after(Math.max(retryAfter, doubled), () => void drain());
  }

  /** Sends what waits, now. */
  function drain(): Promise<void> {
    cancelTimer();
    if (owner === null || retryable().length === 0) return Promise.resolve();
    const whose = owner;
    draining ??= tryAll(whose)
      .catch(onLoss)
      .finally(() => {
        draining = null;
        if (owner !== whose) void drain();
      });
    return draining;
  }

  return {
    waiting: waiting as Readable<readonly WaitingReport[]>,
    /** Another person, or none. */
    async belongTo(person: string | null): Promise<void> {
      owner = person;
      failures = 0;
      cancelTimer();
      unkept.clear();
      list([]);
      await read();
    },
    read,
    drain,
    /** Lets it wait; what could not be sent just now is tried a little later. */
    async add(report: WaitingReport): Promise<void> {
      await put(report);
      if (isOnItsWay(report) && draining === null) plan();
    },
    remove,
    turn,
  };
}
