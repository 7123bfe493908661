import type { ErrorRecord } from '#web/platform/record-error.ts';
import type { Readable } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { createDraftAutosave } from './draft-autosave.ts';
import type { DraftStore } from './draft-store.ts';
import { type Draft, type DraftRules, mistakesIn } from './draft.ts';
import { type FeedbackError, missingFields } from './feedback-error.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { FeedbackState } from './feedback-state.ts';
import { createFormSending, type Flight } from './form-sending.ts';
import { type createOutbox, isTransient } from './outbox.ts';
import type { createOutboxMoves } from './outbox-moves.ts';
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
  outboxMoves: ReturnType<typeof createOutboxMoves>;
  required: RequiredFields;
  /** Thanks for a while. */
  thank: () => void;
  onLoss: (error: unknown) => void;
};

type SubmittingDependencies = {
  drafts: Pick<DraftStore, 'remove'>;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'post'>;
  errors: Pick<ErrorRecord, 'record'>;
  surroundings: () => Surroundings;
  options?: { tags?: Record<string, string> };
};

/** Sends what is written in the form, and shows what becomes of it. */
export function createSubmitting(
  dependencies: SubmittingDependencies,
  form: FeedbackForm,
  wire: ReturnType<typeof createSending>,
) {
  const { drafts, broadcast, errors } = dependencies;
  const { owner, state, rules, publish, fresh, autosave, outbox, outboxMoves, required, onLoss } = form;
  const sending = createFormSending({
    wire,
    tags: dependencies.options?.tags ?? {},
    owner,
    turn: outbox.turn,
    onProgress: () => publish({}),
    onAwaited: () => publish({ problem: null }),
    onSent: succeed,
    onFailure: fail,
    onUndetermined({ eventId }, error) {
      outboxMoves.remember(eventId, error);
      publish({ problem: { kind: 'failure', error, late: false } });
    },
  });

  /** The draft was sent, here or in another tab. */
  function discard(isThanked: boolean): void {
    autosave.drop();
    autosave.begin();
    sending.forget();
    publish({ view: isThanked ? 'thanks' : 'trigger', draft: fresh(), problem: null });
    if (isThanked) form.thank();
  }

  /** Sends the draft; if it is being sent already, only waits for it again. */
  function submit(): void {
    const { draft } = state.get();
    const flight = sending.underWay(draft.eventId);
    if (flight?.awaited === true) return;
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
      autosave.saveNow();
    };
    if (flight === null) sending.begin(sent, store);
    else {
      store();
      void sending.follow(flight);
    }
  }

  /** The draft counts as not sent, under the same event id: should a try have arrived, it is stored once. */
  function withdraw(): void {
    const { draft } = state.get();
    if (draft.sentAlong === null) return;
    publish({ draft: { ...draft, sentAlong: null }, problem: null });
    autosave.saveNow();
  }

  /** Sends the form again after a failure, as if the person had pressed again. */
  function resubmit(): void {
    const { view, draft, sending: underWay } = state.get();
    const failed = outboxMoves.failureOf(draft.eventId);
    const isSubmitted = view === 'form' && draft.sentAlong !== null;
    if (isSubmitted && underWay === null && failed !== null && isTransient(failed)) submit();
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
    outboxMoves.remember(done.eventId, error);
    outboxMoves.moveToOutbox();
  }

  return { submit, resubmit, withdraw, discard, deliver: sending.deliver, underWay: sending.underWay };
}
