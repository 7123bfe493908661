import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { setRoles, getPerson } from '#features/people/contract/people.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { getOwnNotices, setOwnNotices } from '#features/webhooks/contract/webhooks.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallTimeAt } from '#contract/rules/wall-time.ts';
import { startApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { nextMorning } from './notices.store.ts';

describe.each(engines)('CON-8: notices by mail on %s', (engine) => {
  async function start() {
    // Of no minute before the morning that some are told at.
    const clock = movableClock(Date.UTC(2026, 10, 30, 12));
    const post = await startMailServer();
    const config = { mail: post.settings };
    const app = await startApp({ engine, clock, config });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { roles: ['member'] });
    const report = (message: string) => ada.call(saveFeedback, { body: { message } });
    return { app, clock, post, config, operator, report };
  }

  it('come once for what happens within a minute, from whichever process and after a restart', async () => {
    const { app, clock, post, config, operator, report } = await start();
    const replica = engine === 'postgres' ? await startApp({ replicaOf: app, clock, config }) : null;
    const body = { areas: ['report', 'maintenance'], daily: false, version: 1 } as const;
    const chosen = await operator.call(setOwnNotices, { body: { ...body, areas: [...body.areas] } });
    expect(chosen.body).toEqual({ ...body, areas: ['maintenance', 'report'], version: 2, mail: true });
    for (const message of ['The map is white.', 'Still white.']) await report(message);
    await changeMaintenance(operator, { text: 'Slow today' });
    await app.stop();
    clock.move(60_000);
    const again = await startApp({ after: app, clock, config });
    const mail = await post.arrived(1);
    expect(mail).toMatchObject({ to: [operator.email], subject: '2 notices' });
    expect(mail.text).toContain('> Report received: Report #1');
    expect(mail.text).toContain('> Still white.');
    expect(mail.text).toContain(`${again.url}/profile#notices`);
    expect(mail.text).not.toContain('Slow today');

    await report('White again.');
    clock.move(60_000);
    expect(await post.arrived(2)).toMatchObject({ subject: 'Report received: Report #3' });
    await again.stop();
    await replica?.stop();
  });

  if (engine === 'postgres') return;

  it('wait until the morning where that was chosen, and take the right to see what they are about', async () => {
    const { app, clock, post, operator, report } = await start();
    const grace = await signIn(app, { roles: ['support'] });
    const body = { areas: ['report' as const], daily: true, version: 1 };
    for (const who of [operator, grace]) await who.call(setOwnNotices, { body });
    const refused = await grace.call(setOwnNotices, {
      body: { ...body, areas: ['maintenance'], version: 2 },
    });
    expect(refused.problem?.code).toBe('RIGHT_MISSING');
    expect((await grace.call(getOwnNotices, {})).body).toMatchObject({ areas: ['report'], version: 2 });
    await report('The map is white.');
    const params = { personId: grace.id };
    const { version } = (await operator.call(getPerson, { params })).body;
    await operator.call(setRoles, { params, body: { roles: ['member'], version } });
    const waiting = () => app.database.read.selectFrom('mail').select('id').execute();
    // Grace is told of her roles (SES-14).
    await post.arrived(1);
    await expect.poll(waiting).toEqual([]);
    clock.move(60_000);
    const [due] = await app.database.read.selectFrom('notice_choice').select('due_at').execute();
    expect(wallTimeAt(due?.due_at ?? 0, 'UTC')).toMatch(/T08:00$/);
    clock.move(86_400_000);
    expect(await post.arrived(2)).toMatchObject({ to: [operator.email] });
    await expect.poll(waiting).toEqual([]);
    const told = await app.database.read.selectFrom('notice_choice').select('due_at').execute();
    expect(told).toEqual([{ due_at: null }, { due_at: null }]);
  });

  it('are changed by a person who has lost the right to an area that they chose', async () => {
    const { app, operator } = await start();
    const grace = await signIn(app, { roles: ['support'] });
    const body = { areas: ['report' as const], daily: true, version: 1 };
    await grace.call(setOwnNotices, { body });
    const params = { personId: grace.id };
    const { version } = (await operator.call(getPerson, { params })).body;
    await operator.call(setRoles, { params, body: { roles: ['member'], version } });
    const changed = await grace.call(setOwnNotices, { body: { ...body, daily: false, version: 2 } });
    expect([changed.status, changed.body]).toMatchObject([200, { areas: ['report'], daily: false }]);
  });
});

it('CON-8: the next morning is at 8:00 in the person’s zone, within two days', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  fc.assert(
    fc.property(
      fc.integer({ min: 1_577_836_800_000, max: 2_208_988_800_000 }),
      fc.constantFrom(...zones),
      (now, zone) => {
        const at = nextMorning(now, zone);
        expect(at).toBeGreaterThan(now);
        expect(at - now).toBeLessThanOrEqual(2 * 86_400_000);
        expect(wallTimeAt(at, zone)).toMatch(/T08:00$/);
      },
    ),
  );
});
