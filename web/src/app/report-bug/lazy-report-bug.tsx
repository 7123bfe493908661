import type { Profile } from '#features/profile/contract/profile.ts';
import { CatchBoundary } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { partsOfPage } from '#features/feedback/web/report-store.ts';
import { createFeedback, type Feedback } from '#features/feedback/web/feedback.ts';
import type { FeedbackMessage } from '#features/feedback/web/report-place.ts';
import { ReportDialog } from '#features/feedback/web/report-dialog.tsx';
import {
  createRequiredFields,
  type RequiredFieldsDependencies,
} from '#features/feedback/web/required-fields.ts';
import { loadScreenshot } from '#features/feedback/web/screenshot-field.tsx';
import type { SendingDependencies } from '#features/feedback/web/send-feedback.ts';
import { type PageFacts, readSurroundings } from '#features/feedback/web/surroundings.ts';
import { Thanks } from '#features/feedback/web/thanks.tsx';
import type { Broadcast } from '../../platform/tabs/broadcast.ts';
import type { Readable } from '../../platform/state/store.ts';
import type { TabPresence } from '../../platform/tabs/tab-presence.ts';
import type { Locks } from '../../platform/tabs/with-lock.ts';
import { useStore } from '../../platform/state/use-store.ts';
import './report-waiting.css';

/*
 * Loaded with the first press of the button: the state of bug reports, and the dialog.
 */

type FeedbackParts = SendingDependencies & {
  person: Readable<string | null>;
  currentUser: Readable<Profile | null>;
  /** Whether the last person has signed out on purpose. */
  forgets: () => boolean;
  /** Facts about the page; the address is the screen's, with its origin. */
  facts: () => PageFacts;
  live: RequiredFieldsDependencies['live'];
  broadcast: Broadcast<FeedbackMessage>;
  presence: Pick<TabPresence, 'onReturn'>;
  locks: Locks | undefined;
  random: () => number;
};

export function startFeedback({ currentUser, facts, live, ...parts }: FeedbackParts): Feedback {
  return createFeedback({
    ...parts,
    form: createRequiredFields({ ...parts, live }),
    ...partsOfPage(currentUser),
    surroundings: () => readSurroundings(window, parts.clock.now(), facts()),
  });
}

/** Downloads in advance the part of the dialog that takes and edits pictures. */
export async function loadPictureEditor(): Promise<void> {
  await loadScreenshot();
}

type LazyReportBugProps = {
  feedback: Feedback;
  trigger: RefObject<HTMLButtonElement | null>;
  /** Called when the dialog has failed. */
  onError: () => void;
};

/** The report dialog, and the thanks after a report was sent. */
export function LazyReportBug({ feedback, trigger, onError }: LazyReportBugProps) {
  const { view } = useStore(feedback.state);
  return (
    <CatchBoundary
      getResetKey={() => view}
      errorComponent={() => null}
      onCatch={() => {
        // A screen must not stop working because its bug report does.
        feedback.close();
        onError();
      }}
    >
      <Thanks feedback={feedback} trigger={trigger} />
      <ReportDialog feedback={feedback} />
    </CatchBoundary>
  );
}
