import type { AnswerOf } from '#contract/route.ts';
import { changeLayer, changeWorkspace, listManagedLayers } from '#features/map/contract/manage.ts';
import type { Page } from '@playwright/test';
import { startRealMapServer, withoutMapServer } from '#server/testing/mapserver.ts';
import { worldLayers } from '#server/testing/world-layers.ts';
import { expectAccessible } from '#e2e/accessible.ts';
import { bearerOf, expect, test as base } from '#e2e/fixtures.ts';
import { claimed } from '#e2e/installation.ts';
import { decode } from '#features/feedback/e2e/report-picture.ts';

const layers = worldLayers(new Date());
type Box = { x: number; y: number; width: number; height: number };
/** Of the base map. */
const landColour = [246, 243, 236, 255];
const colourOf = (layer: string) => [...(layers.find(({ name }) => name === layer)?.colour ?? []), 255];
/** In Siberia, where no name is written; a tile to the left, and another one down, is land without a name too. */
const inland = '/map?at=61,98,4';
const test = base.extend({
  installation: async ({ start }, provide) => {
    const server = await startRealMapServer(layers);
    await provide(await start({ ...claimed, GEOSERVER_URL: server.url.href }));
    server.stop();
  },
});

test.skip(withoutMapServer !== null, withoutMapServer ?? '');

test('MAP-1 MAP-2 MAP-3 SES-5: an operator sees every layer and decides about them; a member sees one, over renewals, until the right is taken; after the sign-out nothing passes', async ({
  api,
  signIn,
  installation,
}) => {
  test.setTimeout(300_000);
  const surveyor = `surveyor-${Date.now()}`;
  await api.addRole(surveyor, ['FLAGS_READ']);
  const mia = await api.person('Mia', ['member', surveyor]);
  const page = await signIn('operator', { at: '/map-layers' });
  await decide(page);

  await test.step('the map follows a drag at once, without the focus, farther than it was drawn', async () => {
    await expectAccessible(page, 'the layers in the console');
    await page.goto(`${installation.url}/map?at=25,100,4&layers=-`);
    await expectColour(page, landColour, 0.5);
    const { x, y, width, height } = (await page
      .getByRole('application', { name: 'Map' })
      .boundingBox()) as Box;
    const [left, middle] = [x + 0.1 * width, y + 0.6 * height];
    await page.mouse.move(left, middle);
    await page.mouse.down();
    await page.mouse.move(left + 0.75 * width, middle, { steps: 10 });
    // What is now on the left was more than half a map away.
    await expectColour(page, landColour, 0.1);
    await page.mouse.up();
    // Two presses in a row are two points, and do not zoom.
    await page.getByRole('button', { name: 'Measure a distance' }).click();
    await page.mouse.click(left, middle);
    await page.mouse.click(left + 0.25 * width, middle);
    await expect(page.getByText('Distance:')).toBeVisible();
    await expect(page).toHaveURL(/at=[^&]*(?:%2C|,)4&/);
  });

  await test.step('the operator sees all layers, and what is at a point', async () => {
    await page.goto(`${installation.url}${inland}`);
    await expect(page.getByRole('checkbox')).toHaveCount(layers.length);
    await expectColour(page, colourOf('land'));
    await page.getByRole('checkbox', { name: 'Countries' }).check();
    await expectColour(page, colourOf('countries'));
    const handle = page.getByRole('button', { name: /^Move Countries/ });
    await handle.press('ArrowDown');
    await expectColour(page, colourOf('land'));
    await handle.hover();
    await page.mouse.down();
    await page.getByRole('button', { name: /, 1 of / }).hover({ position: { x: 4, y: 0 }, force: true });
    await page.mouse.up();
    await expectColour(page, colourOf('countries'));
    await page.getByRole('application', { name: 'Map' }).press('Enter');
    const found = page.getByRole('region', { name: 'At this point' });
    await expect(found.getByText('Russia').first()).toBeVisible();
    await expectAccessible(page, 'the map');
  });

  // What the page waits for is on this clock from its beginning.
  const hers = await signIn(mia, { at: inland, before: (opened) => opened.clock.install() });
  await test.step('the member sees one layer, and keeps it over renewals', async () => {
    await expect(hers.getByRole('checkbox')).toHaveCount(1);
    await expectColour(hers, colourOf('land'));
    const seen = watchMap(hers);
    const map = hers.getByRole('application', { name: 'Map' });
    await hers.context().clearCookies({ path: '/geoserver' });
    for (let pressed = 0; pressed < 4; pressed += 1) await map.press('ArrowLeft');
    await expect.poll(() => seen.join(' ')).toMatch(/cookie( tile)+/);
    await expectColour(hers, colourOf('land'));
    expect(seen.filter((what) => what === 'cookie')).toEqual(['cookie']);
    await hers.clock.fastForward('04:50');
    await expect.poll(() => seen.filter((what) => what === 'cookie').length).toBe(2);
    for (let pressed = 0; pressed < 4; pressed += 1) await map.press('ArrowDown');
    await expect.poll(() => seen.join(' ')).toMatch(/cookie.*cookie( tile)+$/);
    // The middle is on a coast by now.
    await expectColour(hers, colourOf('land'), 0.7);
  });

  await test.step('the layer goes when its right is taken, and nothing passes', async () => {
    await api.setRoles(mia.id, ['member']);
    await expect(hers.getByText('There are none that you may see.', { exact: false })).toBeVisible();
    await expectColour(hers, landColour, 0.7);
    expect(await statusOfTile(hers), 'without the right').toBe(403);
  });

  await test.step('nothing passes after the sign-out, with the cookie from before either', async () => {
    expect(await statusOfTile(page), 'signed in').toBe(200);
    const cookies = await page.context().cookies(`${installation.url}/geoserver/wms`);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await page.getByRole('button', { name: /account/i }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    expect(await statusOfTile(page)).toBe(401);
    expect((await fetch(tileUrl(page), { headers: { cookie } })).status).toBe(401);
  });
});

/** All layers take a right that members do not have; the land takes one of surveyors, and is on at first. */
async function decide(page: Page): Promise<void> {
  const { request } = page.context();
  const headers = { authorization: `Bearer ${await bearerOf(page)}` };
  const address = ({ path }: { path: string }) => new URL(path, page.url()).href;
  const managed = (await (await request.get(address(listManagedLayers), { headers })).json()) as AnswerOf<
    typeof listManagedLayers
  >;
  const versionOf = (list: readonly { name: string; version: number | null }[], name: string) =>
    list.find((entry) => entry.name === name)?.version ?? null;
  const all = { name: '', access: 'right', right: 'AUDIT_READ', version: versionOf(managed.workspaces, '') };
  const land = {
    name: 'land',
    access: 'right',
    right: 'FLAGS_READ',
    onAtFirst: true,
    titles: { en: '', de: '', fr: '' },
    version: versionOf(managed.layers, 'land'),
  };
  for (const [route, data] of [
    [changeWorkspace, all],
    [changeLayer, land],
  ] as const) {
    const answer = await request.put(address(route), { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
}

/**
 * Waits for the colour around the middle of the map: that of most pixels, as names, borders and the cross of
 * the keyboard have colours of their own.
 *
 * @param across how far from the left edge, as a part of the width
 */
async function expectColour(page: Page, colour: readonly number[], across = 0.5): Promise<void> {
  const map = page.getByRole('application', { name: 'Map' });
  const difference = async () => {
    const picture = await decode(page, await map.screenshot());
    const [x, y] = [Math.round(picture.width * across), Math.round(picture.height / 2)];
    const around = offsets.flatMap((right) => offsets.map((down) => picture.at(x + right, y + down)));
    return Math.max(
      ...colour.map((part, at) => Math.abs(part - median(around.map((pixel) => pixel[at] ?? 0)))),
    );
  };
  await expect.poll(difference, { timeout: 60_000 }).toBeLessThan(20);
}

const offsets = [-30, -20, -10, 0, 10, 20, 30];

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** What arrives from now on, in order: the map cookie, and tiles that are pictures. */
function watchMap(page: Page): string[] {
  const seen: string[] = [];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (!answer.ok()) return;
    if (pathname === '/cookies/token' && answer.request().method() === 'POST') seen.push('cookie');
    if (pathname === '/geoserver/wms') seen.push('tile');
  });
  return seen;
}

const tileUrl = (page: Page) =>
  new URL(
    '/geoserver/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=land&STYLES=&CRS=EPSG:3857&BBOX=0,0,1000,1000&WIDTH=9&HEIGHT=9&FORMAT=image/png',
    page.url(),
  ).href;

const statusOfTile = async (page: Page) => (await page.context().request.get(tileUrl(page))).status();
