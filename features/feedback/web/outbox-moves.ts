import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { createDraftAutosave } from './draft-autosave.ts';
import type { DraftStore } from './draft-store.ts';
import { type Draft, isEmpty, type Reporter } from './draft.ts';
import type { FeedbackError } from './feedback-error.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { FeedbackState } from './feedback-state.ts';
import { type createOutbox, errorOf, isTransient, refusalOf, transientFailureOf } from './outbox.ts';

type OutboxMovesDependencies = {
  clock: Clock;
  drafts: Pick<DraftStore, 'remove'>;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'post'>;
  reporter: { get(): Reporter };
  owner: () => string | null;
  state: () => FeedbackState;
  publish: (change: Partial<Omit<FeedbackState, 'sending'>>) => void;
  fresh: () => Draft;
  autosave: Pick<ReturnType<typeof createDraftAutosave>, 'begin' | 'drop' | 'saveNow'>;
  outbox: Pick<ReturnType<typeof createOutbox>, 'add' | 'remove'>;
  onLoss: (error: unknown) => void;
};

/**
 * Moves reports that could not be sent from the form to the outbox, and back into the form to be corrected
 * (BUG-5).
 */
export function createOutboxMoves(dependencies: OutboxMovesDependencies) {
  const { clock, drafts, broadcast, reporter, owner, state, publish, autosave, outbox } = dependencies;
  /** The last failure, and the report that it is about. */
  let lastFailure: { readonly eventId: string; readonly error: FeedbackError } | null = null;

  function failureOf(eventId: string): FeedbackError | null {
    return lastFailure?.eventId === eventId ? lastFailure.error : null;
  }

  function remember(eventId: string, error: FeedbackError): void {
    lastFailure = { eventId, error };
  }

  /** Moves a waiting report into the form; a draft that is in the form moves to the outbox. */
  async function moveToForm(eventId: string): Promise<void> {
    const report = state().waiting.find(({ draft }) => draft.eventId === eventId);
    const personId = owner();
    if (report === undefined || personId === null) return;
    const { draft } = state();
    const failed =
      report.refusal === null ? failureOf(eventId) : errorOf(report.refusal, report.draft.picture !== null);
    autosave.begin();
    if (!isEmpty(draft, reporter.get())) await outbox.add({ draft, at: clock.now(), refusal: null });
    lastFailure = failed === null ? null : { eventId, error: failed };
    publish({
      draft: report.draft,
      problem: failed === null ? null : { kind: 'failure', error: failed, late: false },
    });
    autosave.saveNow();
    await outbox.remove(eventId);
    broadcast.post({ type: 'waiting', person: personId });
  }

  return {
    failureOf,
    remember,
    /** Moves a submitted report out of the form to the outbox, so that the form is free for another one. */
    moveToOutbox(): void {
      const { view, draft, sending } = state();
      const personId = owner();
      if (personId === null || view === 'form' || draft.sentAlong === null || sending !== null) return;
      const failed = failureOf(draft.eventId);
      const refusal = failed === null || isTransient(failed) ? null : refusalOf(failed);
      const trouble = failed !== null && isTransient(failed) ? { trouble: transientFailureOf(failed) } : {};
      autosave.drop();
      autosave.begin();
      publish({ draft: dependencies.fresh() });
      void outbox.add({ draft, at: clock.now(), refusal, ...trouble }).then(async () => {
        await drafts.remove(personId, draft.eventId).catch(dependencies.onLoss);
        broadcast.post({ type: 'waiting', person: personId });
      });
    },
    /** Shows the failure of a waiting report in the form, or in the page while the form is closed. */
    report(eventId: string, error: FeedbackError): void {
      remember(eventId, error);
      if (state().view !== 'form') publish({ problem: { kind: 'failure', error, late: true } });
    },
    moveToForm,
    async moveLastToForm(): Promise<void> {
      if (lastFailure !== null) await moveToForm(lastFailure.eventId);
    },
    /** Discards a waiting report. */
    async discard(eventId: string): Promise<void> {
      const personId = owner();
      await outbox.remove(eventId);
      if (personId !== null) broadcast.post({ type: 'waiting', person: personId });
    },
  };
}
