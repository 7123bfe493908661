import { base } from '#web/platform/base.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createStore, type Readable, watch } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import { type Locks, withLock } from '#web/platform/tabs/with-lock.ts';
import type { Clock } from '#web/platform/time/clock.ts';
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
import type { DraftStore } from './draft-store.ts';
import { type FeedbackError, sendingError } from './feedback-error.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { FeedbackState } from './feedback-state.ts';
import type { Sending } from './send-feedback.ts';

/*
 * The reports of one person that the server does not have yet (BUG-5): the one that is edited in the form, and
 * those that wait. They are in the browser's database until the server has stored them or the person discards
 * them. The protocol:
 *
 * 1. The one in the form is stored shortly after each change, and read when another tab has changed it.
 * 2. Every tab lists those that wait, and retries when the network is back, when the tab becomes visible, and
 *    in between with growing waits.
 * 3. A tab tries one only while it holds the lock of its event id, and then checks whether it still waits: of
 *    several tabs one sends it. If a tab ends in between, another sends it under the same event id, and the
 *    server stores it once.
 * 4. A report that the server refuses for good waits for the person, and is not retried.
 * 5. A page belongs to one person: only their reports are listed, and they are sent with their token or not
 *    at all.
 */

export type OutboxDependencies = {
  clock: Clock;
  errors: Pick<ErrorRecord, 'record'>;
  random: () => number;
  locks: Locks | undefined;
  drafts: DraftStore;
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

function inOrder(reports: readonly WaitingReport[]): readonly WaitingReport[] {
  const each = new Map(reports.map((report) => [report.draft.eventId, report]));
  return [...each.values()].toSorted((one, other) => one.at - other.at);
}

export function createOutbox(dependencies: OutboxDependencies, deliver: Sending['deliverDraft']) {
  const { clock, drafts, broadcast, errors, reporter } = dependencies;
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
  /** By event id: those that wait, which this page has and the database does not have yet. */
  const unstored = new Map<string, WaitingReport>();
  /** The draft has changes that are not stored. */
  let isUnsaved = false;
  /** Count the changes of this page: what was read from the database before one is outdated. */
  let draftChanges = 0;
  let listChanges = 0;
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
      await (isEmpty(draft, reporter.get()) ? drafts.remove(person) : drafts.write(person, draft));
      broadcast.post({ type: 'written', person });
      return true;
    } catch (error) {
      recordLoss(error);
      return false;
    }
  }

  /** Changes the draft and stores it at once. */
  function store(change: { draft: Draft; problem?: FeedbackState['problem'] }): Promise<boolean> {
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

  /** Shows the stored draft, unless something was written here in the time between. */
  async function readDraft(): Promise<void> {
    if (owner === null) return;
    const before = draftChanges;
    const found = await drafts.read(owner).catch(recordLoss);
    if (draftChanges !== before || found === undefined) return;
    const { draft } = state.get();
    if (found === null) {
      if (!isEmpty(draft, reporter.get())) publish({ draft: fresh(), problem: null });
      // Another tab may have sent the same contents by now, with the data of that try, or cancelled it.
    } else if (found.eventId !== draft.eventId || (draft.sentAlong === null) !== (found.sentAlong === null))
      publish({ draft: found, problem: null });
  }

  function without(eventId: string): readonly WaitingReport[] {
    return state.get().waiting.filter(({ draft }) => draft.eventId !== eventId);
  }

  const waits = (eventId: string) => state.get().waiting.some(({ draft }) => draft.eventId === eventId);

  /** Reads those that wait; a browser that stores nothing has them in this page alone. */
  async function readWaiting(): Promise<void> {
    const person = owner;
    if (person === null) return;
    const before = listChanges;
    const found = await drafts.readWaiting(person).catch(recordLoss);
    if (found === undefined || owner !== person) return;
    if (listChanges === before) publish({ waiting: inOrder([...found, ...unstored.values()]) });
    else await readWaiting();
  }

  /** Answers whether it is stored; otherwise this page alone has it. */
  async function put(report: WaitingReport): Promise<boolean> {
    const { eventId } = report.draft;
    publish({ waiting: inOrder([...without(eventId), report]) });
    unstored.set(eventId, report);
    if (owner === null) return false;
    try {
      await drafts.putWaiting(owner, report);
      listChanges += 1;
      return unstored.delete(eventId);
    } catch (error) {
      recordLoss(error);
      return false;
    }
  }

  /** Adds a report; one that has just failed is retried a little later. Answers whether it is stored. */
  async function add(draft: Draft, failed: Failed | null): Promise<boolean> {
    const report = { draft, at: clock.now(), failed };
    const isStored = await put(report);
    if (isOnItsWay(report) && draining === null) plan();
    return isStored;
  }

  async function remove(eventId: string): Promise<void> {
    unstored.delete(eventId);
    publish({ waiting: without(eventId) });
    if (owner === null) return;
    await drafts.removeWaiting(owner, eventId).catch(recordLoss);
    listChanges += 1;
    // A read in between may have listed it again.
    if (waits(eventId)) publish({ waiting: without(eventId) });
  }

  function turn<T>(eventId: string, work: () => Promise<T>): Promise<T> {
    return withLock(dependencies.locks, clock, `portico${base}:report:${eventId}`, lockTimeout, work);
  }

  const retryable = () => state.get().waiting.filter(isOnItsWay);

  /** Tries each once; ends with the first that is too early, since the others would be too. */
  async function tryAll(person: string): Promise<void> {
    for (const { draft } of retryable()) {
      const failure = await turn(draft.eventId, () => tryOne(person, draft.eventId));
      if (owner !== person) return;
      if (failure !== null && isTransient(failure)) {
        plan(failure.retryAfter);
        return;
      }
    }
    failures = 0;
  }

  async function tryOne(person: string, eventId: string): Promise<FeedbackError | null> {
    await readWaiting();
    const report = retryable().find(({ draft }) => draft.eventId === eventId);
    if (owner !== person || report === undefined) return null;
    publish({ trying: [...state.get().trying, eventId] });
    try {
      await deliver(report.draft, owner !== null);
    } catch (error) {
      const failure = sendingError(error);
      if (owner === person) await keepFailed(report, failure);
      return failure;
    } finally {
      publish({ trying: state.get().trying.filter((one) => one !== eventId) });
    }
    if (owner === person) await remove(eventId);
    else await drafts.removeWaiting(person, eventId).catch(recordLoss);
    if (owner !== null) {
      broadcast.post({ type: 'sent', person: owner, eventId, waited: true });
      publish({ gone: state.get().gone + 1 });
    }
    return null;
  }

  async function keepFailed(report: WaitingReport, error: FeedbackError): Promise<void> {
    const { eventId } = report.draft;
    // The person has discarded it by now.
    if (!waits(eventId)) return;
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
    if (!(await store({ draft: report.draft, problem })) && !unstored.has(eventId)) return;
    await remove(eventId);
    broadcast.post({ type: 'waiting', person });
  }

  let known = reporter.get();
  watch(reporter, (next) => {
    if (isEmpty(state.get().draft, known)) publish({ draft: fresh() });
    known = next;
  });
  dependencies.onLeaving(() => {
    void save();
    if (!dependencies.forgets()) drafts.leave();
  });
  broadcast.subscribe((message) => {
    if (message.person !== owner) return;
    if (message.type === 'waiting') void readWaiting();
    else if (message.type === 'sent') {
      if (!message.waited) return;
      void readWaiting();
      publish({ gone: state.get().gone + 1 });
    } else if (isUnsaved) {
      // What was written here is newer, and will be stored as a whole.
      drafts.changedElsewhere();
    } else void readDraft();
  });

  return {
    state: state as Readable<FeedbackState>,
    publish,
    owner: () => owner,
    failureOf,
    recordLoss,
    save,
    store,
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
      await Promise.all([readWaiting(), readDraft()]);
    },
    /** Sends the draft in the form, and waits as long as it takes. Rejects with a FeedbackError. */
    send: (draft: Draft, onProgress: (progress: number) => void) =>
      turn(draft.eventId, () => deliver(draft, owner !== null, onProgress)),
    /** Sends one, now; if it can be sent, the others too. */
    async sendNow(eventId: string): Promise<void> {
      const person = owner;
      if (person === null || state.get().trying.includes(eventId)) return;
      cancelTimer();
      const failure = await turn(eventId, () => tryOne(person, eventId)).catch(recordLoss);
      if (owner !== person) return;
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
    /** A submitted report in a closed form waits from now on, so that the form is free for another one. */
    moveFromForm(): void {
      const { view, draft, sending } = state.get();
      const person = owner;
      if (person === null || view === 'form' || draft.sentAlong === null || sending !== null) return;
      const error = failureOf(draft.eventId);
      clear({});
      void add(draft, error && failedOf(error)).then(async (isStored) => {
        // Where there is no space for both, what is stored of the form stays.
        if (isStored) await drafts.remove(person, draft.eventId).catch(recordLoss);
        broadcast.post({ type: 'waiting', person });
      });
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
      await remove(eventId);
      if (person !== null) broadcast.post({ type: 'waiting', person });
    },
  };
}
