import type { SentReport } from '#features/feedback/contract/feedback.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import { createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import type { Locks } from '#web/platform/tabs/with-lock.ts';
import { createCountdown } from './countdown.ts';
import { createDraftAutosave } from './draft-autosave.ts';
import type { DraftStore } from './draft-store.ts';
import { type DraftRules, emptyDraft, type Reporter } from './draft.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { FeedbackState } from './feedback-state.ts';
import { followChanges } from './follow-changes.ts';
import { createOutbox } from './outbox.ts';
import type { RequiredFields } from './required-fields.ts';
import { createSending, type SavedReport, type SendingDependencies } from './send-feedback.ts';
import { createSubmitting, type FeedbackForm } from './submitting.ts';
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
};

export type FeedbackDependencies = SendingDependencies & {
  /** The id of the signed-in person; null: a draft is not stored beyond the page. */
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
/**
 * Milliseconds that opening waits for the stored draft, since some browsers never answer, and for the
 * required fields.
 */
const readTimeout = 1000;

/**
 * Bug reports in one page: the draft, its sending, and what is shown. What is written is never lost (BUG-5):
 * it is stored for its person until it is known to be sent, whatever happens to the page or the session.
 */
export function createFeedback(dependencies: FeedbackDependencies) {
  const { clock, errors, person, broadcast, options = {} } = dependencies;
  const required = dependencies.form ?? nothingRequired;
  const wire = createSending(dependencies);
  const rules = derive([required.required], (asked) => rulesOf(options, asked));
  const fresh = () => emptyDraft(dependencies.newEventId(), dependencies.reporter.get());
  const state = createStore<FeedbackState>({
    view: 'trigger',
    draft: fresh(),
    problem: null,
    waiting: [],
    trying: [],
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
    const flight = submitting.underWay(next.draft.eventId);
    state.set({
      ...next,
      sending: flight === null ? null : { progress: flight.progress, awaited: flight.awaited },
    });
  }

  function recordLoss(error: unknown): void {
    if (!isLossRecorded) errors.record('feedback.draft', error);
    isLossRecorded = true;
  }

  const shared = { owner: () => owner, publish, fresh, onLoss: recordLoss };
  const autosave = createDraftAutosave({
    ...dependencies,
    ...shared,
    draft: () => state.get().draft,
    show: (draft, isNews) => publish(isNews ? { draft, problem: null } : { draft }),
  });
  const outbox = createOutbox({
    ...dependencies,
    deliver: (draft) => submitting.deliver(draft, () => {}),
    onChange: () => publish({ waiting: outbox.waiting.get(), trying: outbox.trying() }),
    onSent({ draft }) {
      if (owner === null) return;
      broadcast.post({ type: 'sent', person: owner, eventId: draft.eventId, waited: true });
      publish({ gone: state.get().gone + 1 });
    },
    onRefused({ draft }, error) {
      errors.record('feedback.send', error);
      submitting.report(draft.eventId, error);
    },
    onLoss: recordLoss,
  });
  const form: FeedbackForm = {
    ...shared,
    state,
    rules,
    autosave,
    outbox,
    required,
    thank: thanks.start,
  };
  const submitting = createSubmitting(dependencies, form, wire);

  watch(person, (next) => {
    if (dependencies.forgets()) autosave.drop();
    else void autosave.save();
    owner = next;
    autosave.begin();
    publish({ view: 'trigger', draft: fresh(), problem: null });
    ready = inTime(clock, Promise.all([outbox.belongTo(next), autosave.read()]));
    void ready.then(() => outbox.drain());
  });
  dependencies.presence.onReturn(() => {
    outbox.drainOnReturn();
    submitting.resubmit();
  });
  followChanges(dependencies, form, submitting);

  /** Shows the form; resolves once it is there, with what was stored. */
  async function open(): Promise<void> {
    const asked = required.refresh();
    await ready;
    if (!isFormKnown) await inTime(clock, asked);
    isFormKnown = true;
    thanks.cancel();
    const { draft, problem } = state.get();
    const isOfAnother = problem?.kind === 'failure' && submitting.failureOf(draft.eventId) === null;
    const isShown = problem !== null && !isOfAnother;
    // What an earlier page or session has sent in vain is a draft again: only another press sends it.
    if (!isShown && submitting.underWay(draft.eventId) === null) submitting.withdraw();
    publish({ view: 'form', ...(isOfAnother ? { problem: null } : {}) });
  }

  /** Closes the form and stores the draft. Sending goes on. */
  function close(): void {
    void autosave.save();
    if (state.get().view === 'form') publish({ view: 'trigger' });
    submitting.moveToOutbox();
  }

  return {
    state: state as Readable<FeedbackState>,
    options,
    rules,
    open,
    /** Shows the form with the report of the latest failure. */
    async openNews(): Promise<void> {
      await ready;
      await submitting.moveLastToForm();
      await open();
    },
    moveToForm: submitting.moveToForm,
    /** Sends a waiting report now, without waiting for its next try. */
    sendWaiting: outbox.sendNow,
    discardWaiting: submitting.discardWaiting,
    /** The person has seen which reports were sent from the outbox. */
    acknowledge: () => publish({ gone: 0 }),
    /**
     * Sends what an earlier page could not send.
     *
     * @param reopens the form is opened again with its draft, which is not sent by itself
     */
    async resume(reopens: boolean): Promise<void> {
      await ready;
      if (!reopens) submitting.moveToOutbox();
      await outbox.drain();
    },
    close,
    /**
     * Closes the form, whose draft is not sent again without another press (BUG-1). A try that is under way
     * cannot be called back: the person reads whether it arrived.
     */
    cancel(): void {
      submitting.withdraw();
      close();
    },
    edit: autosave.edit,
    submit: submitting.submit,
    holdThanks: thanks.hold,
    releaseThanks: thanks.release,
    surroundings: dependencies.surroundings,
    /**
     * Sends a report from code, with what is known of the page and the person.
     *
     * @throws FeedbackError, as `sendFeedback`
     */
    send(report: SentReport): Promise<SavedReport> {
      return wire.sendFeedback({
        ...dependencies.reporter.get(),
        ...sentAlong(dependencies.surroundings(), []),
        eventId: dependencies.newEventId(),
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

/** Resolves with the reading, or after `readTimeout` without it. */
function inTime(clock: Clock, reading: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    clock.after(readTimeout, resolve);
    void reading.finally(resolve);
  });
}
