import { forgetDraft } from '../features/feedback/draft-place.ts';
import type { Feedback, FeedbackState } from '../features/feedback/feedback.ts';
import type { SessionState } from '../platform/contexts.tsx';
import { createStore, type Readable, watch } from '../platform/store.ts';
import type { TabMemory } from '../platform/tab-memory.ts';

/** Bug reports before and after their part of the page is downloaded. */
export type ReportBug = {
  readonly view: Readable<FeedbackState['view']>;
  /** Null until it is first needed. */
  readonly feedback: Readable<Feedback | null>;
  /** Downloads what is missing. Rejects where that cannot be had, and can be tried again. */
  start(): Promise<Feedback>;
  /** Whether somebody was writing when the page, or the session of this person, last ended. */
  wasOpen(): boolean;
};

type ReportBugEdges = {
  session: Readable<SessionState>;
  memory: TabMemory;
  /** @param forgets whether who was here has signed out on purpose */
  load: (forgets: () => boolean) => Promise<Feedback>;
};

const openKey = 'portico.report-open';

export function createReportBug({ session, memory, load }: ReportBugEdges): ReportBug {
  const view = createStore<FeedbackState['view']>('trigger');
  const feedback = createStore<Feedback | null>(null);
  let starting: Promise<Feedback> | null = null;
  let person: string | null = null;

  watch(session, (now) => {
    if (now.status === 'signed-in') person = now.personId;
    if (person === null || !isLeft(now)) return;
    forgetDraft(person);
    memory.write(openKey, null);
    person = null;
  });

  async function begin(): Promise<Feedback> {
    const begun = await load(() => isLeft(session.get()));
    watch(begun.state, (now) => {
      view.set(now.view);
      // Once the session has ended this is left as it was, for when the same person is back.
      const { status } = session.get();
      if (status === 'signed-in')
        memory.write(openKey, now.view === 'form' && isWritten(now) ? person : null);
    });
    feedback.set(begun);
    return begun;
  }

  return {
    view,
    feedback,
    start() {
      starting ??= begin().catch((error: unknown) => {
        starting = null;
        throw error;
      });
      return starting;
    },
    wasOpen: () => person !== null && memory.read(openKey) === person,
  };
}

/** An empty form that comes back by itself would only be in the way. */
function isWritten({ draft }: FeedbackState): boolean {
  return draft.message.trim() !== '' || draft.picture !== null;
}

/** Signed out by the person, in this tab or another: what they wrote is not kept. */
function isLeft(session: SessionState): boolean {
  return (
    session.status === 'signing-out' ||
    session.status === 'sign-out-failed' ||
    (session.status === 'signed-out' && session.reason === 'signed-out')
  );
}
