import { saveFeedback as saveFeedbackRoute, type SentReport } from '#features/feedback/contract/feedback.ts';
import type { AnswerOf } from '#contract/route.ts';
import { isBlank } from '#contract/text.ts';
import type { Api, OnProgress } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { base64Of } from './base64.ts';
import type { Draft } from './draft.ts';
import { FeedbackError, sendingError } from './feedback-error.ts';

/** A report that the server has stored on disk. */
export type SavedReport = AnswerOf<typeof saveFeedbackRoute>;

export const confirmationTimeout = 5000;
/** Milliseconds until the wait for an answer ends; a picture may take long on a slow line. */
const timeout = 180_000;

export type SendingDependencies = {
  api: Pick<Api, 'call'>;
  clock: Clock;
  errors: Pick<ErrorRecord, 'record'>;
  /** Added to every report of the form. */
  options?: { tags?: Record<string, string> };
};

export type Sending = ReturnType<typeof createSending>;

/**
 * The ways to send a report: with the full wait, within the time that a person waits, and without an error.
 */
export function createSending({ api, clock, errors, options }: SendingDependencies) {
  /**
   * Sends a report and waits for the answer as long as it takes.
   *
   * @param asPerson sent as the signed-in person, or not at all
   * @throws FeedbackError
   */
  async function deliver(
    report: SentReport,
    { onProgress, asPerson = false }: { onProgress?: OnProgress | undefined; asPerson?: boolean } = {},
  ): Promise<SavedReport> {
    const body = trimmed(report);
    if (isBlank(body.message)) throw new FeedbackError('empty');
    try {
      return await api.call(
        saveFeedbackRoute,
        { body },
        { timeout, asPerson, ...(onProgress === undefined ? {} : { onProgress }) },
      );
    } catch (error) {
      throw sendingError(error, (body.attachments ?? []).length > 0);
    }
  }

  /** Sends a draft to the end. Rejects with a FeedbackError. */
  async function deliverDraft(
    draft: Draft,
    asPerson: boolean,
    onProgress?: (progress: number) => void,
  ): Promise<void> {
    const { email, name, message, eventId, picture } = draft;
    const words: SentReport = {
      email,
      name,
      message,
      eventId,
      source: 'widget',
      tags: options?.tags ?? {},
      ...draft.sentAlong,
    };
    try {
      if (picture === null) await deliver(words, { asPerson });
      else {
        const { blob, filename } = picture;
        const attachments = [{ data: await base64Of(blob), filename, contentType: 'image/png' }];
        await deliver(
          { ...words, attachments },
          { asPerson, onProgress: (sent, total) => onProgress?.(total === 0 ? 0 : sent / total) },
        );
      }
    } catch (error) {
      // An id belongs to one content: another tab has sent the same draft with other data.
      if (sendingError(error).code !== 'EVENT_ID_USED') throw error;
    }
  }

  /**
   * The outcome, or after 5000 ms an error that it is not known yet. A request that was begun goes on
   * (BUG-4).
   */
  function withinTimeout<T>(outcome: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(confirmationTimeout, () => reject(new FeedbackError('undetermined')));
      outcome.then(resolve, reject).finally(cancel);
    });
  }

  /**
   * Sends a report.
   *
   * @throws FeedbackError, with the status of the answer; after 5000 ms without one, while the request goes
   * on
   */
  function sendFeedback(report: SentReport): Promise<SavedReport> {
    return withinTimeout(deliver(report));
  }

  /** Sends a report; null where that fails, which is recorded. */
  async function saveFeedback(report: SentReport): Promise<SavedReport | null> {
    try {
      return await deliver(report);
    } catch (error) {
      errors.record('feedback.save', error);
      return null;
    }
  }

  return { deliverDraft, withinTimeout, sendFeedback, saveFeedback };
}

function trimmed(report: SentReport): SentReport {
  const { message, name = '', email = '' } = report;
  return { ...report, message: message.trim(), name: name.trim(), email: email.trim() };
}
