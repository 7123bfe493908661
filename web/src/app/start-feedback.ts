import type { Profile } from '@portico/contract/profile';
import { createDraftStore } from '../features/feedback/draft-store.ts';
import { randomEventId } from '../features/feedback/draft.ts';
import { createFeedback, type Feedback, readFeedbackMessage } from '../features/feedback/feedback.ts';
import type { SendingEdges } from '../features/feedback/send-feedback.ts';
import { readSurroundings } from '../features/feedback/surroundings.ts';
import { browserChannel, openBroadcast } from '../platform/broadcast.ts';
import { derive, type Readable } from '../platform/store.ts';

type FeedbackParts = SendingEdges & {
  person: Readable<string | null>;
  currentUser: Readable<Profile | null>;
  /** Whether who was here has signed out on purpose. */
  forgets: () => boolean;
  /** Path, query and fragment of the screen. */
  address: () => string;
  release: string;
};

/** Puts the report dialog's part of the page together, once it is first needed. */
export function startFeedback(parts: FeedbackParts): Feedback {
  const { api, clock, errors, person, currentUser, forgets, address, release } = parts;
  return createFeedback({
    api,
    clock,
    errors,
    person,
    forgets,
    reporter: derive([currentUser], (user) => ({
      email: user?.email ?? '',
      name: user === null ? '' : `${user.firstName} ${user.lastName}`.trim(),
    })),
    drafts: createDraftStore(randomEventId),
    broadcast: openBroadcast(browserChannel, 'feedback', readFeedbackMessage),
    onLeaving(listener) {
      window.addEventListener('pagehide', listener);
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'hidden') listener();
      });
    },
    surroundings: () =>
      readSurroundings(window, clock.now(), { address: window.location.origin + address(), release }),
    newEventId: randomEventId,
  });
}
