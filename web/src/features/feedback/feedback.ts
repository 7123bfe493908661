import type { SentReport } from '@portico/contract/feedback';
import type { Broadcast } from '../../platform/tabs/broadcast.ts';
import { createStore, derive, type Readable, watch } from '../../platform/state/store.ts';
import type { TabPresence } from '../../platform/tabs/tab-presence.ts';
import type { Locks } from '../../platform/tabs/with-lock.ts';
import { createCountdown } from './countdown.ts';
import { createDraftKeeping } from './draft-keeping.ts';
import type { DraftStore } from './draft-store.ts';
import { type DraftRules, emptyDraft, isEmpty, mistakesIn, type Reporter } from './draft.ts';
import { type FeedbackError, missingFields } from './feedback-error.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { FeedbackLabels } from './labels.ts';
import type { FeedbackState } from './feedback-state.ts';
import { createFormSending, type Flight } from './form-sending.ts';
import { createOutbox, isPassing } from './outbox.ts';
import { createPuttingAside } from './putting-aside.ts';
import type { RequiredFields } from './required-fields.ts';
import { createSending, type SavedReport, type SendingEdges } from './send-feedback.ts';
import { sentAlong, type Surroundings } from './surroundings.ts';

export type FeedbackOptions = {
  /** A required field is always shown. */
  isNameRequired?: boolean;
  isEmailRequired?: boolean;
  /** Default true. A known name is sent all the same. */
  showName?: boolean;
  showEmail?: boolean;
  /** Default true. */
  showScreenshot?: boolean;
  /** Added to every report. */
  tags?: Record<string, string>;
  /** Words to use instead of the catalogue's. */
  labels?: Partial<FeedbackLabels>;
};

export type FeedbackEdges = SendingEdges & {
  /** The id of who is signed in; null: a draft then lasts as long as the page. */
  person: Readable<string | null>;
  /** What the profile holds of them. */
  reporter: Readable<Reporter>;
  /** Whether the last person has signed out on purpose; their draft is then not stored. */
  forgets: () => boolean;
  drafts: DraftStore;
  broadcast: Broadcast<FeedbackMessage>;
  /** Calls the listener when the page may be about to end. */
  onLeaving: (listener: () => void) => void;
  presence: Pick<TabPresence, 'onReturn'>;
  locks: Locks | undefined;
  random: () => number;
  surroundings: () => Surroundings;
  newEventId: () => string;
  /** The fields that the installation asks for besides the description; they may change at any time. */
  form?: RequiredFields;
  options?: FeedbackOptions;
};

const nothingRequired: RequiredFields = {
  required: createStore({ name: false, email: false }),
  refresh: () => Promise.resolve(),
  refusedWithout: () => {},
};

export type Feedback = ReturnType<typeof createFeedback>;

export const thanksDuration = 5000;
/** Milliseconds that opening waits for the stored draft, since some browsers never answer, and for the required fields. */
const readTimeout = 1000;

/**
 * Bug reports in one page: the draft, its sending, and what is shown. What is written is never
 * lost (BUG-5): it is stored for its person until it is known to be sent, whatever happens to the page or the session.
 */
export function createFeedback(edges: FeedbackEdges) {
  const {
    clock,
    errors,
    person,
    drafts,
    broadcast,
    newEventId,
    form = nothingRequired,
    options = {},
  } = edges;
  const wire = createSending(edges);
  const rules = derive([form.required], (required) => rulesOf(options, required));
  const fresh = () => emptyDraft(newEventId(), edges.reporter.get());
  const state = createStore<FeedbackState>({
    view: 'trigger',
    draft: fresh(),
    problem: null,
    waiting: [],
    gone: 0,
    sending: null,
  });
  const thanks = createCountdown(clock, thanksDuration, () => publish({ view: 'trigger' }));
  let owner: string | null = null;
  let ready: Promise<void> = Promise.resolve();
  let isLossRecorded = false;
  let isFormKnown = false;

  function publish(change: Partial<Omit<FeedbackState, 'sending'>>): void {
    const next = { ...state.get(), ...change };
    const flight = sending.underWay(next.draft.eventId);
    state.set({
      ...next,
      sending: flight === null ? null : { progress: flight.progress, awaited: flight.awaited },
    });
  }

  function recordLoss(error: unknown): void {
    if (!isLossRecorded) errors.record('feedback.draft', error);
    isLossRecorded = true;
  }

  const keeping = createDraftKeeping({
    ...edges,
    owner: () => owner,
    draft: () => state.get().draft,
    fresh,
    show: (draft, isNews) => publish(isNews ? { draft, problem: null } : { draft }),
    onLoss: recordLoss,
  });
  const outbox = createOutbox({
    ...edges,
    deliver: (draft) => sending.deliver(draft, () => {}),
    onChange: () => publish({ waiting: outbox.waiting.get() }),
    onSent({ draft }) {
      if (owner === null) return;
      broadcast.post({ type: 'sent', person: owner, eventId: draft.eventId, waited: true });
      publish({ gone: state.get().gone + 1 });
    },
    onRefused({ draft }, error) {
      errors.record('feedback.send', error);
      aside.report(draft.eventId, error);
    },
    onLoss: recordLoss,
  });
  const sending = createFormSending({
    wire,
    tags: options.tags ?? {},
    owner: () => owner,
    turn: outbox.turn,
    onProgress: () => publish({}),
    onAwaited: () => publish({ problem: null }),
    onSent: succeed,
    onFailure: fail,
    onUndetermined({ eventId }, error) {
      aside.remember(eventId, error);
      publish({ problem: { kind: 'failure', error, late: false } });
    },
  });
  const aside = createPuttingAside({
    ...edges,
    owner: () => owner,
    state: state.get,
    publish,
    fresh,
    keeping,
    outbox,
    onLoss: recordLoss,
  });

  function inTime(reading: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      clock.after(readTimeout, resolve);
      void reading.finally(resolve);
    });
  }

  watch(person, (next) => {
    if (edges.forgets()) keeping.drop();
    else keeping.save();
    owner = next;
    keeping.begin();
    publish({ view: 'trigger', draft: fresh(), problem: null });
    ready = inTime(Promise.all([outbox.belongTo(next), keeping.read()]));
    void ready.then(() => outbox.drain());
  });
  edges.presence.onReturn(() => {
    void outbox.drain();
    resubmit();
  });
  let known = edges.reporter.get();
  watch(edges.reporter, (next) => {
    if (isEmpty(state.get().draft, known)) publish({ draft: fresh() });
    known = next;
  });
  // A field that is not asked for any more is not missing.
  watch(rules, (asked) => {
    const { problem } = state.get();
    if (problem?.kind !== 'mistakes') return;
    const missing = problem.mistakes.missing.filter((field) => asked[field].required);
    publish({ problem: { ...problem, mistakes: { ...problem.mistakes, missing }, late: true } });
  });
  edges.onLeaving(() => {
    keeping.save();
    if (!edges.forgets()) drafts.leave();
  });

  broadcast.subscribe((message) => {
    if (message.person !== owner) return;
    if (message.type === 'waiting') void outbox.read();
    else if (message.type === 'sent') {
      if (message.waited) {
        void outbox.read();
        publish({ gone: state.get().gone + 1 });
      }
      if (state.get().draft.eventId === message.eventId) discard(sending.underWay(message.eventId) !== null);
    } else if (keeping.isUnsaved()) {
      // What was written here is newer, and will be stored as a whole.
      drafts.changedElsewhere();
    } else void keeping.read();
  });

  /** The draft was sent, here or in another tab. */
  function discard(isThanked: boolean): void {
    keeping.drop();
    keeping.begin();
    sending.forget();
    publish({ view: isThanked ? 'thanks' : 'trigger', draft: fresh(), problem: null });
    if (isThanked) thanks.start();
  }

  /** Sends the draft; if it is being sent already, only waits for it again. */
  function submit(): void {
    const { draft } = state.get();
    const flight = sending.underWay(draft.eventId);
    if (flight?.awaited === true) return;
    if (flight !== null) {
      void sending.follow(flight);
      return;
    }
    const mistakes = mistakesIn(draft, rules.get());
    if (mistakes !== null) {
      publish({ problem: { kind: 'mistakes', mistakes, late: false } });
      return;
    }
    const along = draft.sentAlong ?? sentAlong(edges.surroundings(), draft.leftOut);
    const sent = { ...draft, sentAlong: along };
    sending.begin(sent, () => {
      publish({ draft: sent });
      keeping.saveNow();
    });
  }

  /** Sends the form again after a failure, as if the person had pressed again. */
  function resubmit(): void {
    const { view, draft, sending: underWay } = state.get();
    const failed = aside.failureOf(draft.eventId);
    if (view === 'form' && underWay === null && failed !== null && isPassing(failed)) submit();
  }

  function succeed(done: Flight, isLatest: boolean): void {
    if (done.person !== null) {
      drafts.remove(done.person, done.eventId).catch(recordLoss);
      broadcast.post({ type: 'sent', person: done.person, eventId: done.eventId, waited: false });
    }
    if (done.person !== owner) return;
    // Another tab may have moved it to the outbox meanwhile.
    void outbox.remove(done.eventId);
    if (state.get().draft.eventId === done.eventId) discard(true);
    else if (isLatest) publish({ problem: { kind: 'sent-before-edit' } });
  }

  function fail(done: Flight, error: FeedbackError, isLatest: boolean): void {
    errors.record('feedback.send', error);
    if (!isLatest) return;
    const missing = missingFields(error);
    const late = !done.awaited;
    // The form asked for fewer fields when it was sent.
    if (missing.length > 0) form.refusedWithout(missing);
    publish(
      done.person !== owner
        ? {}
        : missing.length > 0
          ? { problem: { kind: 'mistakes', mistakes: { missing, wrong: {} }, late } }
          : { problem: { kind: 'failure', error, late } },
    );
    aside.remember(done.eventId, error);
    aside.put();
  }

  /** Shows the form; resolves once it is there, with what was stored. */
  async function open(): Promise<void> {
    const asked = form.refresh();
    await ready;
    if (!isFormKnown) await inTime(asked);
    isFormKnown = true;
    thanks.cancel();
    const { draft, problem } = state.get();
    const isOfAnother = problem?.kind === 'failure' && aside.failureOf(draft.eventId) === null;
    publish({ view: 'form', ...(isOfAnother ? { problem: null } : {}) });
  }

  return {
    state: state as Readable<FeedbackState>,
    options,
    rules,
    open,
    /** Shows the form with the report of the latest failure. */
    async openNews(): Promise<void> {
      await ready;
      await aside.takeUpLast();
      await open();
    },
    takeUp: aside.takeUp,
    discardWaiting: aside.discard,
    /** The person has seen which reports were sent from the outbox. */
    acknowledge: () => publish({ gone: 0 }),
    /**
     * Sends what an earlier page could not send.
     *
     * @param reopens the form is opened again with its draft, which is not sent by itself
     */
    async resume(reopens: boolean): Promise<void> {
      await ready;
      if (!reopens) aside.put();
      await outbox.drain();
    },
    /** Closes the form and stores the draft. Sending goes on. */
    close(): void {
      keeping.save();
      if (state.get().view === 'form') publish({ view: 'trigger' });
      aside.put();
    },
    edit: keeping.edit,
    submit,
    holdThanks: thanks.hold,
    releaseThanks: thanks.release,
    surroundings: edges.surroundings,
    /**
     * Sends a report from code, with what is known of the page and the person.
     *
     * @throws FeedbackError, as `sendFeedback`
     */
    send(report: SentReport): Promise<SavedReport> {
      return wire.sendFeedback({
        ...edges.reporter.get(),
        ...sentAlong(edges.surroundings(), []),
        eventId: newEventId(),
        ...report,
        tags: { ...options.tags, ...report.tags },
      });
    },
    sendFeedback: wire.sendFeedback,
    saveFeedback: wire.saveFeedback,
  };
}

function rulesOf(options: FeedbackOptions, required: { name: boolean; email: boolean }): DraftRules {
  const { showName = true, showEmail = true } = options;
  const name = options.isNameRequired === true || required.name;
  const email = options.isEmailRequired === true || required.email;
  return {
    email: { shown: showEmail || email, required: email },
    name: { shown: showName || name, required: name },
    message: { shown: true, required: true },
  };
}
