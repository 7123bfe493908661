import { base } from '#web/platform/base.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { createStore, type Readable, watch } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import { type Locks, withLock } from '#web/platform/tabs/with-lock.ts';
import {
  type Draft,
  type DraftContents,
  edited,
  emptyDraft,
  type Failed,
  isEmpty,
  type Reporter,
  type WaitingReport,
} from './draft.ts';
import type { FeedbackState } from './feedback-state.ts';
import type { FeedbackMessage } from './report-place.ts';
import type { ReportStore } from './report-store.ts';
import { deliverDraft, type FeedbackError, type SendingDependencies, sendingError } from './send-feedback.ts';

/*
 * The reports of one person that the server does not have yet (BUG-5): one is edited in the form, the others
 * wait. They are in the browser's database until the server has stored them or the person discards
 * them. The protocol:
 *
 * 1. The one that is edited is stored shortly after each change, and read when another tab has changed it.
 * 2. Every tab lists those that wait, and retries when the network is back, when the tab becomes visible, and
 *    in between with growing waits.
 * 3. A tab tries one only while it holds the lock of its event id, and then checks whether it still waits: of
 *    several tabs one sends it. If a tab ends in between, another sends it under the same event id, and the
 *    server stores it once.
 * 4. A report that the server refuses for good waits for the person, and is not retried.
 * 5. A page belongs to one person: only their reports are listed, and they are sent with their token or not
 *    at all.
 */

export type OutboxDependencies = SendingDependencies & {
  random: () => number;
  locks: Locks | undefined;
  store: ReportStore;
  broadcast: Broadcast<FeedbackMessage>;
  /** What the profile holds of the person. */
  reporter: Readable<Reporter>;
  newEventId: () => string;
  /** Whether the last person has signed out on purpose; their draft is then not stored. */
  forgets: () => boolean;
  /** Calls the listener when the page may be about to end. */
  onLeaving: (listener: () => void) => void;
};

/** Milliseconds between a change of the draft and its being stored. */
const saveDelay = 300;
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

function failedOf(error: FeedbackError): Failed {
  const { status = 0, code = '', errors } = error;
  return { status, code, errors, final: !isTransient(error) };
}

function errorOf({ status, code, errors }: Failed, hasPicture: boolean): FeedbackError {
  const problem = new ProblemError({ status, code, title: 'The report was refused.', errors });
  return sendingError(problem, hasPicture);
}

export function createOutbox(dependencies: OutboxDependencies) {
  const { clock, store, broadcast, errors, reporter } = dependencies;
  const fresh = () => emptyDraft(dependencies.newEventId(), reporter.get());
  const state = createStore<FeedbackState>({
    view: 'trigger',
    draft: fresh(),
    problem: null,
    waiting: [],
    trying: [],
    gone: 0,
    flight: null,
    sending: null,
  });
  /** Changes of the list that the database does not have yet, by event id; null: removed. */
  const unstored = new Map<string, WaitingReport | null>();
  /** The draft has changes that are not stored. */
  let isUnsaved = false;
  /** Counts the changes of the draft in this page: what was read from the database before one is outdated. */
  let draftChanges = 0;
  /** The last failure, and the report that it is about. */
  let lastFailure: { readonly eventId: string; readonly error: FeedbackError } | null = null;
  let owner: string | null = null;
  let failures = 0;
  let draining: Promise<void> | null = null;
  /** The network returned while a try was under way, which may have failed because it began before. */
  let isReturned = false;
  let isLossRecorded = false;
  let cancelTimer = () => {};

  function publish(change: Partial<Omit<FeedbackState, 'sending'>>): void {
    const next = { ...state.get(), ...change };
    const { flight } = next;
    const sending =
      flight?.eventId === next.draft.eventId ? { progress: flight.progress, awaited: flight.awaited } : null;
    state.set({ ...next, sending });
  }

  function recordLoss(error: unknown): void {
    if (!isLossRecorded) errors.record('feedback.draft', error);
    isLossRecorded = true;
  }

  function failureOf(eventId: string): FeedbackError | null {
    return lastFailure?.eventId === eventId ? lastFailure.error : null;
  }

  /** Stores the draft where it has changed; answers whether it is stored. */
  async function save(): Promise<boolean> {
    if (!isUnsaved) return true;
    isUnsaved = false;
    if (owner === null) return false;
    const person = owner;
    const { draft } = state.get();
    try {
      await (isEmpty(draft, reporter.get()) ? store.remove(person) : store.edit(person, draft));
      broadcast.post({ type: 'written', person });
      return true;
    } catch (error) {
      recordLoss(error);
      return false;
    }
  }

  /** Changes the draft and stores it at once. */
  function keep(change: { draft: Draft; problem?: FeedbackState['problem'] }): Promise<boolean> {
    publish(change);
    isUnsaved = true;
    return save();
  }

  function edit(change: Partial<DraftContents>): void {
    const before = state.get().draft;
    const draft = edited(before, change, dependencies.newEventId);
    if (draft === before) return;
    draftChanges += 1;
    publish({ draft });
    if (!isUnsaved) clock.after(saveDelay, () => void save());
    isUnsaved = true;
    // A closing page has no time to write a picture.
    if (draft.picture !== before.picture) void save();
  }

  /** An empty draft takes the place of the one that was sent, or waits now. */
  function clear(change: Partial<FeedbackState>): void {
    isUnsaved = false;
    draftChanges += 1;
    publish({ ...change, draft: fresh() });
  }

  /** What is stored of the person; undefined where the browser stores nothing. */
  const read = async () => (owner === null ? undefined : store.read(owner).catch(recordLoss));

  /** Shows the stored draft, unless something was written here in the time between. */
  async function readDraft(reading = read()): Promise<void> {
    const before = draftChanges;
    const stored = await reading;
    if (draftChanges !== before || stored === undefined) return;
    const found = stored.draft;
    const { draft } = state.get();
    if (found === null) {
      if (!isEmpty(draft, reporter.get())) publish({ draft: fresh(), problem: null });
      // Another tab may have sent the same contents by now, with the data of that try, or cancelled it.
    } else if (found.eventId !== draft.eventId || (draft.sentAlong === null) !== (found.sentAlong === null))
      publish({ draft: found, problem: null });
  }

  /** Shows these reports, and what the database does not have yet. */
  function list(reports: readonly WaitingReport[]): void {
    const each = new Map<string, WaitingReport | null>(reports.map((one) => [one.draft.eventId, one]));
    for (const [eventId, report] of unstored) each.set(eventId, report);
    const waiting = [...each.values()].filter((report) => report !== null);
    publish({ waiting: waiting.toSorted((one, other) => one.at - other.at) });
  }

  async function readWaiting(reading = read()): Promise<void> {
    const person = owner;
    const stored = await reading;
    if (stored !== undefined && owner === person) list(stored.waiting);
  }

  /**
   * Changes the list, and then the database. A reading that began before is over by the time the database has
   * the change, since IndexedDB does one after the other.
   *
   * @param report null: it does not wait any more
   * @param write answers false where the database does not have it; this page alone knows of it then
   */
  async function change(
    eventId: string,
    report: WaitingReport | null,
    write: (person: string) => Promise<boolean | void>,
  ): Promise<void> {
    unstored.set(eventId, report);
    list(state.get().waiting);
    if (owner === null) return;
    const isStored = await write(owner).catch((error: unknown) => {
      recordLoss(error);
      return false;
    });
    if (isStored !== false && unstored.get(eventId) === report) unstored.delete(eventId);
  }

  const put = (report: WaitingReport) =>
    change(report.draft.eventId, report, (person) => store.wait(person, report));

  /** Adds a report; one that has just failed is retried a little later. */
  async function add(draft: Draft, failed: Failed | null): Promise<void> {
    const report = { draft, at: clock.now(), failed };
    await put(report);
    if (isOnItsWay(report) && draining === null) plan();
  }

  /** The server has it, or the person does not want it any more. */
  async function remove(person: string, eventId: string): Promise<void> {
    if (person === owner) await change(eventId, null, () => store.remove(person, eventId));
    else await store.remove(person, eventId).catch(recordLoss);
  }

  function turn<T>(eventId: string, work: () => Promise<T>): Promise<T> {
    return withLock(dependencies.locks, clock, `portico${base}:report:${eventId}`, lockTimeout, work);
  }

  const retryable = () => state.get().waiting.filter(isOnItsWay);

  /** Tries one; answers whether the others can be tried now: where this one is too early, they are too. */
  async function attempt(person: string, eventId: string): Promise<boolean> {
    const failure = await turn(eventId, () => tryOne(person, eventId));
    if (owner !== person) return false;
    if (failure === null || !isTransient(failure)) return true;
    plan(failure.retryAfter);
    return false;
  }

  async function tryAll(person: string): Promise<void> {
    for (const { draft } of retryable()) if (!(await attempt(person, draft.eventId))) return;
    failures = 0;
  }

  async function tryOne(person: string, eventId: string): Promise<FeedbackError | null> {
    await readWaiting();
    const report = retryable().find(({ draft }) => draft.eventId === eventId);
    if (owner !== person || report === undefined) return null;
    publish({ trying: [...state.get().trying, eventId] });
    try {
      await deliverDraft(dependencies, report.draft, true);
    } catch (error) {
      const failure = sendingError(error);
      if (owner === person) await keepFailed(report, failure);
      return failure;
    } finally {
      publish({ trying: state.get().trying.filter((one) => one !== eventId) });
    }
    await remove(person, eventId);
    broadcast.post({ type: 'sent', person, eventId, waited: true });
    if (owner === person) publish({ gone: state.get().gone + 1 });
    return null;
  }

  async function keepFailed(report: WaitingReport, error: FeedbackError): Promise<void> {
    const { eventId } = report.draft;
    // The person has discarded it by now.
    if (!state.get().waiting.some(({ draft }) => draft.eventId === eventId)) return;
    const failed = failedOf(error);
    const isKnown = report.failed?.status === failed.status && report.failed.code === failed.code;
    // It is written with its picture each time.
    if (!isKnown) await put({ ...report, failed });
    if (!failed.final) return;
    errors.record('feedback.send', error);
    lastFailure = { eventId, error };
    if (state.get().view !== 'form') publish({ problem: { kind: 'failure', error, late: true } });
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
    const person = owner;
    draining ??= tryAll(person)
      .catch(recordLoss)
      .finally(() => {
        const again = isReturned || owner !== person;
        draining = null;
        isReturned = false;
        if (again) void drain();
      });
    return draining;
  }

  /** Moves a waiting report into the form; a draft that is in the form waits then. */
  async function moveToForm(eventId: string): Promise<void> {
    const report = state.get().waiting.find(({ draft }) => draft.eventId === eventId);
    const person = owner;
    if (report === undefined || person === null) return;
    const { draft } = state.get();
    const error = report.failed?.final
      ? errorOf(report.failed, report.draft.picture !== null)
      : failureOf(eventId);
    draftChanges += 1;
    if (!isEmpty(draft, reporter.get())) await add(draft, null);
    lastFailure = error === null ? null : { eventId, error };
    const problem = error === null ? null : ({ kind: 'failure', error, late: false } as const);
    // Where there is no space for the form, what is stored of the report stays.
    await change(eventId, null, () => keep({ draft: report.draft, problem }));
    broadcast.post({ type: 'waiting', person });
  }

  let known = reporter.get();
  watch(reporter, (next) => {
    if (isEmpty(state.get().draft, known)) publish({ draft: fresh() });
    known = next;
  });
  dependencies.onLeaving(() => {
    void save();
    if (!dependencies.forgets()) store.leave();
  });
  broadcast.subscribe((message) => {
    if (message.person !== owner) return;
    if (message.type === 'waiting') void readWaiting();
    else if (message.type === 'sent') {
      if (!message.waited) return;
      void readWaiting();
      publish({ gone: state.get().gone + 1 });
    } else if (isUnsaved) {
      // What was written here is newer; the store learns that its picture may have been replaced.
      void read();
    } else void readDraft();
  });

  return {
    state: state as Readable<FeedbackState>,
    publish,
    owner: () => owner,
    failureOf,
    save,
    keep,
    edit,
    clear,
    remove,
    drain,
    moveToForm,
    /** For another person, or null: none. */
    async belongTo(person: string | null): Promise<void> {
      if (dependencies.forgets()) isUnsaved = false;
      else void save();
      owner = person;
      failures = 0;
      cancelTimer();
      unstored.clear();
      clear({ view: 'trigger', problem: null, waiting: [] });
      const reading = read();
      await Promise.all([readWaiting(reading), readDraft(reading)]);
    },
    /** Sends the draft in the form, and waits as long as it takes. Rejects with a FeedbackError. */
    send: (draft: Draft, onProgress: (progress: number) => void) =>
      turn(draft.eventId, () => deliverDraft(dependencies, draft, owner !== null, onProgress)),
    /** Sends one, now; if it can be sent, the others too. */
    async sendNow(eventId: string): Promise<void> {
      const person = owner;
      if (person === null || state.get().trying.includes(eventId)) return;
      cancelTimer();
      if (await attempt(person, eventId)) await drain();
    },
    /**
     * The network or the person is back: sends what waits now, and once more what is under way if it fails.
     */
    drainOnReturn(): void {
      isReturned = draining !== null;
      void drain();
    },
    /** A submitted report in a closed form waits from now on, so that the form is free for another one. */
    moveFromForm(): void {
      const { view, draft, sending } = state.get();
      const person = owner;
      if (person === null || view === 'form' || draft.sentAlong === null || sending !== null) return;
      const error = failureOf(draft.eventId);
      clear({});
      void add(draft, error && failedOf(error)).then(() => broadcast.post({ type: 'waiting', person }));
    },
    /** The report in the form could not be sent. */
    failed(eventId: string, error: FeedbackError): void {
      lastFailure = { eventId, error };
    },
    /** Moves the report of the latest failure into the form. */
    async moveLastToForm(): Promise<void> {
      if (lastFailure !== null) await moveToForm(lastFailure.eventId);
    },
    /** Discards a waiting report. */
    async discard(eventId: string): Promise<void> {
      const person = owner;
      if (person === null) return;
      await remove(person, eventId);
      broadcast.post({ type: 'waiting', person });
    },
  };
}
