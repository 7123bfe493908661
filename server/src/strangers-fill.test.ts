import { listErrors } from '#features/diagnostics/contract/diagnostics.ts';
import { feedbackLimits, saveFeedback } from '#features/feedback/contract/feedback.ts';
import { getOverview } from '#features/overview/contract/overview.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from './testing/app.ts';
import {
  errorEnvelope,
  feedbackEnvelope,
  newEventId,
  ownProjectKey,
  sendEnvelope,
} from './testing/envelopes.ts';
import { afterThisTest, engines } from './testing/fresh-database.ts';
import { movableClock } from './testing/movable-clock.ts';
import { signIn } from './testing/signed-in.ts';

describe.each(engines)('what strangers have stored on %s', (engine) => {
  async function start(rateLimitScale: number) {
    const clock = movableClock();
    const config = { feedbackWithoutSignIn: true, rateLimitScale, trustProxy: 1 };
    const app = await startApp({ engine, clock, config });
    const operator = await signIn(app, { roles: ['operator'] });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const attention = async () => (await operator.call(getOverview, {})).body.attention;
    return { app, clock, operator, from, attention, key: await ownProjectKey(app) };
  }

  it('BUG-6: reports have a room of their own; what is refused says so, and people who are signed in go on', async () => {
    const { app, clock, operator, from, attention, key } = await start(1_000);
    const stranger = (message: string) => app.call(saveFeedback, { body: { message } }, from('192.0.2.1'));
    expect((await stranger('One')).status).toBe(201);
    const own = await operator.call(saveFeedback, { body: { message: 'Mine' } });
    expect(own.status).toBe(201);
    const { read } = app.database;
    const sizes = await read.selectFrom('report').select('stranger_bytes').orderBy('number').execute();
    expect(sizes).toEqual([{ stranger_bytes: expect.any(Number) }, { stranger_bytes: null }]);
    const setTo = (bytes: number) =>
      app.database.transaction((tx) =>
        tx
          .updateTable('report')
          .set({ stranger_bytes: bytes })
          .where('stranger_bytes', 'is not', null)
          .execute(),
      );
    await setTo(feedbackLimits.anonymousTextBytes);
    clock.move(60_000);
    const refused = await stranger('Two');
    expect([refused.problem?.code, refused.headers.get('retry-after')]).toEqual([
      'TOO_MANY_REQUESTS',
      '3600',
    ]);
    const bySdk = await sendEnvelope(app.url, key, feedbackEnvelope(newEventId(), { message: 'Three' }));
    expect([bySdk.status, bySdk.headers.get('x-sentry-rate-limits')]).toEqual([
      429,
      '60:feedback;user_report:key',
    ]);
    expect((await operator.call(saveFeedback, { body: { message: 'Mine too' } })).status).toBe(201);
    expect(await attention()).toContainEqual({ kind: 'refused', ways: ['reports'], at: expect.any(Number) });
    expect(await read.selectFrom('report').select('id').execute()).toHaveLength(3);
    await setTo(1_000);
    clock.move(60_000);
    expect((await stranger('Four')).status).toBe(201);
    clock.move(25 * 3_600_000);
    const again = await signIn(app, { roles: ['operator'] });
    const kinds = (await again.call(getOverview, {})).body.attention.map(({ kind }) => kind);
    expect(kinds).not.toContain('refused');
  });

  it('BUG-6: one network has a share of that room, with all the addresses of its /64', async () => {
    const { app, clock, from } = await start(0.01);
    const statuses: number[] = [];
    const details = new Set<string>();
    for (let host = 1; host <= 18; host += 1) {
      // One call is taken each minute from one network at this scale.
      clock.move(60_000);
      const body = { message: 'x'.repeat(4_000) };
      const sent = await app.call(saveFeedback, { body }, from(`2001:db8:1::${host}`));
      statuses.push(sent.status);
      details.add(sent.problem?.detail ?? '');
    }
    expect([...details]).toEqual(['', expect.stringMatching(/network/)]);
    expect(statuses).toEqual([...Array.from({ length: 16 }, () => 201), 429, 429]);
    expect((await app.call(saveFeedback, { body: { message: 'Two' } }, from('2001:db8:2::1'))).status).toBe(
      201,
    );
  });

  it('DIAG-2: new kinds of errors are bounded by network; known ones, other networks and people who are signed in go on', async () => {
    const { app, from, operator, attention, key } = await start(0.01);
    const send = async (kind: string, address: string) => {
      const exception = { values: [{ type: kind, value: 'It failed' }] };
      const answer = await sendEnvelope(app.url, key, errorEnvelope({ exception }), from(address));
      return [answer.status, answer.headers.get('x-sentry-rate-limits')];
    };
    for (const kind of ['A', 'B', 'C', 'D', 'E'])
      expect(await send(kind, '2001:db8:1:1::1')).toEqual([200, null]);
    expect(await send('F', '2001:db8:1:1::2')).toEqual([429, '60:error:key']);
    expect(await send('A', '2001:db8:1:1::3')).toEqual([200, null]);
    expect(await send('F', '192.0.2.1')).toEqual([200, null]);
    const exception = { values: [{ type: 'G', value: 'It failed' }] };
    const hers = await sendEnvelope(app.url, key, errorEnvelope({ exception }), {
      headers: { ...from('2001:db8:1:1::4').headers, authorization: `Bearer ${operator.accessToken}` },
    });
    expect(hers.status).toBe(200);
    const { errors } = (await operator.call(listErrors, {})).body;
    expect(errors.map(({ kind }) => kind).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
    await expect
      .poll(attention)
      .toContainEqual({ kind: 'refused', ways: ['errors'], at: expect.any(Number) });
    const known = await app.database.read
      .selectFrom('error_event')
      .select('from_known')
      .where('from_known', '=', 1)
      .execute();
    expect(known).toHaveLength(1);
  });

  it('API-2, FLAG-2: open flag streams of one network are bounded', async () => {
    const app = await startApp({ engine, config: { rateLimitScale: 0.001, trustProxy: 1 } });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const { key } = await app.database.read
      .selectFrom('client_key')
      .select('key')
      .where('kind', '=', 'plain')
      .executeTakeFirstOrThrow();
    const open = async (address: string) => {
      const abort = new AbortController();
      afterThisTest(() => abort.abort());
      const answer = await fetch(`${app.url}/sub/${key}`, { ...from(address), signal: abort.signal });
      return { status: answer.status, abort };
    };
    const [first, second] = [await open('2001:db8:1:1::1'), await open('2001:db8:1:1::2')];
    expect([first.status, second.status, (await open('2001:db8:1:1::3')).status]).toEqual([200, 200, 429]);
    expect((await open('192.0.2.1')).status).toBe(200);
    first.abort.abort();
    await expect.poll(async () => (await open('2001:db8:1:1::4')).status).toBe(200);
  });
});
