import { setErrorStatus } from '#features/diagnostics/contract/diagnostics.ts';
import { getDiagnosticSettings, setDiagnosticSettings } from '#features/diagnostics/contract/projects.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { errorEnvelope, newEventId, ownProjectKey, sendEnvelope } from '#server/testing/envelopes.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';
import type { Alert } from './alerts.ts';

const minuteMs = 60_000;

describe.each(engines)('alerts about errors on %s', (engine) => {
  async function start(settings: object) {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const receiver = await startReceiver();
    const hook = { url: `${receiver.url}/hook`, description: '', enabled: true };
    await operator.call(addWebhook, { body: hook });
    const { stored: _stored, mails: _mails, ...now } = (await operator.call(getDiagnosticSettings, {})).body;
    await operator.call(setDiagnosticSettings, { body: { ...now, ...settings } });
    const key = await ownProjectKey(app);
    const send = async (message: string) => {
      const exception = { values: [{ type: 'TypeError', value: message }] };
      const answer = await sendEnvelope(app.url, key, errorEnvelope({ exception }, newEventId()));
      expect(answer.status).toBe(200);
    };
    const raised = async () => {
      const rows = await app.database.read
        .selectFrom('webhook_delivery')
        .select(['event', 'body'])
        .where('event', 'like', 'diagnostics.%')
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ event, body }) => ({ event, ...(JSON.parse(body) as { data: Alert }).data }));
    };
    return { app, clock, operator, send, raised };
  }

  it('DIAG-2: are raised by a new error once, and by one that comes back after it was resolved, without what its message has of one person', async () => {
    const { app, clock, operator, send, raised } = await start({});
    await send('Person mia@example.org has 3 carts');
    await send('Person ada@example.org has 4 carts');
    const [first, ...more] = await raised();
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      event: 'diagnostics.error-new',
      errors: [
        {
          project: { id: 1, name: 'Portico' },
          kind: 'TypeError',
          message: 'Person <email> has <n> carts',
        },
      ],
      more: 0,
    });
    const errorId = first?.errors[0]?.id ?? '';
    expect(first?.errors[0]?.url).toBe(`${app.config.publicUrl}/diagnostics/${errorId}`);
    const resolve = async () => {
      const { version } = await app.database.read
        .selectFrom('error_group')
        .select('version')
        .executeTakeFirstOrThrow();
      await operator.call(setErrorStatus, { params: { errorId }, body: { change: 'resolve', version } });
    };
    const returned = async () => (await raised()).filter(({ event }) => event.endsWith('returned')).length;
    await resolve();
    await send('Person ada@example.org has 4 carts');
    expect(await returned()).toBe(1);
    await resolve();
    await send('Person ada@example.org has 4 carts');
    expect(await returned()).toBe(1);
    clock.move(61 * minuteMs);
    await operator.browser.renew();
    await app.database.transaction((tx) =>
      tx.updateTable('error_group').set({ status: 'resolved', resolved_at: 1 }).execute(),
    );
    await send('Person ada@example.org has 4 carts');
    expect(await returned()).toBe(2);
  });

  it('DIAG-2: many new errors at once raise a few alerts, and one that names the others together', async () => {
    const { app, clock, send, raised } = await start({});
    for (const word of 'alpha beta gamma delta epsilon zeta eta theta'.split(' ')) await send(`No ${word}`);
    expect((await raised()).map(({ errors }) => errors.length)).toEqual([1, 1, 1, 1, 1]);
    await app.sweep();
    expect(await raised()).toHaveLength(5);
    clock.move(6 * minuteMs);
    await app.sweep();
    await app.sweep();
    const all = await raised();
    expect(all).toHaveLength(6);
    expect(all.at(-1)).toMatchObject({ event: 'diagnostics.error-new', more: 0 });
    expect(
      all
        .at(-1)
        ?.errors.map(({ message }) => message)
        .toSorted(),
    ).toEqual(['No eta', 'No theta', 'No zeta']);
  });

  it('DIAG-2: are raised by so many events within so many minutes, once by all replicas, and not by what the settings leave out', async () => {
    const { app, clock, send, raised } = await start({
      alertNew: false,
      alertEvents: 3,
      alertMinutes: 10,
    });
    const replica = engine === 'postgres' ? await startApp({ replicaOf: app, clock }) : null;
    const sweep = async () => {
      await Promise.all([app.sweep(), replica?.sweep()]);
      return (await raised()).map(({ event, rate }) => [event, rate]);
    };
    await send('Too often');
    clock.move(11 * minuteMs);
    await send('Too often');
    await send('Too often');
    expect(await sweep()).toEqual([]);
    await send('Too often');
    const once = ['diagnostics.error-rate', { events: 3, minutes: 10 }];
    expect(await sweep()).toEqual([once]);
    expect(await sweep()).toEqual([once]);
  });
});

it('DIAG-2: are mailed to the addresses of the settings, in the language of whoever has one, with a link', async () => {
  const server = await startMailServer();
  const app = await startApp({ engine: 'sqlite', config: { mail: server.settings } });
  const operator = await signIn(app, { roles: ['operator'], email: 'ops@example.org' });
  await app.database.transaction((tx) => tx.updateTable('profile').set({ locale: 'de' }).execute());
  const { stored: _stored, mails, ...now } = (await operator.call(getDiagnosticSettings, {})).body;
  expect(mails).toBe(true);
  const alertMails = ['ops@example.org', 'team@example.org'];
  await operator.call(setDiagnosticSettings, { body: { ...now, alertMails } });
  const exception = { values: [{ type: 'TypeError', value: 'Person mia@example.org has 3 carts' }] };
  await sendEnvelope(app.url, await ownProjectKey(app), errorEnvelope({ exception }, newEventId()));
  await server.arrived(2);
  const byAddress = new Map(server.received.map((mail) => [mail.to[0], mail]));
  const [german, english] = alertMails.map((address) => byAddress.get(address));
  expect(german?.subject).toBe('Neuer Fehler in Portico: TypeError');
  expect(english?.subject).toBe('New error in Portico: TypeError');
  expect(english?.text).toContain('Person <email> has <n> carts');
  expect(english?.html).not.toContain('<email>');
  const { id } = await app.database.read.selectFrom('error_group').select('id').executeTakeFirstOrThrow();
  expect(english?.text).toContain(`${app.config.publicUrl}/diagnostics/${id}`);
});
