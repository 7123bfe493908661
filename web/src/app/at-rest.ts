import type { FailedCall } from '#features/feedback/contract/feedback.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import { createEventSource } from '../platform/live/event-source.ts';
import { FindField } from './palette/find-field.tsx';
import { ConsoleNavigation } from './shell/console-navigation.tsx';
import { type Recorder, startRecorder } from '../platform/record/recorder.ts';
import { type Readable, watch } from '../platform/state/store.ts';

/** The parts that a page downloads after its first paint, as one file instead of a dozen small ones. */
export const atRest = { createEventSource, startLazyRecorder, FindField, ConsoleNavigation };

type LazyRecorderParts = {
  screenAt: (path: string) => string;
  currentUser: Readable<Profile | null>;
  failedCalls: Readable<readonly FailedCall[]>;
};

/** Loaded after the first paint: records what the person does in this page (BUG-7). */
function startLazyRecorder(parts: LazyRecorderParts): Recorder {
  const { screenAt, currentUser, failedCalls } = parts;
  const recorder = startRecorder(window, {
    screenAt,
    words() {
      const user = currentUser.get();
      return user === null ? [] : [user.firstName, user.lastName, user.email ?? ''];
    },
    // What the person does while writing the report is no part of the report.
    ignored: '.report-dialog, .report-bug',
  });
  const known = new WeakSet<FailedCall>();
  watch(failedCalls, (calls) => {
    for (const call of calls) {
      if (!known.has(call)) recorder.addCall(call);
      known.add(call);
    }
  });
  return recorder;
}
