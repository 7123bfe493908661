import { type Readable, watch } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { DraftStore } from './draft-store.ts';
import { isEmpty, type Reporter } from './draft.ts';
import type { FeedbackMessage } from './feedback-message.ts';
import type { createSubmitting, FeedbackForm } from './submitting.ts';

type FollowedDependencies = {
  reporter: Readable<Reporter>;
  forgets: () => boolean;
  drafts: Pick<DraftStore, 'leave' | 'changedElsewhere'>;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'subscribe'>;
  onLeaving: (listener: () => void) => void;
};

/**
 * What changes around the form while it is there: who reports, what is asked for, the page, the other tabs.
 */
export function followChanges(
  dependencies: FollowedDependencies,
  form: FeedbackForm,
  submitting: Pick<ReturnType<typeof createSubmitting>, 'discard' | 'underWay'>,
): void {
  const { drafts, broadcast } = dependencies;
  let known = dependencies.reporter.get();
  watch(dependencies.reporter, (next) => {
    if (isEmpty(form.state.get().draft, known)) form.publish({ draft: form.fresh() });
    known = next;
  });
  // A field that is not asked for any more is not missing.
  watch(form.rules, (asked) => {
    const { problem } = form.state.get();
    if (problem?.kind !== 'mistakes') return;
    const missing = problem.mistakes.missing.filter((field) => asked[field].required);
    form.publish({ problem: { ...problem, mistakes: { ...problem.mistakes, missing }, late: true } });
  });
  dependencies.onLeaving(() => {
    void form.autosave.save();
    if (!dependencies.forgets()) drafts.leave();
  });

  broadcast.subscribe((message) => {
    if (message.person !== form.owner()) return;
    if (message.type === 'waiting') void form.outbox.read();
    else if (message.type === 'sent') {
      if (message.waited) {
        void form.outbox.read();
        form.publish({ gone: form.state.get().gone + 1 });
      }
      if (form.state.get().draft.eventId === message.eventId)
        submitting.discard(submitting.underWay(message.eventId) !== null);
    } else if (form.autosave.isUnsaved()) {
      // What was written here is newer, and will be stored as a whole.
      drafts.changedElsewhere();
    } else void form.autosave.read();
  });
}
