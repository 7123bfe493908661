import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { createFormats } from '#web/platform/i18n/formats.ts';
import { networkProblem, ProblemError } from '#web/platform/calls/problem-error.ts';
import { failureDetails } from './failure-words.ts';
import { FeedbackError, sendingError } from './send-feedback.ts';

const t = ((key: string, values: object = {}) =>
  [key, ...Object.values(values)].join(' ')) as unknown as TFunction;
const formats = createFormats('en-GB', 'UTC');
const stored = 'FEEDBACK.KEPT';
const passing = 'FEEDBACK.WAITING.PASSING';

function detailsOf(
  status: number,
  code: string,
  more: { retryAfter?: number; wrong?: [string, string][]; hasPicture?: boolean } = {},
) {
  const errors = more.wrong?.map(([pointer, reason]) => ({ pointer, code: reason, message: 'is wrong' }));
  const { retryAfter } = more;
  const problem = new ProblemError({ status, code, title: '', errors, retryAfter });
  return failureDetails(t, formats, sendingError(problem, more.hasPicture));
}

describe('BUG-4: the text under a failure', () => {
  it('BUG-4: that it is under way while nothing is determined, else what is safe', () => {
    expect(failureDetails(t, formats, new FeedbackError('undetermined'))).toEqual(['FEEDBACK.UNDER_WAY']);
    expect(failureDetails(t, formats, sendingError(networkProblem(null)))).toEqual([stored, passing]);
    expect(detailsOf(403, 'ORIGIN_NOT_ALLOWED')).toEqual([stored]);
    expect(detailsOf(500, 'INTERNAL')).toEqual(['FEEDBACK.WAITING.SERVER 500', stored, passing]);
    // The message is right about an origin, and a guess about anything else that is forbidden.
    expect(detailsOf(403, 'UNKNOWN')).toEqual(['FEEDBACK.WAITING.SERVER 403', stored]);
  });

  it('BUG-4: when to try again', () => {
    expect(detailsOf(503, 'UNAVAILABLE', { retryAfter: 7_000 })).toEqual([
      'FEEDBACK.WAITING.SERVER 503',
      'FEEDBACK.TRY_AGAIN_IN 7 secs',
      stored,
      passing,
    ]);
    const away = new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '', errors: [] });
    expect(sendingError(away).message).toBe(
      'Unable to send Feedback. This could be because of network issues, or because you are using an ad-blocker.',
    );
    expect(detailsOf(429, 'TOO_MANY_REQUESTS', { retryAfter: 90_000 })).toEqual([
      'FEEDBACK.TOO_MANY',
      'FEEDBACK.TRY_AGAIN_IN 2 mins',
      stored,
      passing,
    ]);
  });

  it('BUG-4: what can be done about a session that has ended, or a report that is too large', () => {
    expect(detailsOf(401, 'UNAUTHENTICATED')).toEqual(['COMMON.ERRORS.SESSION_ENDED', stored]);
    expect(detailsOf(413, 'TOO_LARGE', { hasPicture: true })).toEqual(['FEEDBACK.TOO_LARGE.PICTURE', stored]);
    expect(detailsOf(413, 'TOO_LARGE')).toEqual(['FEEDBACK.TOO_LARGE.TEXT', stored]);
  });

  it('FILE-1: that the report can be sent without its picture where the server has no space for it', () => {
    expect(detailsOf(413, 'STORAGE_FULL', { hasPicture: true })).toEqual([
      'FEEDBACK.NO_ROOM.PICTURE',
      stored,
    ]);
    expect(detailsOf(413, 'STORAGE_FULL')).toEqual(['FEEDBACK.NO_ROOM.TEXT', stored]);
  });

  it.each([400, 413, 429, 503])(
    'BUG-4: the message above them is that of the catalogue, at %i too',
    (status) => {
      const code = status === 413 ? 'TOO_LARGE' : 'UNKNOWN';
      const { failure } = sendingError(new ProblemError({ status, code, title: '', errors: [] }), true);
      expect(failure).toBe('other');
    },
  );

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
