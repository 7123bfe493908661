import type { SentReport } from '#features/feedback/contract/feedback.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import type { Readable } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { base64Of } from './base64.ts';
import type { createDraftAutosave } from './draft-autosave.ts';
import type { DraftStore } from './draft-store.ts';
import { type Draft, type DraftRules, isEmpty, mistakesIn, type Reporter } from './draft.ts';
import { type FeedbackError, missingFields, sendingError } from './feedback-error.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { FeedbackState } from './feedback-state.ts';
import { type createOutbox, errorOf, failedOf, isTransient } from './outbox.ts';
import type { RequiredFields } from './required-fields.ts';
import type { createSending } from './send-feedback.ts';
import { sentAlong, type Surroundings } from './surroundings.ts';

/** The form, and what it is stored in. */
export type FeedbackForm = {
  /** Its person; null: a caller who is not signed in. */
  owner: () => string | null;
  state: Readable<FeedbackState>;
  rules: Readable<DraftRules>;
  publish: (change: Partial<Omit<FeedbackState, 'sending'>>) => void;
  fresh: () => Draft;
  autosave: ReturnType<typeof createDraftAutosave>;
  outbox: ReturnType<typeof createOutbox>;
  required: RequiredFields;
  /** Thanks for a while. */
  thank: () => void;
  onLoss: (error: unknown) => void;
};

/** One try to send the draft in the form. */
type Flight = {
  readonly person: string | null;
  readonly eventId: string;
  readonly outcome: Promise<void>;
  /** Share of the body that was sent, 0 to 1; null where it is not counted. */
  progress: number | null;
  /** Whether the person still waits for it. */
  awaited: boolean;
};

type SubmittingDependencies = {
  clock: Clock;
  reporter: Readable<Reporter>;
  drafts: Pick<DraftStore, 'remove'>;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'post'>;
  errors: Pick<ErrorRecord, 'record'>;
  surroundings: () => Surroundings;
  options?: { tags?: Record<string, string> };
};

/**
 * Sends what is written in the form, and shows what becomes of it. What could not be sent moves to the outbox,
 * and back into the form to be corrected (BUG-5).
 */
export function createSubmitting(
  dependencies: SubmittingDependencies,
  form: FeedbackForm,
  wire: ReturnType<typeof createSending>,
) {
  const { clock, reporter, drafts, broadcast, errors } = dependencies;
  const { owner, state, rules, publish, fresh, autosave, outbox, required, onLoss } = form;
  /** The last failure, and the report that it is about. */
  let lastFailure: { readonly eventId: string; readonly error: FeedbackError } | null = null;
  let flight: Flight | null = null;

  /** Sends a report to the end. Rejects with a FeedbackError. */
  async function deliver(draft: Draft, onProgress: (progress: number) => void): Promise<void> {
    const { email, name, message, eventId, picture } = draft;
    const report: SentReport = {
      email,
      name,
      message,
      eventId,
      source: 'widget',
      tags: dependencies.options?.tags ?? {},
      ...draft.sentAlong,
    };
    try {
      const asPerson = owner() !== null;
      if (picture === null) await wire.deliver(report, { asPerson });
      else {
        const { blob, filename } = picture;
        const attachments = [{ data: await base64Of(blob), filename, contentType: 'image/png' }];
        await wire.deliver(
          { ...report, attachments },
          { asPerson, onProgress: (sent, total) => onProgress(total === 0 ? 0 : sent / total) },
        );
      }
    } catch (error) {
      // An id belongs to one content: another tab has sent the same draft with other data.
      if (sendingError(error).code !== 'EVENT_ID_USED') throw error;
    }
  }

  /** Waits as long as the person does. */
  async function follow(begun: Flight): Promise<void> {
    begun.awaited = true;
    publish({ problem: null });
    try {
      await wire.withinTimeout(begun.outcome);
    } catch (error) {
      const undetermined = sendingError(error);
      if (undetermined.failure !== 'undetermined') return;
      begun.awaited = false;
      if (begun !== flight || begun.person !== owner()) return;
      lastFailure = { eventId: begun.eventId, error: undetermined };
      publish({ problem: { kind: 'failure', error: undetermined, late: false } });
    }
  }

  function end(done: Flight): boolean {
    if (flight !== done) return false;
    flight = null;
    return true;
  }

  /** The flight of the draft with this id, if there is one. */
  const underWay = (eventId: string) => (flight?.eventId === eventId ? flight : null);

  /** Sends a draft. `onBegun` is called once the try is under way, before it can have an outcome. */
  function begin(draft: Draft, onBegun: () => void): void {
    const begun: Flight = {
      person: owner(),
      eventId: draft.eventId,
      outcome: outbox.turn(draft.eventId, () =>
        deliver(draft, (progress) => {
          begun.progress = progress;
          publish({});
        }),
      ),
      progress: null,
      awaited: true,
    };
    flight = begun;
    onBegun();
    begun.outcome.then(
      () => succeed(begun, end(begun)),
      (error: unknown) => fail(begun, sendingError(error), end(begun)),
    );
    void follow(begun);
  }

  /** The draft was sent, here or in another tab. */
  function discard(isThanked: boolean): void {
    autosave.drop();
    autosave.begin();
    flight = null;
    publish({ view: isThanked ? 'thanks' : 'trigger', draft: fresh(), problem: null });
    if (isThanked) form.thank();
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
    const store = () => {
      publish({ draft: sent });
      void autosave.saveNow();
    };
    if (before === null) begin(sent, store);
    else {
      store();
      void follow(before);
    }
  }

  /** The draft counts as not sent, under the same event id: should a try have arrived, it is stored once. */
  function withdraw(): void {
    const { draft } = state.get();
    if (draft.sentAlong === null) return;
    publish({ draft: { ...draft, sentAlong: null }, problem: null });
    void autosave.saveNow();
  }

  /** Sends the form again after a failure, as if the person had pressed again. */
  function resubmit(): void {
    const { view, draft, sending } = state.get();
    const failed = failureOf(draft.eventId);
    const isSubmitted = view === 'form' && draft.sentAlong !== null;
    if (isSubmitted && sending === null && failed !== null && isTransient(failed)) submit();
  }

  function succeed(done: Flight, isLatest: boolean): void {
    if (done.person !== null) {
      drafts.remove(done.person, done.eventId).catch(onLoss);
      broadcast.post({ type: 'sent', person: done.person, eventId: done.eventId, waited: false });
    }
    if (done.person !== owner()) return;
    // Another tab may have moved it to the outbox by now.
    void outbox.remove(done.eventId);
    if (state.get().draft.eventId === done.eventId) discard(true);
    else if (isLatest) publish({ problem: { kind: 'sent-before-edit' } });
  }

  function fail(done: Flight, error: FeedbackError, isLatest: boolean): void {
    errors.record('feedback.send', error);
    if (!isLatest) return;
    const missing = missingFields(error);
    const late = !done.awaited;
    const { draft } = state.get();
    const isWithdrawn = draft.eventId === done.eventId && draft.sentAlong === null;
    // The form asked for fewer fields when it was sent.
    if (missing.length > 0) required.refusedWithout(missing);
    publish(
      done.person !== owner()
        ? {}
        : missing.length > 0
          ? { problem: { kind: 'mistakes', mistakes: { missing, wrong: {} }, late } }
          : { problem: { kind: 'failure', error, late, ...(isWithdrawn ? { isDraft: true } : {}) } },
    );
    lastFailure = { eventId: done.eventId, error };
    moveToOutbox();
  }

  function failureOf(eventId: string): FeedbackError | null {
    return lastFailure?.eventId === eventId ? lastFailure.error : null;
  }

  /** Moves a submitted report out of the form to the outbox, so that the form is free for another one. */
  function moveToOutbox(): void {
    const { view, draft, sending } = state.get();
    const personId = owner();
    if (personId === null || view === 'form' || draft.sentAlong === null || sending !== null) return;
    const failed = failureOf(draft.eventId);
    autosave.drop();
    autosave.begin();
    publish({ draft: fresh() });
    void outbox.add({ draft, at: clock.now(), failed: failed && failedOf(failed) }).then(async (isStored) => {
      // Where there is no space for both, what is stored of the form stays.
      if (isStored) await drafts.remove(personId, draft.eventId).catch(onLoss);
      broadcast.post({ type: 'waiting', person: personId });
    });
  }

  /** Moves a waiting report into the form; a draft that is in the form moves to the outbox. */
  async function moveToForm(eventId: string): Promise<void> {
    const report = state.get().waiting.find(({ draft }) => draft.eventId === eventId);
    const personId = owner();
    if (report === undefined || personId === null) return;
    const { draft } = state.get();
    const failed = report.failed?.final
      ? errorOf(report.failed, report.draft.picture !== null)
      : failureOf(eventId);
    autosave.begin();
    if (!isEmpty(draft, reporter.get())) await outbox.add({ draft, at: clock.now(), failed: null });
    lastFailure = failed === null ? null : { eventId, error: failed };
    publish({
      draft: report.draft,
      problem: failed === null ? null : { kind: 'failure', error: failed, late: false },
    });
    // Where there is no space for the form, what is stored of the report stays.
    if (!(await autosave.saveNow()) && outbox.isStored(eventId)) return;
    await outbox.remove(eventId);
    broadcast.post({ type: 'waiting', person: personId });
  }

  return {
    submit,
    resubmit,
    withdraw,
    discard,
    deliver,
    underWay,
    failureOf,
    moveToOutbox,
    moveToForm,
    /** Shows the failure of a waiting report in the form, or in the page while the form is closed. */
    report(eventId: string, error: FeedbackError): void {
      lastFailure = { eventId, error };
      if (state.get().view !== 'form') publish({ problem: { kind: 'failure', error, late: true } });
    },
    async moveLastToForm(): Promise<void> {
      if (lastFailure !== null) await moveToForm(lastFailure.eventId);
    },
    /** Discards a waiting report. */
    async discardWaiting(eventId: string): Promise<void> {
      const personId = owner();
      await outbox.remove(eventId);
      if (personId !== null) broadcast.post({ type: 'waiting', person: personId });
    },
  };
}
