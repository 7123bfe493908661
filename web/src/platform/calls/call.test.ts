import { openEvents } from '#features/events/contract/events.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { getFile, uploadFiles } from '#features/files/contract/files.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { setMaintenance } from '#features/maintenance/contract/settings.ts';
import { listPeople, setRoles } from '#features/people/contract/people.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import { removeMapCookie, renewToken, setMapCookie } from '#features/session/contract/session.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFakeServer, json, later, nothing, problemAnswer } from '../../testing/fake-server.ts';
import { settled } from '../../testing/manual-clock.ts';
import { addressOf, createApi } from './call.ts';
import { networkProblem, ProblemError, sessionEndedProblem } from './problem-error.ts';

const status = { ...openStatus, serverTime: 1 };

function setUp({ offset = null as number | null } = {}) {
  const server = createFakeServer(() => nothing());
  const tokens = { current: 'old', renewals: 0 };
  const api = createApi({
    fetch: server.fetch,
    sendCounted: server.sendCounted,
    bearer: {
      token: () => Promise.resolve(tokens.current),
      renewed: () => {
        tokens.renewals += 1;
        tokens.current = 'new';
        return Promise.resolve('new');
      },
    },
    timeOffset: () => offset,
  });
  const problems: string[] = [];
  api.onProblem(({ code }) => problems.push(code));
  return { server, tokens, api, problems };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('call', () => {
  it('API-1: fills the path in and leaves out of the query what is undefined', async () => {
    const { server, api } = setUp();
    server.answerWith(() => json({ people: [], total: 0, next: null }));
    await api.call(listPeople, { query: { search: 'a&b', state: undefined, limit: 20 } });
    await failure(api.call(getPermissions, { params: { userId: '../x' } }));
    expect(server.calls()).toEqual([
      'GET /v1/people?search=a%26b&limit=20',
      'GET /v2/users/..%2Fx/permissions',
    ]);
    expect(addressOf('/v1/people', { query: { search: undefined } })).toBe('/v1/people');
    expect(server.received.map(({ headers }) => headers.get('accept'))).toEqual([
      'application/json',
      'application/json',
    ]);
  });

  it('SES-2: sends the bearer where a person is needed, X-Portico with the session cookie, neither where all may call', async () => {
    const { server, api } = setUp();
    await api.call(setMapCookie, {});
    server.answerWith(() => json({ accessToken: 't', expiresAt: 2, serverTime: 1 }));
    await api.call(renewToken, {});
    server.answerWith(() => json(status));
    await api.call(getMaintenanceStatus, {});
    const sent = server.received.map(({ headers }) => [
      headers.get('authorization'),
      headers.get('x-portico'),
    ]);
    expect(sent).toEqual([
      ['Bearer old', null],
      [null, '1'],
      [null, null],
    ]);
  });

  it('SES-5: sends a given token where asked, on a public route too', async () => {
    const { server, api } = setUp();
    await api.call(removeMapCookie, {}, { token: 'given' });
    expect(server.received[0]?.headers.get('authorization')).toBe('Bearer given');
  });

  it.each([
    [401, 'TOKEN_EXPIRED'],
    [401, 'TOKEN_INVALID'],
    // Another tab may have begun a new session, and a person may be unblocked: the renewal finds out.
    [401, 'SESSION_ENDED'],
    [403, 'PERSON_BLOCKED'],
  ])('SES-2: a token that is refused (%d %s) is renewed once and the call repeated', async (status, code) => {
    const { server, api, tokens, problems } = setUp();
    server.answerWith(({ headers }) =>
      headers.get('authorization') === 'Bearer new' ? json(['A']) : problemAnswer(status, code),
    );
    expect(await api.call(getPermissions, { params: { userId: 'current' } })).toEqual(['A']);
    expect(tokens.renewals).toBe(1);
    expect(problems).toEqual([]);
  });

  it('SES-2: another refusal renews nothing and is reported', async () => {
    const { server, api, tokens, problems } = setUp();
    server.answerWith(() => problemAnswer(403, 'RIGHT_MISSING'));
    const refusal = await failure(api.call(getPermissions, { params: { userId: 'current' } }));
    expect(refusal).toMatchObject({ status: 403, code: 'RIGHT_MISSING' });
    expect([tokens.renewals, problems.length]).toEqual([0, 1]);
  });

  it('SES-2: a renewed token that is refused too is not renewed again', async () => {
    const { server, api, tokens } = setUp();
    server.answerWith(() => problemAnswer(401, 'TOKEN_EXPIRED'));
    expect(await failure(api.call(getPermissions, { params: { userId: 'current' } }))).toMatchObject({
      status: 401,
      code: 'TOKEN_EXPIRED',
    });
    expect(tokens.renewals).toBe(1);
    expect(server.received).toHaveLength(2);
  });

  it('SES-2: a call that waits for a token in vain rejects with the reason', async () => {
    const { api, tokens } = setUp();
    const without = createApi({
      fetch: () => Promise.reject(new Error('must not be asked')),
      bearer: { token: () => Promise.reject(networkProblem(null)), renewed: () => Promise.resolve('') },
      timeOffset: () => null,
    });
    expect(await failure(without.call(setMapCookie, {}))).toMatchObject({ status: 0, code: 'NETWORK' });
    expect([api, tokens.renewals]).toHaveLength(2);
  });

  it('SES-2: a call that needs a person is not sent without one, and what is no problem is not reported as one', async () => {
    for (const reason of [sessionEndedProblem(), new Error('a fault of this application')]) {
      const api = createApi({
        fetch: () => Promise.reject(new Error('must not be asked')),
        bearer: { token: () => Promise.reject(reason), renewed: () => Promise.resolve('') },
        timeOffset: () => null,
      });
      const problems: unknown[] = [];
      api.onProblem((problem) => problems.push(problem));
      expect(await failure(api.call(setMapCookie, {}))).toBe(reason);
      expect(problems).toEqual(reason instanceof ProblemError ? [reason] : []);
    }
  });

  it('API-1: an answer is waited for 30 s, one with bytes for two minutes, and events without an end', async () => {
    const limits: [number, AbortController][] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const limit = new AbortController();
      limits.push([milliseconds, limit]);
      return limit.signal;
    });
    try {
      const { server, api } = setUp();
      server.answerWith(() => later().promise);
      const { signal } = new AbortController();
      const calls = [
        api.call(getMaintenanceStatus, {}),
        api.call(getMaintenanceStatus, {}, { signal }),
        api.download(getFile, { params: { fileId: 'f1' } }),
      ].map(failure);
      void failure(api.openEvents(openEvents, {}, null, signal));
      await settled();
      expect(limits.map(([milliseconds]) => milliseconds)).toEqual([30_000, 30_000, 120_000]);
      for (const [, limit] of limits) limit.abort(new DOMException('late', 'TimeoutError'));
      for (const call of calls) expect(await call).toMatchObject({ status: 0, code: 'NETWORK' });
    } finally {
      timeout.mockRestore();
    }
  });

  it('API-1: a problem becomes a ProblemError, and listeners are called', async () => {
    const { server, api, problems } = setUp();
    server.answerWith(() => {
      const answer = problemAnswer(503, 'MAINTENANCE', {
        detail: 'Read only until ten.',
        requestId: 'r1',
        errors: [{ pointer: '/roles', code: 'required', message: 'is required' }],
      });
      answer.headers.set('retry-after', '30');
      return answer;
    });
    const error = await failure(
      api.call(setRoles, { params: { personId: 'p' }, body: { roles: ['member'], version: 1 } }),
    );
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 503,
      code: 'MAINTENANCE',
      detail: 'Read only until ten.',
      requestId: 'r1',
      retryAfter: 30_000,
      errors: [{ pointer: '/roles', code: 'required', message: 'is required' }],
    });
    expect(problems).toEqual(['MAINTENANCE']);
    expect(server.received[0]).toMatchObject({ method: 'PUT', body: { roles: ['member'], version: 1 } });
  });

  it.each([
    ['the network fails', () => new TypeError('Failed to fetch'), 'TypeError'],
    [
      'something in between answers with a page',
      () => new Response('<html>', { status: 200 }),
      'SyntaxError',
    ],
    ['the answer does not fit the contract', () => json({ mode: 'perhaps' }), 'Error'],
  ])('API-1: status 0 when %s', async (_case, answer, name) => {
    const { server, api, problems } = setUp();
    server.answerWith(answer);
    const error = await failure(api.call(getMaintenanceStatus, {}));
    expect(error).toMatchObject({ status: 0, code: 'NETWORK', cause: { name } });
    expect(problems).toEqual(['NETWORK']);
  });

  it('API-1: an error that is not a problem keeps its status', async () => {
    const { server, api } = setUp();
    server.answerWith(() => new Response('Bad gateway', { status: 502 }));
    expect(await failure(api.call(getMaintenanceStatus, {}))).toMatchObject({ status: 502, code: 'UNKNOWN' });
  });

  it('RIGHT-1: an error is one also where a tag was sent, and 304 where none was', async () => {
    const { server, api } = setUp();
    const own = { params: { userId: 'current' } };
    server.answerWith(() => problemAnswer(500, 'INTERNAL'));
    expect(await failure(api.callTagged(getPermissions, own, '"1"'))).toMatchObject({ code: 'INTERNAL' });
    server.answerWith(() => new Response(null, { status: 304 }));
    expect(await failure(api.callTagged(getPermissions, own, null))).toMatchObject({ status: 304 });
  });

  it('API-1: an answer is cut to its schema', async () => {
    const { server, api } = setUp();
    server.answerWith(() => json({ ...status, secret: 1 }));
    expect(await api.call(getMaintenanceStatus, {})).toEqual(status);
  });

  it('SES-7: an aborted call rejects with the reason, not as a problem', async () => {
    const { server, api, problems } = setUp();
    server.answerWith(() => later().promise);
    const control = new AbortController();
    const calling = failure(api.call(getMaintenanceStatus, {}, { signal: control.signal }));
    control.abort();
    expect(await calling).toMatchObject({ name: 'AbortError' });
    expect(problems).toEqual([]);
  });

  it('PRO-3: carries the offset once there is one, on every route of the product', async () => {
    const { server, api } = setUp({ offset: 120 });
    await api.call(setMapCookie, {});
    server.answerWith(() => problemAnswer(409, 'VERSION_CONFLICT'));
    await failure(
      api.call(setMaintenance, {
        body: { mode: 'off', text: '', severity: 'HIGH', expectedEnd: null, version: 1 },
      }),
    );
    expect(server.received.map(({ headers }) => headers.get('x-time-offset'))).toEqual(['120', '120']);
    const before = setUp();
    await before.api.call(setMapCookie, {});
    expect(before.server.received[0]?.headers.has('x-time-offset')).toBe(false);
  });

  it('RIGHT-1: sends the known ETag and reports when it still holds', async () => {
    const { server, api } = setUp();
    server.answerWith(({ headers }) =>
      headers.get('if-none-match') === '"1"'
        ? new Response(null, { status: 304 })
        : json(['A'], { headers: { etag: '"1"' } }),
    );
    const own = { params: { userId: 'current' } };
    expect(await api.callTagged(getPermissions, own, null)).toEqual({
      changed: true,
      answer: ['A'],
      etag: '"1"',
    });
    expect(server.received[0]?.headers.has('if-none-match')).toBe(false);
    expect(await api.callTagged(getPermissions, own, '"1"')).toEqual({ changed: false });
  });
});

const stored = { id: 'f1', filename: 'a.txt', contentType: 'text/plain', size: 3, url: '/v1/files/f1' };
const textFile = (name: string, text: string) => new File([text], name, { type: 'text/plain' });

const namesOf = (body: unknown) => (body as FormData).getAll('files').map((file) => (file as File).name);

afterEach(() => void vi.useRealTimers());

describe('upload', () => {
  it('FILE-1: sends the files in the form field of the route, in order, and reports the progress', async () => {
    const { server, api } = setUp({ offset: 120 });
    server.answerWith(() => json([stored], { status: 201 }));
    const reported: [number, number][] = [];
    const answer = await api.upload(uploadFiles, [textFile('a.txt', 'abc'), textFile('b.txt', 'd')], {
      onProgress: (sent, total) => reported.push([sent, total]),
    });
    expect(answer).toEqual([stored]);
    const [request] = server.received;
    expect(server.calls()).toEqual(['POST /v1/files']);
    expect(request?.headers.get('authorization')).toBe('Bearer old');
    expect(request?.headers.get('x-time-offset')).toBe('120');
    // The browser writes it, with the boundary of the parts.
    expect(request?.headers.has('content-type')).toBe(false);
    expect(request === undefined ? [] : namesOf(request.body)).toEqual(['a.txt', 'b.txt']);
    expect(reported).toEqual([
      [2, 4],
      [4, 4],
    ]);
  });

  it('FILE-1 SES-2: a token that has expired is renewed once and the files are sent again', async () => {
    const { server, api, tokens } = setUp();
    server.answerWith(({ headers }) =>
      headers.get('authorization') === 'Bearer new' ? json([stored]) : problemAnswer(401, 'TOKEN_EXPIRED'),
    );
    expect(await api.upload(uploadFiles, [textFile('a.txt', 'abc')])).toEqual([stored]);
    expect(tokens.renewals).toBe(1);
    expect(server.received.map(({ body }) => namesOf(body))).toEqual([['a.txt'], ['a.txt']]);
  });

  it('FILE-1: a refusal is a problem, a lost connection is status 0', async () => {
    const { server, api, problems } = setUp();
    server.answerWith(() => problemAnswer(413, 'TOO_LARGE'));
    const files = [textFile('a.txt', 'abc')];
    expect(await failure(api.upload(uploadFiles, files))).toMatchObject({ status: 413, code: 'TOO_LARGE' });
    server.answerWith(() => new TypeError('Failed to send'));
    expect(await failure(api.upload(uploadFiles, files))).toMatchObject({ status: 0, code: 'NETWORK' });
    expect(problems).toEqual(['TOO_LARGE', 'NETWORK']);
  });

  it('FILE-1: a cancelled upload rejects with the reason, not as a problem', async () => {
    const { server, api, problems } = setUp();
    server.answerWith(() => later().promise);
    const control = new AbortController();
    const { signal } = control;
    const uploading = failure(api.upload(uploadFiles, [textFile('a.txt', 'abc')], { signal }));
    control.abort();
    expect(await uploading).toMatchObject({ name: 'AbortError' });
    expect(problems).toEqual([]);
  });

  it('FILE-1: it gives up after its timeout without progress, and not while there is progress', async () => {
    vi.useFakeTimers();
    let move: (sent: number) => void = () => {};
    const api = createApi({
      fetch: () => Promise.reject(new Error('must not be asked')),
      sendCounted: (_address, { onProgress, signal }) =>
        new Promise((_, reject) => {
          move = (sent) => onProgress(sent, 100);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      bearer: { token: () => Promise.resolve('t'), renewed: () => Promise.resolve('t') },
      timeOffset: () => null,
    });
    let ended: unknown = 'not yet';
    const files = [textFile('a.txt', 'abc')];
    void failure(api.upload(uploadFiles, files, { timeout: 1000 })).then((error) => (ended = error));
    for (const sent of [10, 20, 30]) {
      await vi.advanceTimersByTimeAsync(900);
      move(sent);
    }
    expect(ended).toBe('not yet');
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toMatchObject({ status: 0, code: 'NETWORK' });
  });

  it('FILE-1: once it has ended nothing waits any more', async () => {
    vi.useFakeTimers();
    const { server, api } = setUp();
    server.answerWith(() => json([stored]));
    await api.upload(uploadFiles, [textFile('a.txt', 'abc')]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('download', () => {
  it('FILE-1: gives the bytes with their type, by the bearer and with no token in the address', async () => {
    const { server, api } = setUp();
    server.answerWith(() => new Response('abc', { headers: { 'content-type': 'image/png' } }));
    const blob = await api.download(getFile, { params: { fileId: 'f/1' } });
    expect([await blob.text(), blob.type]).toEqual(['abc', 'image/png']);
    expect(server.received[0]?.headers.get('accept')).toBe('*/*');
    expect(server.calls()).toEqual(['GET /v1/files/f%2F1']);
    expect(server.received[0]?.headers.get('authorization')).toBe('Bearer old');
  });

  it('FILE-1 SES-2: a token that has expired is renewed once; a refusal is a problem', async () => {
    const { server, api, tokens } = setUp();
    server.answerWith(({ headers }) =>
      headers.get('authorization') === 'Bearer new'
        ? problemAnswer(404, 'NOT_FOUND')
        : problemAnswer(401, 'TOKEN_EXPIRED'),
    );
    const error = await failure(api.download(getFile, { params: { fileId: 'f1' } }));
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(tokens.renewals).toBe(1);
  });

  it('FILE-1: reports how many bytes have arrived, and returns all of them', async () => {
    const { server, api } = setUp();
    const bytes = (text: string) => new TextEncoder().encode(text);
    server.answerWith(
      () =>
        new Response(
          new ReadableStream({
            start(stream) {
              stream.enqueue(bytes('abc'));
              stream.enqueue(bytes('de'));
              stream.close();
            },
          }),
          { headers: { 'content-type': 'image/png' } },
        ),
    );
    const reported: number[] = [];
    const options = { onReceived: (received: number) => void reported.push(received) };
    const blob = await api.download(getFile, { params: { fileId: 'f1' } }, options);
    expect([await blob.text(), blob.type, reported]).toEqual(['abcde', 'image/png', [3, 5]]);
    server.answerWith(() => new Response(null));
    const empty = await api.download(getFile, { params: { fileId: 'f1' } }, options);
    expect([empty.size, empty.type, reported.length]).toEqual([0, '', 2]);
  });

  it('FILE-1: a connection that breaks while the bytes come is status 0', async () => {
    const { server, api, problems } = setUp();
    server.answerWith(
      () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('broken')) })),
    );
    for (const options of [{}, { onReceived: () => {} }]) {
      const error = await failure(api.download(getFile, { params: { fileId: 'f1' } }, options));
      expect(error).toMatchObject({ status: 0, code: 'NETWORK' });
    }
    expect(problems).toEqual(['NETWORK', 'NETWORK']);
  });
});

describe('a call whose body is counted', () => {
  const report = { message: 'It broke.', source: 'widget' as const, eventId: 'a'.repeat(32) };

  it('BUG-4: reports the progress', async () => {
    const { server, api } = setUp();
    server.answerWith(() => json({ id: 'r1', number: 1 }, { status: 201 }));
    const reported: number[] = [];
    const onProgress = (sent: number, total: number) => void reported.push(sent / total);
    expect(await api.call(saveFeedback, { body: report }, { onProgress })).toEqual({ id: 'r1', number: 1 });
    expect(reported.at(-1)).toBe(1);
    expect(server.received[0]?.headers.get('content-type')).toBe('application/json');
    expect(server.received[0]?.headers.get('authorization')).toBe('Bearer old');
    expect(server.received[0]?.body).toEqual(report);
  });

  it('BUG-4: is sent without progress where there is no body, or no way to count it', async () => {
    const { server, api } = setUp();
    const reported: number[] = [];
    const onProgress = (sent: number) => void reported.push(sent);
    await api.call(setMapCookie, {}, { onProgress });
    const uncounted = server.api();
    server.answerWith(() => json({ id: 'r1', number: 1 }, { status: 201 }));
    expect(await uncounted.call(saveFeedback, { body: report }, { onProgress })).toMatchObject({ id: 'r1' });
    expect(reported).toEqual([]);
  });

  it('BUG-6: where no person is signed in it goes without a token, and the server decides', async () => {
    const server = createFakeServer(() => json({ id: 'r1', number: 1 }, { status: 201 }));
    const bearer = { token: () => Promise.reject(sessionEndedProblem()), renewed: () => Promise.resolve('') };
    const api = server.api({ bearer });
    await api.call(saveFeedback, { body: report });
    expect(server.received[0]?.headers.has('authorization')).toBe(false);
  });

  it('BUG-6: refused without a token, none is renewed; without a network it is not sent without one either', async () => {
    const server = createFakeServer(() => problemAnswer(401, 'SESSION_ENDED'));
    let renewals = 0;
    let reason = sessionEndedProblem();
    const bearer = {
      token: () => Promise.reject(reason),
      renewed: () => Promise.resolve(`renewed ${(renewals += 1)}`),
    };
    const api = server.api({ bearer });
    expect(await failure(api.call(saveFeedback, { body: report }))).toMatchObject({ status: 401 });
    expect([server.received.length, renewals]).toEqual([1, 0]);
    reason = networkProblem(null);
    expect(await failure(api.call(saveFeedback, { body: report }))).toBe(reason);
    expect(server.received).toHaveLength(1);
  });
});

describe('a stream of events', () => {
  const stream = () => new Response('data: x\n\n', { headers: { 'content-type': 'text/event-stream' } });
  const { signal } = new AbortController();

  it('RIGHT-5 SES-2: carries the bearer, a renewed one where it is refused, and where it was broken off', async () => {
    const { server, api } = setUp({ offset: 60 });
    server.answerWith(({ headers }) =>
      headers.get('authorization') === 'Bearer old' ? problemAnswer(401, 'TOKEN_EXPIRED') : stream(),
    );
    const answer = await api.openEvents(openEvents, { query: { tabs: 2, unsaved: 1 } }, '17', signal);
    expect(await answer.text()).toBe('data: x\n\n');
    expect(server.calls()).toEqual(Array(2).fill('GET /v1/events?tabs=2&unsaved=1'));
    const [, sent] = server.received;
    expect([sent?.headers.get('last-event-id'), sent?.headers.get('accept')]).toEqual([
      '17',
      'text/event-stream',
    ]);
    expect(sent?.headers.get('x-time-offset')).toBe('60');
    await api.openEvents(openEvents, {}, null, signal);
    expect(server.received.at(-1)?.headers.has('last-event-id')).toBe(false);
  });

  it('RIGHT-5: goes on until it is aborted, and reports its problems to its caller alone', async () => {
    vi.useFakeTimers();
    const { server, api, problems } = setUp();
    const control = new AbortController();
    server.answerWith(() => later().promise);
    const opening = failure(api.openEvents(openEvents, {}, null, control.signal));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(server.received[0]?.signal?.aborted).toBe(false);
    control.abort();
    expect(await opening).toMatchObject({ name: 'AbortError' });
    server.answerWith(() => problemAnswer(403, 'RIGHT_MISSING'));
    expect(await failure(api.openEvents(openEvents, {}, null, signal))).toMatchObject({ status: 403 });
    expect(problems).toEqual([]);
  });
});
