import type { SentReport } from '@portico/contract/feedback';
import { base64Of } from './base64.ts';
import type { Draft } from './draft.ts';
import { type FeedbackError, sendingError } from './feedback-error.ts';
import type { createSending } from './send-feedback.ts';

/** One try to send the draft in the form. */
export type Flight = {
  readonly person: string | null;
  readonly eventId: string;
  readonly outcome: Promise<void>;
  /** Of the body, 0 to 1; null where it is not counted. */
  progress: number | null;
  /** Within the time that a person waits. */
  awaited: boolean;
};

type FormSendingEdges = {
  wire: Pick<ReturnType<typeof createSending>, 'deliver' | 'withinTimeout'>;
  tags: Record<string, string>;
  owner: () => string | null;
  /** Does the work while no other tab sends the report of this id. */
  turn: (eventId: string, work: () => Promise<void>) => Promise<void>;
  /** More of the body has gone out. */
  onProgress: () => void;
  /** From now on the person waits for it. */
  onAwaited: () => void;
  onSent: (flight: Flight, isLatest: boolean) => void;
  onFailure: (flight: Flight, error: FeedbackError, isLatest: boolean) => void;
  /** The time that a person waits is over, and nothing is known. */
  onUndetermined: (flight: Flight, error: FeedbackError) => void;
};

/** Sends the draft in the form: one try at a time, which goes on after the person has stopped waiting. */
export function createFormSending(edges: FormSendingEdges) {
  const { wire, owner } = edges;
  let flight: Flight | null = null;

  /** Sends a report to the end. Rejects with a FeedbackError. */
  async function deliver(draft: Draft, onProgress: (progress: number) => void): Promise<void> {
    const { email, name, message, eventId, picture } = draft;
    const report: SentReport = {
      email,
      name,
      message,
      eventId,
      source: 'widget',
      tags: edges.tags,
      ...draft.sentAlong,
    };
    try {
      const asPerson = owner() !== null;
      if (picture === null) await wire.deliver(report, { asPerson });
      else {
        const { blob, filename } = picture;
        const attachments = [{ data: await base64Of(blob), filename, contentType: 'image/png' }];
        await wire.deliver(
          { ...report, attachments },
          { asPerson, onProgress: (sent, total) => onProgress(total === 0 ? 0 : sent / total) },
        );
      }
    } catch (error) {
      // The id belongs to these contents alone: another tab has sent them from where it stood.
      if (sendingError(error).code !== 'EVENT_ID_USED') throw error;
    }
  }

  /** Waits as long as a person does. */
  async function follow(begun: Flight): Promise<void> {
    begun.awaited = true;
    edges.onAwaited();
    try {
      await wire.withinTimeout(begun.outcome);
    } catch (error) {
      const undetermined = sendingError(error);
      if (undetermined.failure !== 'undetermined') return;
      begun.awaited = false;
      if (begun === flight && begun.person === owner()) edges.onUndetermined(begun, undetermined);
    }
  }

  function end(done: Flight): boolean {
    if (flight !== done) return false;
    flight = null;
    return true;
  }

  return {
    deliver,
    /** The try that is under way for the draft of this id. */
    underWay: (eventId: string) => (flight?.eventId === eventId ? flight : null),
    follow,
    /** Sends a draft. `onBegun` is called once the try is under way, before anything can come of it. */
    begin(draft: Draft, onBegun: () => void): void {
      const begun: Flight = {
        person: owner(),
        eventId: draft.eventId,
        outcome: edges.turn(draft.eventId, () =>
          deliver(draft, (progress) => {
            begun.progress = progress;
            edges.onProgress();
          }),
        ),
        progress: null,
        awaited: true,
      };
      flight = begun;
      onBegun();
      begun.outcome.then(
        () => edges.onSent(begun, end(begun)),
        (error: unknown) => edges.onFailure(begun, sendingError(error), end(begun)),
      );
      void follow(begun);
    },
    /** What comes of the try is no concern of the form any more. */
    forget(): void {
      flight = null;
    },
  };
}
