import { getAppPicture, getHome } from '#features/home/contract/home.ts';
import {
  addApp,
  changeApp,
  changeGatewayApp,
  listApps,
  orderApps,
  removeApp,
} from '#features/home/contract/apps.ts';
import { planWindow } from '#features/maintenance/contract/windows.ts';
import { listAudit } from '#features/audit/contract/audit.ts';
import type { BodyOf } from '#contract/route.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openLive } from '#server/testing/live-events.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const none = { en: '', de: '', fr: '' };
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

const times: BodyOf<typeof addApp> = {
  name: 'Timesheets',
  names: { ...none, de: 'Zeiten' },
  description: 'Hours of the week',
  descriptions: none,
  right: null,
  address: 'https://times.example.org/start?a=1',
};

const behind = {
  upstreams: [
    { name: 'shop', url: 'http://127.0.0.1:9', host: 'shop.example.org' },
    {
      name: 'wiki-of-all',
      url: 'http://127.0.0.1:9',
      path: '/wiki/',
      rules: [{ path: '/wiki', right: 'REPORTS_READ' }],
    },
    { name: 'api', url: 'http://127.0.0.1:9', path: '/api', rules: [{ path: '/api', access: 'token' }] },
  ],
};

describe('the home screen', () => {
  let app: TestApp;
  let operator: SignedIn;
  let mia: SignedIn;
  beforeAll(async () => {
    const { upstreams } = readUpstreams(JSON.stringify(behind)) as UpstreamsFile;
    app = await startApp({ engine: 'sqlite', config: { upstreams, basePath: '/portico' } });
    operator = await signIn(app, { roles: ['operator'] });
    mia = await signIn(app, { roles: ['member'] });
  });

  const homeOf = async (who: SignedIn) => (await who.call(getHome, {})).body;
  const names = async (who: SignedIn) => (await homeOf(who)).apps.map(({ name }) => name);
  const outcome = ({ status, problem }: { status: number; problem: { code: string } | null }) =>
    problem === null ? status : `${status} ${problem.code}`;

  it('HOME-1: everyone finds what they may open: applications that operators list, and those behind the gateway', async () => {
    expect(await names(mia)).toEqual(['Shop']);
    expect(await names(operator)).toEqual(['Shop', 'Wiki of all']);
    const { origin } = new URL(app.url);
    const port = new URL(origin).port;
    expect((await homeOf(operator)).apps.map(({ address }) => address)).toEqual([
      `http://shop.example.org:${port}/`,
      `${origin}/wiki/`,
    ]);

    const stream = await openLive(app, mia.accessToken);
    const before = stream.events().length;
    const added = await operator.call(addApp, { body: { ...times, picture: { data: base64(drawing) } } });
    expect(added.status).toBe(201);
    expect((await stream.until(before + 1)).at(-1)).toMatchObject({ type: 'changed', list: 'home' });
    stream.close();
    const tile = (await homeOf(mia)).apps.find(({ name }) => name === 'Timesheets');
    expect(tile).toEqual({
      key: added.body.key,
      name: 'Timesheets',
      names: { en: '', de: 'Zeiten', fr: '' },
      description: 'Hours of the week',
      descriptions: none,
      picture: expect.stringMatching(/^\/portico\/v1\/home\/pictures\/[0-9a-f]{32}$/),
      address: times.address,
      behindGateway: false,
    });
    const picture = await fetch(new URL(tile?.picture ?? '', app.url));
    expect([picture.status, picture.headers.get('content-type'), await picture.text()]).toEqual([
      200,
      'image/svg+xml',
      drawing,
    ]);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect(outcome(await mia.call(getAppPicture, { params: { pictureId: 'another' } }))).toBe(
      '404 NOT_FOUND',
    );

    const guarded = { ...times, right: 'AUDIT_READ', version: 1 };
    const { id } = added.body;
    const changed = await operator.call(changeApp, { params: { id: id ?? '' }, body: guarded });
    expect(changed.body).toMatchObject({ right: 'AUDIT_READ', picture: tile?.picture, version: 2 });
    expect(await names(mia)).toEqual(['Shop']);
    expect(await names(operator)).toContain('Timesheets');
    expect(outcome(await operator.call(changeApp, { params: { id: id ?? '' }, body: guarded }))).toBe(
      '409 VERSION_CONFLICT',
    );
    expect(outcome(await operator.call(removeApp, { params: { id: id ?? '' } }))).toBe(204);
    const { entries } = (await operator.call(listAudit, { query: { limit: 3 } })).body;
    expect(entries.map(({ action, subject }) => [action, subject.nameNow])).toEqual([
      ['home-app.delete', 'Timesheets'],
      ['home-app.update', 'Timesheets'],
      ['home-app.create', 'Timesheets'],
    ]);
  });

  it.each([
    ['address', 'javascript:alert(1)'],
    ['address', 'https://ada:secret@example.org'],
    ['address', 'ftp://example.org'],
    ['address', 'https://:80'],
    ['right', 'NOT_THERE'],
    ['picture', { data: base64('<html><svg/></html>') }],
    ['name', ' '],
  ])('HOME-1: refuses %s %j', async (field, value) => {
    const body = { ...times, [field]: value };
    const answer = await operator.call(addApp, { body });
    expect(outcome(answer)).toBe('422 INVALID_BODY');
    expect(answer.problem?.errors?.[0]?.pointer).toBe(`/${field}`);
  });

  it('HOME-1: operators order all of them, and say how those behind the gateway look, and whether they are shown', async () => {
    const { key } = (await operator.call(addApp, { body: times })).body;
    const { apps, orderVersion } = (await operator.call(listApps, {})).body;
    expect(apps.map(({ name, gatewayRight, version }) => [name, gatewayRight, version])).toEqual([
      ['Shop', null, null],
      ['Timesheets', null, 1],
      ['Wiki of all', 'REPORTS_READ', null],
    ]);
    const order = { keys: ['~wiki-of-all', key], version: orderVersion };
    expect(outcome(await operator.call(orderApps, { body: order }))).toBe(200);
    expect(outcome(await operator.call(orderApps, { body: order }))).toBe('409 VERSION_CONFLICT');
    expect(await names(operator)).toEqual(['Wiki of all', 'Timesheets', 'Shop']);

    const { address: _address, ...look } = times;
    const shop = { ...look, name: 'The shop', shown: true, right: 'FLAGS_READ', version: null };
    const params = { upstream: 'shop' };
    expect((await operator.call(changeGatewayApp, { params, body: shop })).body).toMatchObject({
      name: 'The shop',
      upstream: 'shop',
      version: 1,
    });
    expect(await names(mia)).toEqual(['Timesheets']);
    expect(await names(operator)).toContain('The shop');
    expect(outcome(await operator.call(changeGatewayApp, { params, body: shop }))).toBe(
      '409 VERSION_CONFLICT',
    );
    await operator.call(changeGatewayApp, { params, body: { ...shop, shown: false, version: 1 } });
    expect(await names(operator)).not.toContain('The shop');
    for (const upstream of ['api', 'unknown'])
      expect(outcome(await operator.call(changeGatewayApp, { params: { upstream }, body: shop }))).toBe(
        '404 NOT_FOUND',
      );
  });

  it('HOME-1: tells the next maintenance before its notice is shown, and none that only shows one', async () => {
    expect((await homeOf(mia)).nextMaintenance).toBeNull();
    const day = 86_400_000;
    const start = Date.now() + 6 * day;
    const plan = (mode: 'announce' | 'read-only', startsAt: number) =>
      operator.call(planWindow, {
        body: {
          title: 'Newer pumps',
          text: 'Soon',
          severity: 'INFO',
          mode,
          startsAt,
          endsAt: startsAt + 3_600_000,
          leadMinutes: 60,
          endsByItself: true,
        },
      });
    expect((await plan('announce', start)).status).toBe(201);
    expect((await homeOf(mia)).nextMaintenance).toBeNull();
    expect((await plan('read-only', start + day)).status).toBe(201);
    expect((await homeOf(mia)).nextMaintenance).toEqual({
      mode: 'read-only',
      startsAt: start + day,
      endsAt: start + day + 3_600_000,
    });
  });
});
