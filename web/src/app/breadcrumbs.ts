import type { Breadcrumb, FailedCall } from '#features/feedback/contract/feedback.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import type { Recorder } from '../platform/record/recorder.ts';
import type { Readable } from '../platform/state/store.ts';

type BreadcrumbsParts = {
  screenAt: (path: string) => string;
  currentUser: Readable<Profile | null>;
  failedCalls: Readable<readonly FailedCall[]>;
};

/**
 * The last steps of the person in this page, in the order of time. The recorder is downloaded after the first
 * paint; what has failed before is known.
 */
export function recordBreadcrumbs(window: Window, parts: BreadcrumbsParts): () => readonly Breadcrumb[] {
  let recorder: Recorder | null = null;
  const load = () =>
    void import('./late-recorder.ts').then(
      ({ startLazyRecorder }) => (recorder = startLazyRecorder(parts)),
      // Failed calls are left.
      () => undefined,
    );
  // Safari has no idle callback.
  const whenIdle = () => setTimeout(load, 500);
  if (window.document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
  return () =>
    recorder?.breadcrumbs() ?? parts.failedCalls.get().map((call) => ({ kind: 'call' as const, ...call }));
}
