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
 * 1. The edited report is stored shortly after each change, and read when another tab has changed it.
 * 2. Every tab lists the waiting reports, and retries them when the network is back, when the tab becomes
 *    visible, and in between with growing delays.
 * 3. A tab first takes the lock of a report's event id, then checks that the report still waits, and sends it, so
 *    that one of several tabs sends it. If that tab ends in between, another tab sends the report under the same
 *    event id, and the server stores it once.
 * 4. A report that the server refuses for good waits for the person, and is not retried.
 * 5. A page belongs to one person: only their reports are listed, and they are sent with their token or not
 *    at all.
 */

export type OutboxDependencies = SendingDependencies & {
  random: () => number;
  locks: Locks | undefined;
  store: ReportStore;
  broadcast: Broadcast<FeedbackMessage>;
  /** The person's name and email from the profile. */
  reporter: Readable<Reporter>;
  newEventId: () => string;
  /** Whether the last person has signed out on purpose; their draft is then not stored. */
  forgets: () => boolean;
  /** Calls the listener when the page may be about to end. */
  onLeaving: (listener: () => void) => void;
};

/** Milliseconds after a change of the draft until the draft is stored. */
const saveDelay = 300;
/** Milliseconds that a tab waits for the lock: a frozen tab that holds it must not stop the others. */
const lockTimeout = 180_000;
const firstRetry = 15_000;
const longestRetry = 300_000;

/** Whether a waiting report is retried: not if the server refused it, or if it was moved here unsubmitted. */
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
  const newDraft = () => emptyDraft(dependencies.newEventId(), reporter.get());
  const state = createStore<FeedbackState>({
    view: 'trigger',
    draft: newDraft(),
    problem: null,
    waiting: [],
    trying: [],
    delivered: 0,
    attempt: null,
    sending: null,
  });
  /** Changes of the list that the database does not have yet, by event id; null: removed. */
  const unstored = new Map<string, WaitingReport | null>();
  /** The draft has changes that are not stored. */
  let isUnsaved = false;
  /** Counts the draft's changes in this page: a draft that was read before a change is outdated. */
  let draftChanges = 0;
  /** The last failure, and the report that it is about. */
  let lastFailure: { readonly eventId: string; readonly error: FeedbackError } | null = null;
  let owner: string | null = null;
  let failures = 0;
  let draining: Promise<void> | null = null;
  /** The network returned during a try, which may fail since it began before: another try follows. */
  let isReturned = false;
  let isLossRecorded = false;
  let cancelTimer = () => {};

  function publish(change: Partial<Omit<FeedbackState, 'sending'>>): void {
    const next = { ...state.get(), ...change };
    const { attempt } = next;
    const sending =
      attempt?.eventId === next.draft.eventId
        ? { progress: attempt.progress, awaited: attempt.awaited }
        : null;
    state.set({ ...next, sending });
  }

  function recordLoss(error: unknown): void {
    if (!isLossRecorded) errors.record('feedback.draft', error);
    isLossRecorded = true;
  }

  function failureOf(eventId: string): FeedbackError | null {
    return lastFailure?.eventId === eventId ? lastFailure.error : null;
  }

  /** Stores the draft if it has changed; returns whether it is stored. */
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
  function storeDraft(change: { draft: Draft; problem?: FeedbackState['problem'] }): Promise<boolean> {
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

  /** Replaces the draft, which was sent or waits now, with an empty one. */
  function clear(change: Partial<FeedbackState>): void {
    isUnsaved = false;
    draftChanges += 1;
    publish({ ...change, draft: newDraft() });
  }

  /** Reads the stored reports of the person; undefined if the browser stores nothing. */
  const read = async () => (owner === null ? undefined : store.read(owner).catch(recordLoss));

  /** Shows the stored draft, unless the draft of this page changes while it is read. */
  async function readDraft(reading = read()): Promise<void> {
    const before = draftChanges;
    const stored = await reading;
    if (draftChanges !== before || stored === undefined) return;
    const found = stored.draft;
    const { draft } = state.get();
    if (found === null) {
      if (!isEmpty(draft, reporter.get())) publish({ draft: newDraft(), problem: null });
      // If another tab has sent or cancelled the same contents, only `sentAlong` differs.
    } else if (found.eventId !== draft.eventId || (draft.sentAlong === null) !== (found.sentAlong === null))
      publish({ draft: found, problem: null });
  }

  /** Shows these reports with the changes that the database does not have yet. */
  function showWaiting(reports: readonly WaitingReport[]): void {
    const each = new Map<string, WaitingReport | null>(reports.map((one) => [one.draft.eventId, one]));
    for (const [eventId, report] of unstored) each.set(eventId, report);
    const waiting = [...each.values()].filter((report) => report !== null);
    publish({ waiting: waiting.toSorted((one, other) => one.at - other.at) });
  }

  async function readWaiting(reading = read()): Promise<void> {
    const person = owner;
    const stored = await reading;
    if (stored !== undefined && owner === person) showWaiting(stored.waiting);
  }

  /**
   * Changes the list, and then the database. A read that began earlier ends before the database has the
   * change, since IndexedDB runs one transaction after the other.
   *
   * @param report null: the report no longer waits
   * @param write returns false if the database does not have the change; then only this page knows of it
   */
  async function change(
    eventId: string,
    report: WaitingReport | null,
    write: (person: string) => Promise<boolean | void>,
  ): Promise<void> {
    unstored.set(eventId, report);
    showWaiting(state.get().waiting);
    if (owner === null) return;
    const isStored = await write(owner).catch((error: unknown) => {
      recordLoss(error);
      return false;
    });
    if (isStored !== false && unstored.get(eventId) === report) unstored.delete(eventId);
  }

  const put = (report: WaitingReport) =>
    change(report.draft.eventId, report, (person) => store.wait(person, report));

  /** Adds a waiting report; if it has just failed, it is retried a little later. */
  async function add(draft: Draft, failed: Failed | null): Promise<void> {
    const report = { draft, at: clock.now(), failed };
    await put(report);
    if (isOnItsWay(report) && draining === null) plan();
  }

  /** Removes a report that the server has stored or the person has discarded. */
  async function remove(person: string, eventId: string): Promise<void> {
    if (person === owner) await change(eventId, null, () => store.remove(person, eventId));
    else await store.remove(person, eventId).catch(recordLoss);
  }

  function withReportLock<T>(eventId: string, work: () => Promise<T>): Promise<T> {
    return withLock(dependencies.locks, clock, `portico${base}:report:${eventId}`, lockTimeout, work);
  }

  const retryable = () => state.get().waiting.filter(isOnItsWay);

  /** Tries to send a report; returns whether to try the others now: not if this one has to be retried later. */
  async function sendOne(person: string, eventId: string): Promise<boolean> {
    const failure = await withReportLock(eventId, () => sendLocked(person, eventId));
    if (owner !== person) return false;
    if (failure === null || !isTransient(failure)) return true;
    plan(failure.retryAfter);
    return false;
  }

  async function sendAll(person: string): Promise<void> {
    for (const { draft } of retryable()) if (!(await sendOne(person, draft.eventId))) return;
    failures = 0;
  }

  async function sendLocked(person: string, eventId: string): Promise<FeedbackError | null> {
    await readWaiting();
    const report = retryable().find(({ draft }) => draft.eventId === eventId);
    if (owner !== person || report === undefined) return null;
    publish({ trying: [...state.get().trying, eventId] });
    try {
      await deliverDraft(dependencies, report.draft, true);
    } catch (error) {
      const failure = sendingError(error);
      if (owner === person) await storeFailure(report, failure);
      return failure;
    } finally {
      publish({ trying: state.get().trying.filter((one) => one !== eventId) });
    }
    await remove(person, eventId);
    broadcast.post({ type: 'sent', person, eventId, waited: true });
    if (owner === person) publish({ delivered: state.get().delivered + 1 });
    return null;
  }

  async function storeFailure(report: WaitingReport, error: FeedbackError): Promise<void> {
    const { eventId } = report.draft;
    // The person has discarded the report during the try.
    if (!state.get().waiting.some(({ draft }) => draft.eventId === eventId)) return;
    const failed = failedOf(error);
    const isKnown = report.failed?.status === failed.status && report.failed.code === failed.code;
    // Each write includes the picture, so an unchanged failure is not written again.
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
    draining ??= sendAll(person)
      .catch(recordLoss)
      .finally(() => {
        const again = isReturned || owner !== person;
        draining = null;
        isReturned = false;
        if (again) void drain();
      });
    return draining;
  }

  /** Moves a waiting report into the form; the draft that was in the form then waits. */
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
    // If there is no space to store the draft, the stored waiting report stays.
    await change(eventId, null, () => storeDraft({ draft: report.draft, problem }));
    broadcast.post({ type: 'waiting', person });
  }

  let known = reporter.get();
  watch(reporter, (next) => {
    if (isEmpty(state.get().draft, known)) publish({ draft: newDraft() });
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
      publish({ delivered: state.get().delivered + 1 });
    } else if (isUnsaved) {
      // The draft of this page is newer; this only informs the store that its picture may have been replaced.
      void read();
    } else void readDraft();
  });

  return {
    state: state as Readable<FeedbackState>,
    publish,
    owner: () => owner,
    failureOf,
    save,
    storeDraft,
    edit,
    clear,
    remove,
    drain,
    moveToForm,
    /** Switches to the reports of another person; null: of none. */
    async switchTo(person: string | null): Promise<void> {
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
    /** Sends the draft in the form, and waits for the answer. Rejects with a FeedbackError. */
    send: (draft: Draft, onProgress: (progress: number) => void) =>
      withReportLock(draft.eventId, () => deliverDraft(dependencies, draft, owner !== null, onProgress)),
    /** Sends a waiting report now, then the others, unless this report has to be retried later. */
    async sendNow(eventId: string): Promise<void> {
      const person = owner;
      if (person === null || state.get().trying.includes(eventId)) return;
      cancelTimer();
      if (await sendOne(person, eventId)) await drain();
    },
    /**
     * Called when the network or the person is back: sends the waiting reports now, or after the try that is
     * running.
     */
    drainOnReturn(): void {
      isReturned = draining !== null;
      void drain();
    },
    /** Makes a submitted report in a closed form wait, so that the form is free for another report. */
    moveFromForm(): void {
      const { view, draft, sending } = state.get();
      const person = owner;
      if (person === null || view === 'form' || draft.sentAlong === null || sending !== null) return;
      const error = failureOf(draft.eventId);
      clear({});
      void add(draft, error && failedOf(error)).then(() => broadcast.post({ type: 'waiting', person }));
    },
    /** The report in the form could not be sent. */
    noteFailure(eventId: string, error: FeedbackError): void {
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
