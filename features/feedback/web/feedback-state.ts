import type { Draft, Mistakes, WaitingReport } from './draft.ts';
import type { FeedbackError } from './send-feedback.ts';

/** What the form shows about the last try; `late`: the outcome came after the person had stopped waiting. */
export type FeedbackProblem =
  | { readonly kind: 'mistakes'; readonly mistakes: Mistakes; readonly late: boolean }
  | {
      readonly kind: 'failure';
      readonly error: FeedbackError;
      readonly late: boolean;
      /** The person has cancelled, so the report is not retried. */
      readonly isDraft?: true;
    }
  /** The report was sent, but the person has edited it since. */
  | { readonly kind: 'sent-before-edit' };

/** One try to send the draft in the form. */
export type Attempt = {
  readonly person: string | null;
  readonly eventId: string;
  /** Share of the body that was sent, 0 to 1; null where it is not counted. */
  readonly progress: number | null;
  /** Whether the person still waits for the outcome. */
  readonly awaited: boolean;
  readonly outcome: Promise<void>;
};

export type FeedbackState = {
  /** What the corner of the page shows. */
  readonly view: 'trigger' | 'form' | 'thanks';
  readonly draft: Draft;
  readonly problem: FeedbackProblem | null;
  /** The reports that could not be sent, the oldest first. */
  readonly waiting: readonly WaitingReport[];
  /** The event ids of the waiting reports that are being sent now. */
  readonly trying: readonly string[];
  /** How many waiting reports were sent since the person last looked. */
  readonly delivered: number;
  /** The last try that has no outcome yet. */
  readonly attempt: Attempt | null;
  /** The draft is being sent. */
  readonly sending: Pick<Attempt, 'progress' | 'awaited'> | null;
};
