import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const paths = {
  profile: '/v1/users/current/profile',
  rights: '/v2/users/current/permissions',
  events: '/v1/events',
} as const;

/** How often each tab has asked for its profile and its rights, since it was last asked. */
function countCalls() {
  const calls: { page: Page; path: string }[] = [];
  return {
    watch: (page: Page) =>
      page.on('request', (request) => calls.push({ page, path: new URL(request.url()).pathname })),
    of(page: Page) {
      const count = (wanted: string) =>
        calls.filter((one) => one.page === page && one.path === wanted).length;
      return { profile: count(paths.profile), rights: count(paths.rights) };
    },
    forget: () => void calls.splice(0),
  };
}

test('PRO-2 RIGHT-5: a page that starts asks once for the profile and once for the rights, and what changes from then on arrives', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const calls = countCalls();
  const name = (page: Page) => page.getByRole('heading', { level: 1 });
  const streamOf = (page: Page) =>
    page.waitForResponse((answer) => new URL(answer.url()).pathname === paths.events);
  /** The stream keeps its order: a change that arrives shows that all before it has arrived. */
  const rename = async (firstName: string, ...pages: Page[]) => {
    await api.setProfile(mia.id, { firstName });
    for (const page of pages) await expect(name(page)).toContainText(firstName);
  };
  let opened: Promise<unknown> = Promise.resolve();

  // Right after the person was created and given roles, which the page that starts now knows already.
  const before = (started: Page) => {
    calls.watch(started);
    opened = streamOf(started);
  };
  const page = await signIn(mia, { before });
  await opened;
  await rename('Maria', page);
  expect(calls.of(page), 'the first load, and one change').toEqual({ profile: 2, rights: 1 });

  calls.forget();
  opened = streamOf(page);
  await page.reload();
  await opened;
  await rename('Marie', page);
  expect(calls.of(page), 'a reload, and one change').toEqual({ profile: 2, rights: 1 });

  calls.forget();
  const second = await page.context().newPage();
  calls.watch(second);
  await second.goto('/');
  await expect(name(second)).toContainText('Marie');
  await rename('Mia', page, second);
  expect(calls.of(second), 'a second tab, and one change').toEqual({ profile: 2, rights: 1 });
  expect(calls.of(page), 'the other tab').toEqual({ profile: 1, rights: 0 });

  await api.setRoles(mia.id, ['support']);
  for (const one of [page, second]) await expect(one.getByRole('link', { name: 'Console' })).toBeVisible();
});
