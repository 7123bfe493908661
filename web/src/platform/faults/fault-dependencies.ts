import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import type { Api } from '../calls/call.ts';
import type { ErrorRecord } from '../record-error.ts';
import type { Readable } from '../state/store.ts';
import type { Clock } from '../time/clock.ts';

/** What reporting errors needs of its page. */
export type FaultDependencies = {
  boot: Pick<Boot, 'faults' | 'release' | 'production'>;
  api: Pick<Api, 'onProblem'>;
  errors: Pick<ErrorRecord, 'recorded'>;
  clock: Clock;
  /** The path of the screen, parameters by their names. */
  screen: () => string;
  /** What happened before, scrubbed. */
  breadcrumbs: () => readonly Breadcrumb[];
  /** Minutes east of UTC; null: not known yet. */
  timeOffset: () => number | null;
  /** Whose name is removed from messages. */
  currentUser: Readable<Profile | null>;
};
