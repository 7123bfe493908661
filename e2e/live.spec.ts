import type { BrowserContext, Page, Request, Route } from '@playwright/test';
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { FullReport } from '#features/feedback/contract/inbox.ts';
import type { Presence } from '#features/presence/contract/presence.ts';
import { bearerOf, expect, test as base } from './fixtures.ts';
import { operator, type Installation } from './installation.ts';

type Watch = {
  presence(): Promise<Presence>;
  setStatus(reportId: string, status: ReportStatus): Promise<void>;
};

/** What the server knows, and what another operator does. */
const test = base.extend<{ watchInstallation: Watch }>({
  // Not of the worker: those of the other tests would end, and start again with an installation each.
  watchInstallation: async ({ installation }, provide) => {
    const known = watches.get(installation) ?? watchOf(installation);
    watches.set(installation, known);
    await provide(known);
  },
});

const watches = new WeakMap<Installation, Watch>();

function watchOf(installation: Installation): Watch {
  const words = ['--name', 'who watches', '--expires', '1d', '--as', operator.email];
  const rights = ['--rights', 'MAINTENANCE_WRITE,REPORTS_READ,REPORTS_WRITE'];
  const { token } = installation.portico('token', 'create', ...words, ...rights) as { token: string };
  return {
    presence: () => callInstallation(installation, token, 'GET', '/v1/presence'),
    async setStatus(reportId, status) {
      const { version } = await callInstallation<FullReport>(
        installation,
        token,
        'GET',
        `/v1/reports/${reportId}`,
      );
      await callInstallation(installation, token, 'PUT', `/v1/reports/${reportId}/status`, {
        status,
        version,
      });
    },
  };
}

async function callInstallation<T>(
  installation: Installation,
  token: string,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(installation.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

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
  watchInstallation,
}) => {
  const sam = await api.person('Sam', ['member']);
  const page = await signIn(sam);
  await expect.poll(watchInstallation.presence).toEqual({ people: 1, tabs: 1, unsaved: 0 });
  const streams = callsTo(page.context(), '/v1/events');
  const other = await anotherTab(page, `${installation.url}/profile`);
  await other.getByLabel('First name').fill('Samuel');
  await expect.poll(watchInstallation.presence).toEqual({ people: 1, tabs: 2, unsaved: 1 });
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
    await expect.poll(watchInstallation.presence).toEqual({ people: 1, tabs: 1, unsaved: 1 });
  });

  await test.step('changes during a restart of the server are not missed', async () => {
    await installation.restart();
    await api.setRoles(sam.id, ['support']);
    await expect(consoleLink(other)).toBeVisible();
    await expect.poll(watchInstallation.presence).toEqual({ people: 1, tabs: 1, unsaved: 1 });
    await expect(other.getByLabel('First name')).toHaveValue('Samuel');
  });
});

test('SES-8: a blocked person is signed out in all tabs at once, without any action', async ({
  api,
  installation,
  signIn,
  watchInstallation,
}) => {
  const sam = await api.person('Sam', ['support']);
  const page = await signIn(sam);
  const other = await anotherTab(page, `${installation.url}/people`);
  await expect.poll(watchInstallation.presence).toEqual({ people: 1, tabs: 2, unsaved: 0 });

  await api.setBlocked(sam.id, true);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Your account is blocked' })).toBeVisible();
  }
  await expect.poll(watchInstallation.presence).toEqual({ people: 0, tabs: 0, unsaved: 0 });
});

test('BUG-9: the new status of a report arrives in the open windows of its sender, and one of them shows a notification', async ({
  api,
  installation,
  signIn,
  watchInstallation,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  const report = await callInstallation<{ id: string; number: number }>(
    installation,
    await bearerOf(page),
    'POST',
    '/v1/feedback',
    { message: 'The list of flags stays empty.', eventId: 'c0ffee00c0ffee00c0ffee00c0ffee00' },
  );
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'stays empty' })).toContainText('New');
  const other = await anotherTab(page, `${installation.url}/my-reports`);
  await expect.poll(watchInstallation.presence).toEqual({ people: 1, tabs: 2, unsaved: 0 });

  await watchInstallation.setStatus(report.id, 'resolved');
  for (const tab of [page, other]) {
    await expect(tab.getByRole('listitem').filter({ hasText: 'stays empty' })).toContainText('Resolved');
  }
  const news = `Your report ${report.number} is now resolved`;
  const [here, there] = [page, other].map((tab) => tab.getByRole('status').filter({ hasText: news })) as [
    ReturnType<Page['getByRole']>,
    ReturnType<Page['getByRole']>,
  ];
  await expect.poll(async () => (await here.count()) + (await there.count())).toBe(1);
  const [tab, notice] = (await here.count()) === 1 ? [page, here] : [other, there];
  await notice.getByRole('button', { name: 'Show' }).click();
  await expect(tab).toHaveURL(`${installation.url}/my-reports?report=${report.id}`);
  await expect(tab.getByRole('group').filter({ hasText: `#${report.number}` })).toHaveAttribute('open');
});

test('RIGHT-5: where streams are blocked on the way, polls fetch the changes', async ({ api, signIn }) => {
  const sam = await api.person('Sam', ['member']);
  const page = await signIn(sam);
  await page.route('**/v1/events*', (route) => route.abort());
  await page.clock.install();
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await api.setRoles(sam.id, ['support']);
  const poll = page.waitForResponse((response) => response.url().endsWith(permissions));
  await page.clock.fastForward('01:10');
  await poll;
  await expect(consoleLink(page)).toBeVisible();
});
