import { describe, expect, it } from 'vitest';
import type { SentReport } from '#features/feedback/contract/feedback.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { type Answer, createFakeServer, json, later, problemAnswer } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { type FeedbackError, failureMessages, saveFeedback, sendFeedback } from './send-feedback.ts';
import english from './texts/en.json' with { type: 'json' };

const saved = { id: 'r'.repeat(20), number: 7 };

function setUp() {
  const clock = createManualClock();
  const server = createFakeServer(() => json(saved, { status: 201 }));
  const errors = createErrorRecord(clock.now);
  const api = server.api();
  const dependencies = { api, clock, errors };
  return {
    clock,
    server,
    sendFeedback: (report: SentReport) => sendFeedback(dependencies, report),
    saveFeedback: (report: SentReport) => saveFeedback(dependencies, report),
    recorded: () => errors.recorded.get().map(({ what }) => what),
  };
}

/** What has become of a promise by now. */
function watched<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: FeedbackError } = {};
  promise.then(
    (value) => (seen.value = value),
    (error: unknown) => (seen.error = error as FeedbackError),
  );
  return seen;
}

describe('BUG-4: sendFeedback', () => {
  it('BUG-2: sends what was given, trimmed', async () => {
    const { server, sendFeedback } = setUp();
    const report = {
      message: '  It is broken.\n',
      name: ' Ada ',
      email: ' ada@example.org ',
      tags: { a: 'b' },
    };
    expect(await sendFeedback(report)).toEqual(saved);
    expect(server.received[0]?.body).toEqual({
      message: 'It is broken.',
      name: 'Ada',
      email: 'ada@example.org',
      tags: { a: 'b' },
    });
  });

  it.each(['', ' \n\t', '\u200b\u00a0', '\u2800\u3164'])(
    '§8 widget: Unable to submit feedback with empty message',
    async (message) => {
      const { server, sendFeedback } = setUp();
      await expect(sendFeedback({ message })).rejects.toMatchObject({
        message: 'Unable to submit feedback with empty message',
        failure: 'empty',
      });
      expect(server.received).toEqual([]);
    },
  );

  it('§8 widget: Unable to submit feedback with empty message, where the server reports it', async () => {
    const { server, sendFeedback } = setUp();
    server.answerWith(() => problemAnswer(422, 'EMPTY_MESSAGE'));
    await expect(sendFeedback({ message: 'x' })).rejects.toMatchObject({
      message: 'Unable to submit feedback with empty message',
      failure: 'empty',
      status: 422,
      code: 'EMPTY_MESSAGE',
    });
  });

  it('BUG-4 §8 widget: Unable to determine if Feedback was correctly sent, after 5000 ms without an answer and not before', async () => {
    const { clock, server, sendFeedback } = setUp();
    server.answerWith(() => later().promise);
    const seen = watched(sendFeedback({ message: 'x' }));
    await clock.pass(4999);
    expect(seen).toEqual({});
    await clock.pass(1);
    expect(seen.error?.message).toBe('Unable to determine if Feedback was correctly sent.');
    expect(seen.error?.status).toBeUndefined();
    // The request goes on.
    expect(server.received[0]?.signal?.aborted).toBe(false);
  });

  it('BUG-4: an answer within 5000 ms leaves nothing to wait for', async () => {
    const { clock, server, sendFeedback } = setUp();
    const answer = later();
    server.answerWith(() => answer.promise);
    const seen = watched(sendFeedback({ message: 'x' }));
    await clock.pass(4999);
    answer.resolve(json(saved, { status: 201 }));
    await settled();
    await clock.pass(10_000);
    expect(seen).toEqual({ value: saved });
  });

  const network =
    'Unable to send Feedback. This is because of network issues, or because you are using an ad-blocker.';
  const domain =
    'Unable to send Feedback. This could be because this domain is not in your list of allowed domains.';
  const other =
    'Unable to send Feedback. This could be because of network issues, or because you are using an ad-blocker.';

  it.each<[status: number, message: string, answer: () => Answer]>([
    [0, network, () => new TypeError('Failed to fetch')],
    [0, network, () => new Response('<h1>Sign in to the hotel</h1>', { status: 200 })],
    [403, domain, () => problemAnswer(403, 'ORIGIN_NOT_ALLOWED')],
    ...[400, 401, 413, 422, 429, 500, 502, 503].map((status): [number, string, () => Answer] => [
      status,
      other,
      () => new Response('', { status }),
    ]),
  ])('BUG-4 §8 widget: at status %i %s', async (status, message, answer) => {
    const { server, sendFeedback } = setUp();
    server.answerWith(answer);
    await expect(sendFeedback({ message: 'x' })).rejects.toMatchObject({
      name: 'FeedbackError',
      status,
      message,
    });
  });

  it('BUG-4: reports what the server finds wrong, and when to try again', async () => {
    const { server, sendFeedback } = setUp();
    const errors = [{ pointer: '/email', code: 'format', message: 'is not an email address' }];
    server.answerWith(() => problemAnswer(422, 'INVALID_BODY', { errors }));
    await expect(sendFeedback({ message: 'x' })).rejects.toMatchObject({ errors });
    server.answerWith(() => new Response('', { status: 429, headers: { 'retry-after': '90' } }));
    await expect(sendFeedback({ message: 'x' })).rejects.toMatchObject({ retryAfter: 90_000 });
  });
});

describe('BUG-4: saveFeedback', () => {
  it('BUG-4: answers what is stored, however long it takes', async () => {
    const { clock, server, saveFeedback, recorded } = setUp();
    const answer = later();
    server.answerWith(() => answer.promise);
    const seen = watched(saveFeedback({ message: 'x' }));
    await clock.pass(60_000);
    expect(seen).toEqual({});
    answer.resolve(json(saved, { status: 201 }));
    await settled();
    expect(seen).toEqual({ value: saved });
    expect(recorded()).toEqual([]);
  });

  it.each([
    ['there is no network', () => new TypeError('Failed to fetch')],
    ['the origin is not allowed', () => problemAnswer(403, 'ORIGIN_NOT_ALLOWED')],
    ['the server is in trouble', () => problemAnswer(500, 'INTERNAL')],
  ])('§8 Feedback save failure: returns null and is recorded when %s', async (_case, answer) => {
    const { server, saveFeedback, recorded } = setUp();
    server.answerWith(answer);
    expect(await saveFeedback({ message: 'x' })).toBeNull();
    expect(recorded()).toEqual(['feedback.save']);
  });

  it('§8 Feedback save failure: returns null for an empty message', async () => {
    const { server, saveFeedback } = setUp();
    expect(await saveFeedback({ message: ' ' })).toBeNull();
    expect(server.received).toEqual([]);
  });
});

it('BUG-4: the English catalogue has the texts of the errors', () => {
  const { EMPTY, UNDETERMINED, NETWORK, DOMAIN, OTHER } = english.FEEDBACK.FAILURES;
  const { empty, undetermined, network, domain, other } = failureMessages;
  expect([EMPTY, UNDETERMINED, NETWORK, DOMAIN, OTHER]).toEqual([
    empty,
    undetermined,
    network,
    domain,
    other,
  ]);
});
