import { getEmbed } from '#features/embed/contract/embed.ts';
import { createFlag } from '#features/flags/contract/flags.ts';
import { addRight, setOwnRight } from '#features/permissions/contract/administration.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { openLive } from '#server/testing/live-events.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';

const byScript = { headers: { 'x-portico': '1' } };

it('GATE-3, SES-2: one request of a script of its own origin answers who is signed in with all that a page begins with, and others with little', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const script = {
    accessToken: await addToken(app, {
      rights: ['PEOPLE_READ', 'PEOPLE_WRITE', 'FLAGS_READ', 'FLAGS_WRITE', 'ORDERS_CHANGE'],
    }),
  };
  const mia = await signIn(app);
  const { cookies } = mia.browser;
  const right = 'ORDERS_CHANGE';
  await app.call(
    addRight,
    { body: { right, label: 'Change orders', description: '', area: 'Orders' } },
    script,
  );
  await app.call(
    setOwnRight,
    { params: { personId: mia.id, right, effect: 'grant' }, body: { expiresAt: null, reason: '' } },
    script,
  );
  const stream = await openLive(app, mia.accessToken);
  const rules = [{ condition: { id: mia.id }, force: 'blue' }];
  await app.call(
    createFlag,
    {
      body: {
        key: 'BUTTON',
        type: 'string',
        description: '',
        defaultValue: 'grey',
        rules,
        tags: [],
        enabled: true,
      },
    },
    script,
  );
  expect((await stream.until(3)).at(2)).toMatchObject({ type: 'changed', list: 'flag-values' });

  const nobody = await app.call(getEmbed, {}, byScript);
  expect([nobody.status, nobody.body]).toEqual([
    200,
    expect.objectContaining({ user: null, token: null, rights: [], rightLabels: {}, reports: false }),
  ]);
  expect(nobody.body.flags).toEqual({ MAINTENANCE: false, MAINTENANCE_TEXT: '' });

  const own = await app.call(getEmbed, {}, { ...byScript, cookies });
  expect(own.headers.get('cache-control')).toBe('no-store');
  expect(own.body).toMatchObject({
    user: { id: mia.id, email: mia.email, language: null },
    rights: expect.arrayContaining([right]),
    rightLabels: { [right]: 'Change orders' },
    flags: { BUTTON: 'blue' },
    maintenance: { mode: 'off' },
    branding: { product: 'Portico', css: null },
    provider: null,
    reports: true,
  });
  const accessToken = own.body.token?.accessToken ?? '';
  const profile = await app.call(getProfile, { params: { userId: 'current' } }, { accessToken });
  expect(profile.body.id).toBe(mia.id);

  // An image or a script tag of another site sends no header of its own.
  const tag = await app.call(getEmbed, {}, { cookies });
  expect([tag.body.user, tag.body.token]).toEqual([null, null]);
  for (const sent of [
    { origin: 'https://evil.example.org' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const other = await app.call(getEmbed, {}, { cookies, headers: { ...byScript.headers, ...sent } });
    expect(other.problem?.code).toBe('CROSS_SITE');
  }
});
