import { derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { type Draft, type DraftRules, mistakesIn } from './draft.ts';
import type { Attempt, FeedbackProblem } from './feedback-state.ts';
import { createOutbox, isTransient, type OutboxDependencies } from './outbox.ts';
import type { RequiredFields } from './required-fields.ts';
import { type FeedbackError, missingFields, sendingError, withinTimeout } from './send-feedback.ts';
import { sentAlong, type Surroundings } from './surroundings.ts';

export type FeedbackOptions = {
  isNameRequired?: boolean;
  isEmailRequired?: boolean;
  /** Added to every report. */
  tags?: Record<string, string>;
};

export type FeedbackDependencies = OutboxDependencies & {
  /** The id of the signed-in person; null: a draft is not stored beyond the page. */
  person: Readable<string | null>;
  presence: Pick<TabPresence, 'onReturn'>;
  surroundings: () => Surroundings;
  /** The fields that the installation asks for besides the description; they may change at any time. */
  form: RequiredFields;
  options?: FeedbackOptions;
};

export type Feedback = ReturnType<typeof createFeedback>;

const thanksDuration = 5000;
/**
 * Milliseconds that opening the form waits for the stored draft, which some browsers never return, and for the
 * required fields.
 */
const readTimeout = 1000;

/**
 * Bug reports in one page: the form, its sending, and what is shown. What a person writes is never lost
 * (BUG-5): the outbox stores it until it is known to be sent, whatever happens to the page or the session.
 */
export function createFeedback(dependencies: FeedbackDependencies) {
  const { clock, errors, broadcast, form: required, options = {} } = dependencies;
  const outbox = createOutbox(dependencies);
  const { state, publish, owner } = outbox;
  const rules = derive([required.required], ({ name, email }): DraftRules => ({
    email: options.isEmailRequired === true || email,
    name: options.isNameRequired === true || name,
    message: true,
  }));
  const thanks = createThanksTimer(clock, () => publish({ view: 'trigger' }));
  let ready: Promise<void> = Promise.resolve();
  let isFormKnown = false;

  /** The try to send the draft with this id, if there is one under way. */
  function underWay(eventId: string): Attempt | null {
    const { attempt } = state.get();
    return attempt?.eventId === eventId ? attempt : null;
  }

  const isLatest = ({ outcome }: Attempt) => state.get().attempt?.outcome === outcome;

  function change(attempt: Attempt, part: Partial<Attempt>): void {
    const now = state.get().attempt;
    if (now !== null && isLatest(attempt)) publish({ attempt: { ...now, ...part } });
  }

  /** Waits for the outcome of a try as long as the person does. */
  async function awaitOutcome(attempt: Attempt): Promise<void> {
    change(attempt, { awaited: true });
    publish({ problem: null });
    try {
      await withinTimeout(clock, attempt.outcome);
    } catch (error) {
      const undetermined = sendingError(error);
      if (undetermined.failure !== 'undetermined' || !isLatest(attempt)) return;
      change(attempt, { awaited: false });
      if (attempt.person !== owner()) return;
      outbox.noteFailure(attempt.eventId, undetermined);
      publish({ problem: { kind: 'failure', error: undetermined, late: false } });
    }
  }

  function startSending(draft: Draft): void {
    const outcome = outbox.send(draft, (progress) => change(attempt, { progress }));
    const attempt: Attempt = {
      person: owner(),
      eventId: draft.eventId,
      outcome,
      progress: null,
      awaited: true,
    };
    publish({ attempt });
    void outbox.storeDraft({ draft });
    outcome.then(
      () => succeed(attempt),
      (error: unknown) => fail(attempt, sendingError(error)),
    );
    void awaitOutcome(attempt);
  }

  /** Discards the draft, which was sent here or in another tab. */
  function discard(isThanked: boolean): void {
    outbox.clear({ view: isThanked ? 'thanks' : 'trigger', problem: null, attempt: null });
    if (isThanked) thanks.start();
  }

  /** Sends the draft; if it is being sent already, only waits for it again. */
  function submit(): void {
    const { draft } = state.get();
    const before = underWay(draft.eventId);
    if (before?.awaited === true) return;
    const mistakes = mistakesIn(draft, rules.get());
    if (mistakes !== null) {
      publish({ problem: { kind: 'mistakes', mistakes, late: false } });
      return;
    }
    const { leftOut, leftOutCrumbs, picture } = draft;
    const along =
      draft.sentAlong ?? sentAlong(dependencies.surroundings(), leftOut, leftOutCrumbs, picture?.address);
    const sent = { ...draft, sentAlong: along };
    if (before === null) startSending(sent);
    else {
      void outbox.storeDraft({ draft: sent });
      void awaitOutcome(before);
    }
  }

  /** Marks the draft as not sent, under the same event id: if a try did arrive, the report is stored once. */
  function withdraw(): void {
    const { draft } = state.get();
    if (draft.sentAlong !== null)
      void outbox.storeDraft({ draft: { ...draft, sentAlong: null }, problem: null });
  }

  function succeed(done: Attempt): void {
    const wasLatest = isLatest(done);
    const { person, eventId } = done;
    if (wasLatest) publish({ attempt: null });
    if (person !== null) {
      void outbox.remove(person, eventId);
      broadcast.post({ type: 'sent', person, eventId, waited: false });
    }
    if (person !== owner()) return;
    if (state.get().draft.eventId === eventId) discard(true);
    else if (wasLatest) publish({ problem: { kind: 'sent-before-edit' } });
  }

  function fail(done: Attempt, error: FeedbackError): void {
    errors.record('feedback.send', error);
    const { attempt, draft } = state.get();
    if (!isLatest(done)) return;
    const missing = missingFields(error);
    const late = attempt?.awaited !== true;
    const isWithdrawn = draft.eventId === done.eventId && draft.sentAlong === null;
    // The form required fewer fields when the report was sent.
    if (missing.length > 0) required.refusedWithout(missing);
    const problem: FeedbackProblem =
      missing.length > 0
        ? { kind: 'mistakes', mistakes: { missing, wrong: {} }, late }
        : { kind: 'failure', error, late, ...(isWithdrawn ? { isDraft: true } : {}) };
    publish({ attempt: null, ...(done.person === owner() ? { problem } : {}) });
    outbox.noteFailure(done.eventId, error);
    outbox.moveFromForm();
  }

  /** Shows the form; resolves once the form shows the stored draft. */
  async function open(): Promise<void> {
    const asked = required.refresh();
    await ready;
    if (!isFormKnown) await inTime(clock, asked);
    isFormKnown = true;
    thanks.cancel();
    const { draft, problem } = state.get();
    const isOfAnother = problem?.kind === 'failure' && outbox.failureOf(draft.eventId) === null;
    const isShown = problem !== null && !isOfAnother;
    // A report that an earlier page or session failed to send is a draft again: only another press sends it.
    if (!isShown && underWay(draft.eventId) === null) withdraw();
    publish({ view: 'form', ...(isOfAnother ? { problem: null } : {}) });
  }

  /** Closes the form and stores the draft. Sending goes on. */
  function close(): void {
    void outbox.save();
    if (state.get().view === 'form') publish({ view: 'trigger' });
    outbox.moveFromForm();
  }

  watch(dependencies.person, (next) => {
    ready = inTime(clock, outbox.switchTo(next));
    void ready.then(() => outbox.drain());
  });
  dependencies.presence.onReturn(() => {
    outbox.drainOnReturn();
    // Sends the form again after a failure, as if the person had pressed again.
    const { view, draft, sending } = state.get();
    const failed = outbox.failureOf(draft.eventId);
    const isSubmitted = view === 'form' && draft.sentAlong !== null;
    if (isSubmitted && sending === null && failed !== null && isTransient(failed)) submit();
  });
  // A field that is no longer required is not missing.
  watch(rules, (asked) => {
    const { problem } = state.get();
    if (problem?.kind !== 'mistakes') return;
    const missing = problem.mistakes.missing.filter((field) => asked[field]);
    publish({ problem: { ...problem, mistakes: { ...problem.mistakes, missing }, late: true } });
  });
  broadcast.subscribe((message) => {
    if (message.type !== 'sent' || message.person !== owner()) return;
    if (state.get().draft.eventId === message.eventId) discard(underWay(message.eventId) !== null);
  });

  return {
    state,
    rules,
    open,
    /** Shows the form with the report of the latest failure. */
    async openNews(): Promise<void> {
      await ready;
      await outbox.moveLastToForm();
      await open();
    },
    moveToForm: outbox.moveToForm,
    /** Sends a waiting report now, without waiting for its next try. */
    sendWaiting: outbox.sendNow,
    discardWaiting: outbox.discard,
    /** The person has seen which reports were sent from the outbox. */
    acknowledge: () => publish({ delivered: 0 }),
    /**
     * Sends the reports that an earlier page could not send.
     *
     * @param reopens the form is opened again with its draft, which is not sent by itself
     */
    async resume(reopens: boolean): Promise<void> {
      await ready;
      if (!reopens) outbox.moveFromForm();
      await outbox.drain();
    },
    close,
    /**
     * Closes the form. Its draft is sent again only after another press (BUG-1). A running try cannot be
     * cancelled: the person is informed whether the report arrived.
     */
    cancel(): void {
      withdraw();
      close();
    },
    edit: outbox.edit,
    submit,
    holdThanks: thanks.hold,
    releaseThanks: thanks.release,
    surroundings: dependencies.surroundings,
  };
}

/** The time after which the thanks close; it pauses while a pointer rests on them. */
function createThanksTimer(clock: Clock, whenOver: () => void) {
  let left = 0;
  let since = 0;
  let stop: (() => void) | null = null;

  function hold(): void {
    if (stop === null) return;
    stop();
    stop = null;
    left -= clock.now() - since;
  }

  function release(): void {
    if (stop !== null || left <= 0) return;
    since = clock.now();
    stop = clock.after(left, () => {
      hold();
      whenOver();
    });
  }

  function cancel(): void {
    hold();
    left = 0;
  }

  function start(): void {
    cancel();
    left = thanksDuration;
    release();
  }

  return { start, hold, release, cancel };
}

/** Resolves when `reading` ends, or after `readTimeout`. */
function inTime(clock: Clock, reading: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    clock.after(readTimeout, resolve);
    void reading.finally(resolve);
  });
}
