import { describe, expect, it } from 'vitest';
import { createFormats } from '../../platform/i18n/formats.ts';
import { networkProblem, ProblemError } from '../../platform/calls/problem-error.ts';
import { failureDetails } from './failure-words.ts';
import { FeedbackError, sendingError } from './feedback-error.ts';
import { feedbackLabels } from './labels.ts';

const labels = feedbackLabels(
  (key, values) => [key, ...Object.values(values ?? {})].join(' '),
  createFormats('en-GB', 'UTC'),
);
const stored = 'FEEDBACK.KEPT';
const passing = 'FEEDBACK.WAITING.PASSING';

function detailsOf(
  status: number,
  code: string,
  more: { retryAfter?: number; wrong?: [string, string][] } = {},
) {
  const errors = more.wrong?.map(([pointer, reason]) => ({ pointer, code: reason, message: 'is wrong' }));
  const { retryAfter } = more;
  const problem = new ProblemError({ status, code, title: '', errors, retryAfter });
  return failureDetails(labels, sendingError(problem));
}

describe('BUG-4: the text under a failure', () => {
  it('BUG-4: that it is under way while nothing is determined, else what is safe', () => {
    expect(failureDetails(labels, new FeedbackError('undetermined'))).toEqual(['FEEDBACK.UNDER_WAY']);
    expect(failureDetails(labels, sendingError(networkProblem(null)))).toEqual([stored, passing]);
    expect(detailsOf(403, 'ORIGIN_NOT_ALLOWED')).toEqual([stored]);
    expect(detailsOf(500, 'INTERNAL')).toEqual([stored, passing]);
  });

  it('BUG-4: when to try again', () => {
    expect(detailsOf(503, 'UNAVAILABLE', { retryAfter: 5_000 })).toEqual([
      'FEEDBACK.TRY_AGAIN_IN 1 min',
      stored,
      passing,
    ]);
    const away = new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '', errors: [] });
    expect(sendingError(away).message).toBe(
      'Unable to send Feedback. This could be because of network issues, or because you are using an ad-blocker.',
    );
    expect(detailsOf(429, 'TOO_MANY_REQUESTS', { retryAfter: 90_000 })).toEqual([
      'FEEDBACK.TRY_AGAIN_IN 2 mins',
      stored,
      passing,
    ]);
  });

  it('BUG-4: what can be done about a session that has ended, or a report that is too large', () => {
    expect(detailsOf(401, 'UNAUTHENTICATED')).toEqual(['COMMON.ERRORS.SESSION_ENDED', stored]);
    expect(detailsOf(413, 'TOO_LARGE')).toEqual(['FEEDBACK.TOO_LARGE', stored]);
  });

  it('FILE-1: that the report can be sent without its picture where the server has no space for it', () => {
    expect(detailsOf(413, 'STORAGE_FULL')).toEqual(['FEEDBACK.NO_ROOM', stored]);
    const problem = new ProblemError({ status: 413, code: 'STORAGE_FULL', title: '', errors: [] });
    const { failure } = sendingError(problem);
    expect(labels.failures[failure === 'empty' ? 'other' : failure]).toBe('FEEDBACK.FAILURES.NO_ROOM');
  });

  it('BUG-4: what the server finds wrong, by the names of the form, each once', () => {
    const wrong: [string, string][] = [
      ['/email', 'format'],
      ['/message', 'too_big'],
      ['/attachments/0', 'not_a_png'],
      ['/attachments/1', 'not_a_png'],
      ['/tags', 'too_big'],
    ];
    expect(detailsOf(422, 'INVALID_BODY', { wrong })).toEqual([
      'FEEDBACK.REFUSED FEEDBACK.EMAIL FEEDBACK.WRONG.ADDRESS',
      'FEEDBACK.REFUSED FEEDBACK.DESCRIPTION FEEDBACK.WRONG.TOO_LONG 4,096',
      'FEEDBACK.PICTURE_REFUSED',
      'FEEDBACK.REFUSED tags is wrong',
      stored,
    ]);
  });
});
