import type { Draft, Mistakes } from './draft.ts';
import type { FeedbackError } from './feedback-error.ts';
import type { WaitingReport } from './waiting-report.ts';

/** What the form shows about the last try; `late` where it came when the person waited for it no more. */
export type FeedbackProblem =
  | { readonly kind: 'mistakes'; readonly mistakes: Mistakes; readonly late: boolean }
  | {
      readonly kind: 'failure';
      readonly error: FeedbackError;
      readonly late: boolean;
    }
  /** It was sent, as it was before the person went on writing. */
  | { readonly kind: 'sent-before-edit' };

export type FeedbackState = {
  /** What stands in the corner of the page, or over it. */
  readonly view: 'trigger' | 'form' | 'thanks';
  readonly draft: Draft;
  readonly problem: FeedbackProblem | null;
  /** What was to be sent and could not be, the first first. */
  readonly waiting: readonly WaitingReport[];
  /** How many of them have gone by themselves, and the person does not know it yet. */
  readonly gone: number;
  /** The draft as it stands is on its way. */
  readonly sending: {
    /** Of the body, 0 to 1; null where it is not counted. */
    readonly progress: number | null;
    /** Within the time that a person waits. */
    readonly awaited: boolean;
  } | null;
};
