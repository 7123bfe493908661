import { Secret, TOTP } from 'otpauth';
import { addFactor, beginFactor } from '#features/identity-provider/contract/factors.ts';
import {
  createFlag,
  evaluateFeatures,
  getFlag,
  listClientKeys,
  listFlags,
  listManagedClientKeys,
  type ClientKeyKind,
} from '#features/flags/contract/flags.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { planWindow } from '#features/maintenance/contract/windows.ts';
import { setBranding } from '#features/branding/contract/branding.ts';
import {
  activityRetention,
  activityStep,
  getOverview,
  setFirstSteps,
} from '#features/overview/contract/overview.ts';
import { addWebhook, testWebhook } from '#features/webhooks/contract/webhooks.ts';
import { newFlag } from '#features/flags/server/testing/new-flag.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openStream } from '#server/testing/flag-client.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** The beginning of a bucket, in the middle of a day. */
const noon = Math.floor(Date.parse('2026-11-23T12:00:00Z') / activityStep) * activityStep;

const overviewOf = async (person: SignedIn) => (await person.call(getOverview, {})).body;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A minute passes, for all processes, and their figures are written. */
async function aMinute(clock: MovableClock, apps: readonly TestApp[]): Promise<void> {
  clock.move(minute);
  await vi.advanceTimersByTimeAsync(minute);
  const written = () =>
    apps[0]?.database.read.selectFrom('activity').select('at').where('seen_at', '=', clock.now()).execute();
  await expect.poll(async () => (await written())?.length).toBe(apps.length);
}

async function keyOf(operator: SignedIn, kind: ClientKeyKind): Promise<string> {
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  return clientKeys.find((key) => key.kind === kind)?.key ?? '';
}

describe.each(engines)('overview on %s', (engine) => {
  const once = provedOn(engine);
  it('CON-2: stores figures of each five minutes, which outlast a restart and go after 30 days', async () => {
    const clock = movableClock(noon);
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const fresh = await overviewOf(operator);
    expect(fresh.people?.figures).toHaveLength(288);
    expect([...new Set(fresh.people?.figures)]).toEqual([null]);

    const mia = await openLive(app, operator.accessToken);
    await openStream(`${app.url}/sub/${await keyOf(operator, 'plain')}`);
    // Portico's own pages are no SDK.
    await openStream(`${app.url}/sub/${await keyOf(operator, 'personal')}`);
    const call = { params: { clientKey: await keyOf(operator, 'remote-eval') } };
    await expect.poll(async () => (await overviewOf(operator)).people?.people).toBe(1);
    for (let count = 0; count < 6; count += 1) await app.call(evaluateFeatures, call);
    for (let count = 0; count < 3; count += 1) await aMinute(clock, [app]);
    const figures = await overviewOf(operator);
    expect(figures).toMatchObject({ people: { people: 1 }, sdks: { connected: 1, evaluations: 2 } });
    expect(figures.people?.figures.at(-1)).toBe(1);
    expect(figures.sdks?.figures.at(-1)).toBe(1);
    expect(figures.sdks?.evaluationFigures.at(-1)).toBe(2);
    for (const [period, length] of [
      ['7d', 336],
      ['30d', 360],
    ] as const) {
      const longer = (await operator.call(getOverview, { query: { period } })).body;
      expect(longer.people?.figures).toHaveLength(length);
      expect([longer.people?.figures.at(-1), longer.sdks?.evaluationFigures.at(-1)]).toEqual([1, 2]);
      expect(longer.figuresFrom + length * longer.figuresStep).toBeGreaterThan(clock.now());
    }
    mia.close();

    clock.move(20_000);
    for (let count = 0; count < 3; count += 1) await app.call(evaluateFeatures, call);
    await app.stop();
    const after = await startApp({ after: app, clock });
    const again = await signIn(after, { roles: ['operator'] });
    const stored = await overviewOf(again);
    expect(stored.sdks?.evaluationFigures.at(-1)).toBe(3);

    clock.move(activityRetention - 2 * activityStep);
    await after.sweep();
    expect(await after.database.read.selectFrom('activity').selectAll().execute()).toHaveLength(1);
    clock.move(3 * activityStep);
    await after.sweep();
    expect(await after.database.read.selectFrom('activity').selectAll().execute()).toEqual([]);
  });

  it.each(once)(
    'CON-5: the first steps are ticked by what is there, and put away for all operators',
    async () => {
      const app = await startApp({ engine });
      const operator = await signIn(app, { roles: ['operator'] });
      const stepsOf = async (person: SignedIn) => (await overviewOf(person)).firstSteps;
      expect(await stepsOf(operator)).toEqual({ done: [], hidden: false });

      const member = await signIn(app, { roles: ['member'] });
      expect(await stepsOf(member)).toBeNull();
      expect((await member.call(setFirstSteps, { body: { hidden: true } })).status).toBe(403);
      await operator.call(createFlag, { body: newFlag('FIRST') });
      await operator.call(setBranding, { body: { name: 'Own', accent: null, version: 1 } });
      const secret = (await operator.call(beginFactor, { body: { kind: 'code' } })).body.code?.secret ?? '';
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      await operator.call(addFactor, { body: { passkey: null, code } });
      await openStream(`${app.url}/sub/${await keyOf(operator, 'plain')}`);
      await expect
        .poll(async () => (await stepsOf(operator))?.done)
        .toEqual(['protect', 'person', 'flag', 'sdk', 'branding']);

      const other = await signIn(app, { roles: ['operator'] });
      await operator.call(setFirstSteps, { body: { hidden: true } });
      await operator.call(setFirstSteps, { body: { hidden: true } });
      expect((await stepsOf(other))?.hidden).toBe(true);
      await other.call(setFirstSteps, { body: { hidden: false } });
      expect((await stepsOf(operator))?.hidden).toBe(false);
      const said = (await overviewOf(operator)).audit?.map(({ action }) => action);
      expect(said?.slice(0, 2)).toEqual(['first-steps.show', 'first-steps.hide']);
      expect(said?.filter((action) => action === 'first-steps.hide')).toHaveLength(1);
    },
  );

  it.each(once)('CON-2: shows each part to those with its right, and what needs them', async () => {
    const clock = movableClock(noon);
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const member = await signIn(app, { roles: ['member'] });
    const nothing = { people: null, reports: null, windows: null, sdks: null, audit: null, attention: [] };
    expect(await overviewOf(member)).toMatchObject(nothing);
    expect(await overviewOf(operator)).toMatchObject({
      attention: [],
      windows: [],
      reports: { open: 0, new: 0, oldestAt: null, arrived: [] },
    });

    await member.call(saveFeedback, { body: { message: 'Search finds\nnothing' } });
    const receiver = await startReceiver();
    receiver.answer(503);
    const hook = { url: `${receiver.url}/ops`, description: 'ops-chat', enabled: true };
    const { id } = (await operator.call(addWebhook, { body: hook })).body.webhook;
    await operator.call(testWebhook, { params: { webhookId: id } });
    const window = {
      title: 'Database upgrade',
      text: '',
      severity: 'INFO' as const,
      mode: 'read-only' as const,
      leadMinutes: 0,
      endsByItself: false,
      startsAt: clock.now() + minute,
      endsAt: clock.now() + 10 * minute,
    };
    expect((await operator.call(planWindow, { body: window })).status).toBe(201);
    await addToken(app, { rights: [], name: 'ci', lifetimeMs: 5 * day, clock });
    await addToken(app, { rights: [], name: 'for five days', lifetimeMs: 5 * day, clock });
    const account = await app.database.read
      .selectFrom('person')
      .select('subject')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow();
    await app.database.transaction(async (tx) => {
      const flag = {
        type: 'boolean',
        description: '',
        default_value: 'true',
        enabled: 1,
        for_signed_out: 0,
        kill_switch: 0,
        rules: '[]',
        tags: '[]',
        created_at: clock.now() - 40 * day,
        changed_at: clock.now() - 31 * day,
        changed_by: null,
        version: 1,
      };
      const narrowed = { ...flag, key: 'ROLLS_OUT', rules: '[{"force":true,"coverage":0.2}]' };
      const off = { ...flag, key: 'IS_OFF', enabled: 0 };
      const young = { ...flag, key: 'IS_YOUNG', changed_at: clock.now() - 29 * day };
      const stale = { ...flag, key: 'EXPORT_V2' };
      await tx.insertInto('flag').values([stale, narrowed, off, young]).execute();
      const made = { created_at: clock.now() - 25 * day };
      await tx.updateTable('api_token').set(made).where('name', '=', 'ci').execute();
      const mail = {
        account_id: account.subject,
        email: null,
        language: 'en',
        tries: 1,
        claimed_until: null,
        about: null,
      };
      const waits = { ...mail, id: 'm', kind: 'invitation', failure: 'busy' };
      await tx
        .insertInto('mail')
        .values({ ...waits, created_at: clock.now(), next_try_at: clock.now() + 30 * day })
        .execute();
    });
    clock.move(11 * minute);
    const later = await signIn(app, { roles: ['operator'] });
    await expect.poll(async () => (await overviewOf(later)).attention).toHaveLength(6);
    const { attention, audit, reports, windows } = await overviewOf(later);
    expect(attention).toEqual([
      expect.objectContaining({ kind: 'window', title: 'Database upgrade' }),
      expect.objectContaining({ kind: 'webhook', name: 'ops-chat', status: 503 }),
      expect.objectContaining({ kind: 'mail', about: 'people', count: 1, givenUp: 0, personId: member.id }),
      expect.objectContaining({
        kind: 'reports',
        id: expect.any(String),
        count: 1,
        excerpt: 'Search finds nothing',
      }),
      expect.objectContaining({ kind: 'tokens', id: expect.any(String), count: 1, names: ['ci'] }),
      expect.objectContaining({ kind: 'stale-flags', count: 1, names: ['EXPORT_V2'], value: true, safe: 0 }),
    ]);
    expect(windows?.[0]).toMatchObject({ title: 'Database upgrade', phase: 'overdue' });
    expect(reports).toMatchObject({
      open: 1,
      new: 1,
      oldestAt: expect.closeTo(noon, -4),
      arrived: [[noon, 1]],
    });
    expect(audit?.[0]?.action).toBe('maintenance-window.plan');

    const hers = await overviewOf(await signIn(app, { roles: ['support'] }));
    expect(hers).toMatchObject({ people: null, windows: null, sdks: null, audit: null });
    expect(hers.attention.map(({ kind }) => kind)).toEqual(['reports']);
  });
});

it('CON-2: adds up the figures of two replicas, as a third process would read them after both are killed', async () => {
  const clock = movableClock(noon);
  const one = await startApp({ engine: 'postgres', clock });
  const other = await startApp({ replicaOf: one, clock });
  const operator = await signIn(one, { roles: ['operator'] });
  const key = await keyOf(operator, 'plain');
  const call = { params: { clientKey: await keyOf(operator, 'remote-eval') } };
  await openStream(`${one.url}/sub/${key}`);
  await openStream(`${other.url}/sub/${key}`);
  await openStream(`${other.url}/sub/${key}`);
  await openStream(`${one.url}/sub/${await keyOf(operator, 'personal')}`);
  for (let count = 0; count < 4; count += 1) await one.call(evaluateFeatures, call);
  for (let count = 0; count < 8; count += 1) await other.call(evaluateFeatures, call);
  await aMinute(clock, [one, other]);
  // Not written yet: lost with the process.
  await other.call(evaluateFeatures, call);
  const atOther = (await other.call(getOverview, {}, { accessToken: operator.accessToken })).body;
  const atOne = await overviewOf(operator);
  // The screens of both processes show the same count: the clients of all processes, without Portico's own pages.
  const as = { accessToken: operator.accessToken };
  const flag = {
    key: 'a-flag',
    type: 'boolean',
    enabled: true,
    description: '',
    defaultValue: true,
  } as const;
  await operator.call(createFlag, { body: { ...flag, rules: [], tags: [] } });
  for (const app of [one, other]) {
    const listed = (await app.call(listFlags, {}, as)).body.connected;
    const { clients } = (await app.call(getFlag, { params: { flagKey: flag.key } }, as)).body;
    const { clientKeys } = (await app.call(listManagedClientKeys, {}, as)).body;
    const sumOf = (each: readonly { connected: number }[]) =>
      each.reduce((sum, { connected }) => sum + connected, 0);
    expect([listed, sumOf(clients), sumOf(clientKeys)]).toEqual([3, 3, 3]);
    expect(clients.find((client) => client.key === key)?.connected).toBe(3);
  }
  for (const { sdks } of [atOne, atOther]) {
    expect(sdks).toMatchObject({ connected: 3, evaluations: 12 });
    expect(sdks?.figures.at(-1)).toBe(3);
    expect(sdks?.evaluationFigures.at(-1)).toBe(12);
  }
  const rows = await one.database.read.selectFrom('activity').selectAll().execute();
  expect(rows.map(({ evaluations }) => evaluations).toSorted((a, b) => a - b)).toEqual([4, 8]);
});
