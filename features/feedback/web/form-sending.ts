import type { SentReport } from '#features/feedback/contract/feedback.ts';
import { base64Of } from './base64.ts';
import type { Draft } from './draft.ts';
import { type FeedbackError, sendingError } from './feedback-error.ts';
import type { createSending } from './send-feedback.ts';

/** One try to send the draft in the form. */
export type Flight = {
  readonly person: string | null;
  readonly eventId: string;
  readonly outcome: Promise<void>;
  /** Share of the body that was sent, 0 to 1; null where it is not counted. */
  progress: number | null;
  /** Whether the person still waits for it. */
  awaited: boolean;
};

type FormSendingDependencies = {
  wire: Pick<ReturnType<typeof createSending>, 'deliver' | 'withinTimeout'>;
  tags: Record<string, string>;
  owner: () => string | null;
  /** Runs the work while no other tab sends the report of this id. */
  turn: (eventId: string, work: () => Promise<void>) => Promise<void>;
  /** More of the body was sent. */
  onProgress: () => void;
  /** From now on the person waits for it. */
  onAwaited: () => void;
  onSent: (flight: Flight, isLatest: boolean) => void;
  onFailure: (flight: Flight, error: FeedbackError, isLatest: boolean) => void;
  /** The person has waited long enough, and the outcome is not known yet. */
  onUndetermined: (flight: Flight, error: FeedbackError) => void;
};

/** Sends the draft in the form: one try at a time, which goes on after the person has stopped waiting. */
export function createFormSending(dependencies: FormSendingDependencies) {
  const { wire, owner } = dependencies;
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
      tags: dependencies.tags,
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
      // An id belongs to one content: another tab has sent the same draft with other data.
      if (sendingError(error).code !== 'EVENT_ID_USED') throw error;
    }
  }

  /** Waits as long as the person does. */
  async function follow(begun: Flight): Promise<void> {
    begun.awaited = true;
    dependencies.onAwaited();
    try {
      await wire.withinTimeout(begun.outcome);
    } catch (error) {
      const undetermined = sendingError(error);
      if (undetermined.failure !== 'undetermined') return;
      begun.awaited = false;
      if (begun === flight && begun.person === owner()) dependencies.onUndetermined(begun, undetermined);
    }
  }

  function end(done: Flight): boolean {
    if (flight !== done) return false;
    flight = null;
    return true;
  }

  return {
    deliver,
    /** The flight of the draft with this id, if there is one. */
    underWay: (eventId: string) => (flight?.eventId === eventId ? flight : null),
    follow,
    /** Sends a draft. `onBegun` is called once the try is under way, before it can have an outcome. */
    begin(draft: Draft, onBegun: () => void): void {
      const begun: Flight = {
        person: owner(),
        eventId: draft.eventId,
        outcome: dependencies.turn(draft.eventId, () =>
          deliver(draft, (progress) => {
            begun.progress = progress;
            dependencies.onProgress();
          }),
        ),
        progress: null,
        awaited: true,
      };
      flight = begun;
      onBegun();
      begun.outcome.then(
        () => dependencies.onSent(begun, end(begun)),
        (error: unknown) => dependencies.onFailure(begun, sendingError(error), end(begun)),
      );
      void follow(begun);
    },
    /** The outcome of the try no longer concerns the form. */
    forget(): void {
      flight = null;
    },
  };
}
