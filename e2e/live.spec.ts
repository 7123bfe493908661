import type { BrowserContext, Page, Request, Route } from '@playwright/test';
import type { Presence } from '#features/presence/contract/presence.ts';
import { callerWith, expect, test as base, tokenOf } from './fixtures.ts';

/** What the server knows of those who are connected. */
const test = base.extend<{ presence: () => Promise<Presence> }>({
  presence: async ({ installation }, provide) => {
    const call = callerWith(tokenOf(installation), installation);
    await provide(() => call<Presence>('GET', '/v1/presence'));
  },
});

/** Another tab of the same browser. */
async function anotherTab(page: Page, address: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(other.getByRole('navigation').first()).toBeVisible();
  return other;
}

/** The calls of all tabs to that path, from now on. */
function callsTo(context: BrowserContext, path: string): Request[] {
  const calls: Request[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === path) calls.push(request);
  });
  return calls;
}

const permissions = '/v2/users/current/permissions';
const consoleLink = (page: Page) => page.getByRole('link', { name: 'Console' });

test('RIGHT-5 MAINT-7: a new right arrives in all tabs by one stream, which moves to another tab and survives a restart', async ({
  api,
  installation,
  signIn,
  presence,
}) => {
  const sam = await api.person('Sam', ['member']);
  const page = await signIn(sam);
  await expect.poll(presence).toEqual({ people: 1, tabs: 1, unsaved: 0 });
  const streams = callsTo(page.context(), '/v1/events');
  const other = await anotherTab(page, `${installation.url}/profile`);
  await other.getByLabel('First name').fill('Samuel');
  await expect.poll(presence).toEqual({ people: 1, tabs: 2, unsaved: 1 });
  expect(streams).toHaveLength(0);

  await test.step('a right arrives at once, asked for by one tab', async () => {
    // On a busy machine the answer may take more than two seconds; then the other one asks by itself, and
    // gets nothing new.
    const answerNothing = (route: Route) => route.fulfill({ status: 304 });
    await other.route(`**${permissions}`, answerNothing);
    await api.setRoles(sam.id, ['support']);
    await expect(consoleLink(page)).toBeVisible();
    await expect(consoleLink(other)).toBeVisible();
    await other.unroute(`**${permissions}`, answerNothing);
  });

  await test.step('the tab that held the stream closes, and the other one continues', async () => {
    await page.close();
    await expect.poll(() => streams.length).toBe(1);
    await api.setRoles(sam.id, ['member']);
    await expect(consoleLink(other)).toHaveCount(0);
    await expect.poll(presence).toEqual({ people: 1, tabs: 1, unsaved: 1 });
  });

  await test.step('changes during a restart of the server are not missed', async () => {
    await installation.restart();
    await api.setRoles(sam.id, ['support']);
    await expect(consoleLink(other)).toBeVisible();
    await expect.poll(presence).toEqual({ people: 1, tabs: 1, unsaved: 1 });
    await expect(other.getByLabel('First name')).toHaveValue('Samuel');
  });
});
