import { bearerOf, callerWith, expect, test } from './fixtures.ts';

test('CON-1: screens show the name of the person who did something, and the address of a person without a name', async ({
  api,
  installation,
  signIn,
}) => {
  const grace = await api.person('Grace', ['operator']);
  const mia = await api.person('Mia', ['member']);
  const own = await signIn(grace);
  const call = callerWith(await bearerOf(own), installation);
  const { version } = await call<{ version: number }>('GET', '/v1/maintenance');
  const notice = { mode: 'off', text: 'New pumps', severity: 'INFO', expectedEnd: null, version };
  await call('PUT', '/v1/maintenance', notice);
  const { id } = await call<{ id: string }>('POST', '/v1/feedback', { message: 'The pump is silent.' });
  await call('PUT', `/v1/reports/${id}/status`, { status: 'triaged', version: 1 });
  await call('PUT', `/v1/people/${mia.id}/own-rights/MAP_VIEW/grant`, { expiresAt: null, reason: 'For now' });
  const { webhook } = await call<{ webhook: { id: string } }>('POST', '/v1/webhooks', {
    url: 'https://example.org/hook',
    description: 'Pager',
    enabled: false,
  });

  const page = await signIn('operator', { at: '/maintenance' });
  for (const [path, place] of [
    ['/maintenance', 'main'],
    [`/reports?report=${id}`, '.inbox-pane .talk'],
    [`/people/${mia.id}?tab=access`, 'main'],
    [`/webhooks?webhook=${webhook.id}`, 'dialog'],
  ] as const) {
    if (path !== '/maintenance') await page.goto(installation.url + path);
    await expect(page.locator(place), path).toContainText('Grace Walker');
    await expect(page.locator(place), path).not.toContainText(grace.email);
  }
  await api.setMaintenance({ text: 'Newer pumps' });
  await page.goto(`${installation.url}/maintenance`);
  await expect(page.locator('main')).toContainText('browser-tests@example.org');
  await call('DELETE', `/v1/webhooks/${webhook.id}`);
});
