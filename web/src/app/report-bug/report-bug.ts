import { findStored, removeReports } from '#features/feedback/web/report-place.ts';
import type { FeedbackState } from '#features/feedback/web/feedback-state.ts';
import type { Feedback } from '#features/feedback/web/feedback.ts';
import type { FeedbackMessage } from '#features/feedback/web/report-place.ts';
import type { Broadcast } from '../../platform/tabs/broadcast.ts';
import type { SessionState } from '../../platform/contexts.tsx';
import type { ErrorRecord } from '../../platform/record-error.ts';
import { createStore, type Readable, watch } from '../../platform/state/store.ts';
import type { TabMemory } from '../../platform/tabs/tab-memory.ts';

/** Bug reports, usable before and after their code is downloaded. */
export type ReportBug = {
  readonly view: Readable<FeedbackState['view']>;
  /** How many reports could not be sent yet, and how many the server does not accept. */
  readonly waiting: Readable<{ readonly sending: number; readonly refused: number }>;
  /** The state of bug reports; null until its code is downloaded. */
  readonly feedback: Readable<Feedback | null>;
  /** Downloads the code of bug reports once. Rejects if that fails, and can be called again. */
  start(): Promise<Feedback>;
  /** Whether a report was being written when the page, or the session of this person, last ended. */
  wasOpen(): boolean;
  /** Whether a report is being written in this tab. */
  isWriting(): boolean;
  /** Makes the next page of this tab open the form, with the stored draft. */
  openAfterReload(): void;
};

type ReportBugDependencies = {
  session: Readable<SessionState>;
  memory: TabMemory;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'subscribe'>;
  errors: Pick<ErrorRecord, 'record'>;
  /** @param forgets whether the last person has signed out on purpose */
  load: (forgets: () => boolean) => Promise<Feedback>;
};

const openKey = 'portico.report-open';

const nothingWaits = { sending: 0, refused: 0 };

export function createReportBug(dependencies: ReportBugDependencies): ReportBug {
  const { session, memory, load } = dependencies;
  const view = createStore<FeedbackState['view']>('trigger');
  const feedback = createStore<Feedback | null>(null);
  const waiting = createStore(
    nothingWaits,
    (one, other) => one.sending === other.sending && one.refused === other.refused,
  );
  let starting: Promise<Feedback> | null = null;
  let person: string | null = null;

  watch(session, (now) => {
    if (now.status === 'signed-in') {
      person = now.personId;
      // Reports that could not be sent are sent again even if the form is not opened.
      void findStored(person).then(({ toSend }) => toSend && startQuietly());
    }
    if (person === null || !isLeft(now)) return;
    void removeReports(person);
    memory.write(openKey, null);
    person = null;
  });

  dependencies.broadcast.subscribe((message) => {
    if (message.type === 'waiting' && message.person === person) startQuietly();
  });

  function startQuietly(): void {
    start().catch((error: unknown) => dependencies.errors.record('feedback.load', error));
  }

  function start(): Promise<Feedback> {
    starting ??= begin().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return starting;
  }

  const wasOpen = () => person !== null && memory.read(openKey) === person;

  async function begin(): Promise<Feedback> {
    const reopens = wasOpen();
    let isReopening = reopens;
    const begun = await load(() => isLeft(session.get()));
    void begun.resume(reopens);
    watch(begun.state, (now) => {
      view.set(now.view);
      waiting.set(countOf(now));
      // After the session has ended the stored mark stays, in case the same person returns.
      const { status } = session.get();
      // The mark that the form was open is kept until the form is open again.
      if (now.view === 'form') isReopening = false;
      if (status === 'signed-in' && !isReopening)
        memory.write(openKey, now.view === 'form' && isWritten(now) ? person : null);
    });
    feedback.set(begun);
    return begun;
  }

  return {
    view,
    feedback,
    waiting,
    start,
    wasOpen,
    isWriting() {
      const now = feedback.get()?.state.get();
      return now !== undefined && isWritten(now);
    },
    openAfterReload: () => memory.write(openKey, person),
  };
}

function countOf({ waiting }: FeedbackState): { sending: number; refused: number } {
  return {
    sending: waiting.filter(({ draft, failed }) => failed?.final !== true && draft.sentAlong !== null).length,
    refused: waiting.filter(({ failed }) => failed?.final === true).length,
  };
}

/** Whether the form has content; an empty form is not opened again after a reload. */
function isWritten({ draft }: FeedbackState): boolean {
  return draft.message.trim() !== '' || draft.picture !== null;
}

/** Whether the person signed out, in this tab or another; their reports are then removed. */
function isLeft(session: SessionState): boolean {
  return (
    session.status === 'signing-out' ||
    session.status === 'sign-out-failed' ||
    (session.status === 'signed-out' && session.takesWork === true)
  );
}
