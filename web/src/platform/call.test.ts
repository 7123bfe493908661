import { getMaintenanceStatus, setMaintenance } from '@portico/contract/maintenance';
import { listPeople, setRoles } from '@portico/contract/people';
import { getPermissions } from '@portico/contract/permissions';
import { removeMapCookie, renewToken, setMapCookie } from '@portico/contract/session';
import { describe, expect, it } from 'vitest';
import { createFakeServer, json, later, nothing, problemAnswer } from '../testing/fake-server.ts';
import { createApi } from './call.ts';
import { networkProblem, ProblemError } from './problem-error.ts';

const status = { mode: 'off', text: '', severity: 'HIGH', expectedEnd: null, since: null, serverTime: 1 };

function setUp({ offset = null as number | null } = {}) {
  const server = createFakeServer(() => nothing());
  const tokens = { current: 'old', renewals: 0 };
  const api = createApi({
    fetch: server.fetch,
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

  it('SES-2: a token that has expired is renewed once and the call repeated', async () => {
    const { server, api, tokens, problems } = setUp();
    server.answerWith(({ headers }) =>
      headers.get('authorization') === 'Bearer new' ? json(['A']) : problemAnswer(401, 'TOKEN_EXPIRED'),
    );
    expect(await api.call(getPermissions, { params: { userId: 'current' } })).toEqual(['A']);
    expect(tokens.renewals).toBe(1);
    expect(problems).toEqual([]);
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

  it('SES-2: a call that waits for a token in vain tells why', async () => {
    const { api, tokens } = setUp();
    const without = createApi({
      fetch: () => Promise.reject(new Error('must not be asked')),
      bearer: { token: () => Promise.reject(networkProblem(null)), renewed: () => Promise.resolve('') },
      timeOffset: () => null,
    });
    expect(await failure(without.call(setMapCookie, {}))).toMatchObject({ status: 0, code: 'NETWORK' });
    expect([api, tokens.renewals]).toHaveLength(2);
  });

  it('API-1: a problem becomes a ProblemError, and listeners hear of it', async () => {
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
    ['the network fails', () => new TypeError('Failed to fetch')],
    ['something in between answers with a page', () => new Response('<html>', { status: 200 })],
    ['the answer does not fit the contract', () => json({ mode: 'perhaps' })],
  ])('API-1: status 0 when %s', async (_says, answer) => {
    const { server, api, problems } = setUp();
    server.answerWith(answer);
    expect(await failure(api.call(getMaintenanceStatus, {}))).toMatchObject({ status: 0, code: 'NETWORK' });
    expect(problems).toEqual(['NETWORK']);
  });

  it('API-1: an error that is not a problem keeps its status', async () => {
    const { server, api } = setUp();
    server.answerWith(() => new Response('Bad gateway', { status: 502 }));
    expect(await failure(api.call(getMaintenanceStatus, {}))).toMatchObject({ status: 502, code: 'UNKNOWN' });
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

  it('RIGHT-1: sends the known ETag and tells when it still holds', async () => {
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
    expect(await api.callTagged(getPermissions, own, '"1"')).toEqual({ changed: false });
  });
});
