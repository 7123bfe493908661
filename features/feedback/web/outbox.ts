import type { Clock } from '#web/platform/time/clock.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { createStore, type Readable } from '#web/platform/state/store.ts';
import { type Locks, withLock } from '#web/platform/tabs/with-lock.ts';
import type { Draft, Failed, WaitingReport } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import { type FeedbackError, sendingError } from './feedback-error.ts';
import { base } from '#web/platform/base.ts';

/*
 * Reports that could not be sent (BUG-5). They are in the browser's database, for their person, until the
 * server has stored them or the person discards them. The protocol:
 *
 * 1. Every tab lists them, and retries when the network is back, when the tab becomes visible, and in between
 *    with growing waits.
 * 2. A tab tries one only while it holds the lock of its event id, and then checks whether it still waits: of
 *    several tabs one sends it. If a tab ends in between, another sends it under the same event id, and the
 *    server stores it once.
 * 3. A report that the server refuses for good waits for the person, and is not retried.
 * 4. A page belongs to one person: only their reports are listed, and they are sent with their token or not
 *    at all.
 */

type OutboxDependencies = {
  clock: Clock;
  random: () => number;
  locks: Locks | undefined;
  drafts: Pick<DraftStore, 'readWaiting' | 'putWaiting' | 'removeWaiting'>;
  /** Sends one and waits for the answer. Rejects with a FeedbackError. */
  deliver: (draft: Draft) => Promise<void>;
  /** The list has changed. */
  onChange: () => void;
  onSent: (report: WaitingReport) => void;
  onRefused: (report: WaitingReport, error: FeedbackError) => void;
  onLoss: (error: unknown) => void;
};

/** A frozen tab that holds the lock must not stop the others. */
const lockTimeout = 180_000;
const firstRetry = 15_000;
const longestRetry = 300_000;

/** Whether it is retried: not if the server refused it, nor if it was only moved here and never submitted. */
export function isOnItsWay({ draft, failed }: WaitingReport): boolean {
  return failed?.final !== true && draft.sentAlong !== null;
}

/** Whether a retry may succeed: the network or the server is in trouble, or the session has ended. */
export function isTransient({ failure, status }: FeedbackError): boolean {
  if (failure === 'undetermined' || status === 0) return true;
  return status === undefined ? false : status >= 500 || [401, 408, 425, 429].includes(status);
}

export function failedOf(error: FeedbackError): Failed {
  const { status = 0, code = '', errors } = error;
  return { status, code, errors, final: !isTransient(error) };
}

export function errorOf({ status, code, errors }: Failed, hasPicture: boolean): FeedbackError {
  const problem = new ProblemError({ status, code, title: 'The report was refused.', errors });
  return sendingError(problem, hasPicture);
}

function inOrder(reports: readonly WaitingReport[]): readonly WaitingReport[] {
  const each = new Map(reports.map((report) => [report.draft.eventId, report]));
  return [...each.values()].toSorted((one, other) => one.at - other.at);
}

export function createOutbox(dependencies: OutboxDependencies) {
  const { clock, drafts, onLoss } = dependencies;
  const waiting = createStore<readonly WaitingReport[]>([]);
  /** The event ids of those that are being sent. */
  let trying: readonly string[] = [];
  /** By event id: those that this page has and the database does not have yet. */
  const unstored = new Map<string, WaitingReport>();
  /** Counts additions and removals: what was read from the database before one is outdated. */
  let changes = 0;
  let owner: string | null = null;
  let failures = 0;
  let draining: Promise<void> | null = null;
  /** The network returned while a try was under way, which may have failed because it began before. */
  let isReturned = false;
  let cancelTimer = () => {};

  function list(next: readonly WaitingReport[]): void {
    waiting.set(next);
    dependencies.onChange();
  }

  function without(eventId: string): readonly WaitingReport[] {
    return waiting.get().filter(({ draft }) => draft.eventId !== eventId);
  }

  /** Reads the stored ones; a browser that stores nothing has them in this page alone. */
  async function read(): Promise<void> {
    const personId = owner;
    if (personId === null) return;
    const before = changes;
    const found = await drafts.readWaiting(personId).catch(onLoss);
    if (found === undefined || owner !== personId) return;
    if (changes === before) list(inOrder([...found, ...unstored.values()]));
    else await read();
  }

  function turn<T>(eventId: string, work: () => Promise<T>): Promise<T> {
    return withLock(dependencies.locks, clock, `portico${base}:report:${eventId}`, lockTimeout, work);
  }

  /** Answers whether it is stored; otherwise this page alone has it. */
  async function put(report: WaitingReport): Promise<boolean> {
    const { eventId } = report.draft;
    list(inOrder([...without(eventId), report]));
    unstored.set(eventId, report);
    if (owner === null) return false;
    try {
      await drafts.putWaiting(owner, report);
      changes += 1;
      return unstored.delete(eventId);
    } catch (error) {
      onLoss(error);
      return false;
    }
  }

  async function remove(eventId: string): Promise<void> {
    unstored.delete(eventId);
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

  /** Tries each once; ends with the first that is too early, since the others would be too. */
  async function tryAll(personId: string): Promise<void> {
    for (const { draft } of retryable()) {
      const failure = await turn(draft.eventId, () => tryOne(personId, draft.eventId));
      if (owner !== personId) return;
      if (failure !== null && isTransient(failure)) {
        plan(failure.retryAfter);
        return;
      }
    }
    failures = 0;
  }

  async function tryOne(personId: string, eventId: string): Promise<FeedbackError | null> {
    await read();
    const report = retryable().find(({ draft }) => draft.eventId === eventId);
    if (owner !== personId || report === undefined) return null;
    show([...trying, eventId]);
    try {
      await dependencies.deliver(report.draft);
    } catch (error) {
      const failure = sendingError(error);
      if (owner === personId) await putFailed(report, failure);
      return failure;
    } finally {
      show(trying.filter((one) => one !== eventId));
    }
    if (owner === personId) await remove(eventId);
    else await drafts.removeWaiting(personId, eventId).catch(onLoss);
    dependencies.onSent(report);
    return null;
  }

  function show(next: readonly string[]): void {
    trying = next;
    dependencies.onChange();
  }

  async function putFailed(report: WaitingReport, failure: FeedbackError): Promise<void> {
    const { eventId } = report.draft;
    // The person has discarded it by now.
    if (!waiting.get().some(({ draft }) => draft.eventId === eventId)) return;
    const failed = failedOf(failure);
    const isKnown = report.failed?.status === failed.status && report.failed.code === failed.code;
    // It is written with its picture each time.
    if (!isKnown) await put({ ...report, failed });
    if (failed.final) dependencies.onRefused(report, failure);
  }

  function plan(retryAfter = 0): void {
    cancelTimer();
    const doubled = Math.min(longestRetry, firstRetry * 2 ** failures) * (0.75 + dependencies.random() / 2);
    failures += 1;
    cancelTimer = clock.after(Math.max(retryAfter, doubled), () => void drain());
  }

  /** Sends what waits, now. */
  function drain(): Promise<void> {
    cancelTimer();
    if (owner === null || retryable().length === 0) return Promise.resolve();
    const personId = owner;
    draining ??= tryAll(personId)
      .catch(onLoss)
      .finally(() => {
        const again = isReturned || owner !== personId;
        draining = null;
        isReturned = false;
        if (again) void drain();
      });
    return draining;
  }

  return {
    waiting: waiting as Readable<readonly WaitingReport[]>,
    /** For another person, or null: none. */
    async belongTo(person: string | null): Promise<void> {
      owner = person;
      failures = 0;
      cancelTimer();
      unstored.clear();
      list([]);
      await read();
    },
    trying: () => trying,
    /** Whether the database has it, and not this page alone. */
    isStored: (eventId: string) => !unstored.has(eventId),
    read,
    drain,
    /** Sends one, now; if it can be sent, the others too. */
    async sendNow(eventId: string): Promise<void> {
      const personId = owner;
      if (personId === null || trying.includes(eventId)) return;
      cancelTimer();
      const failure = await turn(eventId, () => tryOne(personId, eventId)).catch(onLoss);
      if (owner !== personId) return;
      if (failure != null && isTransient(failure)) plan(failure.retryAfter);
      else await drain();
    },
    /**
     * The network or the person is back: sends what waits now, and once more what is under way if it fails.
     */
    drainOnReturn(): void {
      isReturned = draining !== null;
      void drain();
    },
    /** Adds a report; one that has just failed is retried a little later. Answers whether it is stored. */
    async add(report: WaitingReport): Promise<boolean> {
      const isStored = await put(report);
      if (isOnItsWay(report) && draining === null) plan();
      return isStored;
    },
    remove,
    turn,
  };
}
