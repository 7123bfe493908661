import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { listMapLayers, mapPicturesPath } from '#features/map/contract/map.ts';
import {
  changeLayer,
  changeWorkspace,
  checkMapServer,
  forgetLayer,
  listManagedLayers,
  orderLayers,
} from '#features/map/contract/manage.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { addRight, addRole } from '#features/permissions/contract/administration.ts';
import { problem as problemSchema } from '#contract/problem.ts';
import { removeMapCookie, setMapCookie, signOut } from '#features/session/contract/session.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityOf } from './map-server.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { startMapServer } from '#server/testing/map-server.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const titles = { en: '', de: '', fr: '' };
const tile = (layers: string) =>
  `${mapPicturesPath}?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=${layers}&STYLES=&CRS=EPSG:3857&BBOX=0,0,1,1&WIDTH=256&HEIGHT=256&FORMAT=image/png`;

describe('the map server behind the guard', () => {
  let app: TestApp;
  let server: Awaited<ReturnType<typeof startMapServer>>;
  let operator: SignedIn;
  let ada: SignedIn;
  let eve: SignedIn;

  beforeAll(async () => {
    server = await startMapServer();
    app = await startApp({ engine: 'sqlite', config: { geoserver: { url: server.url, single: false } } });
    operator = await signIn(app, { roles: ['operator'] });
    ada = await signIn(app, { roles: ['member'] });
    eve = await signIn(app, { roles: ['member'], email: 'eve@example.org' });
    const right = { right: 'CABLES', label: 'See the cables', description: '', area: 'Town' };
    await operator.call(addRight, { body: right });
    const role = { role: 'technician', name: 'Technician', description: '', rights: ['MAP_VIEW', 'CABLES'] };
    await operator.call(addRole, { body: role });
    await setRole(ada, ['technician']);
    const guarded = { access: 'right', right: 'CABLES', onAtFirst: true, titles, version: null } as const;
    await operator.call(changeLayer, { body: { name: 'town:cables', ...guarded } });
    for (const person of [ada, eve, operator]) await person.call(setMapCookie, {});
    server.asked();
  });
  afterAll(async () => {
    await endApp(app);
    server.stop();
  });

  async function setRole(
    { id: personId }: SignedIn,
    roles: Parameters<typeof operator.call<typeof setRoles>>[1]['body']['roles'],
  ): Promise<void> {
    const params = { personId };
    const { version } = (await operator.call(getPerson, { params })).body;
    expect((await operator.call(setRoles, { params, body: { roles, version } })).status).toBe(200);
  }

  const maintenance = (mode: 'off' | 'full') => changeMaintenance(operator, { mode });

  type Answer = { status: number; headers: Record<string, unknown>; body: string; code: string | null };

  /** As a browser loads a picture: with its cookies and no header of a script. */
  function ask(
    path: string,
    person: SignedIn | null = ada,
    headers: Record<string, string> = {},
    method = 'GET',
    body = '',
  ): Promise<Answer> {
    const cookie = person?.browser.cookies.header('/geoserver') ?? '';
    return new Promise((done, fail) => {
      const sent = httpRequest(
        {
          host: '127.0.0.1',
          port: app.config.port,
          path,
          method,
          headers: { host: `localhost:${app.config.port}`, ...(cookie === '' ? {} : { cookie }), ...headers },
        },
        (response) => {
          void text(response).then((body) => {
            const isProblem = response.headers['content-type'] === 'application/problem+json';
            const code = isProblem && body !== '' ? problemSchema.parse(JSON.parse(body)).code : null;
            done({ status: response.statusCode ?? 0, headers: response.headers, body, code });
          }, fail);
        },
      );
      sent.on('error', fail);
      sent.end(body);
    });
  }

  const outcome = async (...asked: Parameters<typeof ask>): Promise<string> => {
    const { status, code } = await ask(...asked);
    return code === null ? String(status) : `${status} ${code}`;
  };

  beforeEach(() => void server.asked());

  it('MAP-2: sends a picture on, private, without the cookies of the map server', async () => {
    const { status, headers, body } = await ask(tile('town:streets'));
    expect([status, body.length]).toEqual([200, 20_000]);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      vary: 'Cookie',
      etag: expect.stringMatching(/^W\/"portico-/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('server');
  });

  it('MAP-2: says of a picture that the browser has whether it still counts, to whom may see it alone', async () => {
    const path = tile('town:streets');
    const { etag } = (await ask(path)).headers;
    server.asked();
    const has = { 'if-none-match': String(etag) };
    const again = await ask(path, ada, has);
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    expect(again.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Cookie' });
    expect(await outcome(path, null, has)).toBe('401 UNAUTHENTICATED');
    expect(await outcome(tile('town:cables'), eve, has)).toBe('403 RIGHT_MISSING');
    expect(server.asked()).toEqual([]);
    // The map server may draw something else for another person.
    expect((await ask(path, eve, has)).status).toBe(200);
    expect(server.asked()[0]?.headers.join()).not.toMatch(/if-none-match/i);
  });

  it('MAP-2: says who asks, and nothing that the browser says about that', async () => {
    await ask(tile('town:streets'), ada, {
      'sec-username': 'admin',
      'Sec-Roles': 'ROLE_ADMINISTRATOR',
      sec_username: 'admin',
      'x-portico-email': 'admin',
      'Portico-Assertion': 'forged',
      authorization: 'Basic YWRtaW46Z2Vvc2VydmVy',
      'x-forwarded-host': 'evil.example.org',
      'x-evil': '1',
      connection: 'close, sec-username',
    });
    const headers = server.asked()[0]?.headers ?? [];
    const received = new Map<string, string>();
    for (let at = 0; at < headers.length; at += 2)
      received.set((headers[at] ?? '').toLowerCase(), headers[at + 1] ?? '');
    expect([...received.keys()].toSorted()).toEqual(
      ['connection', 'host', 'portico-assertion', 'sec-roles', 'sec-username', 'x-forwarded-for'].toSorted(),
    );
    expect(received.get('sec-username')).toBe(ada.email);
    expect(received.get('sec-roles')).toBe('ROLE_TECHNICIAN');
    expect(received.get('portico-assertion')).toMatch(/^ey/);
    expect(headers.join()).not.toMatch(/admin|forged|evil|portico_/i);
  });

  it('MAP-2: makes no role of Portico one that manages GeoServer', () => {
    expect(identityOf('ada', ['administrator', 'group-admin', 'group_admin', 'admin', 'map-editor'])).toEqual(
      [
        ['sec-username', 'ada'],
        ['sec-roles', 'ROLE_ADMIN;ROLE_MAP_EDITOR'],
      ],
    );
  });

  it('MAP-2: answers each layer by its right, alone, in lists, in groups and under every name', async () => {
    for (const path of [
      tile('town:cables'),
      tile('town:streets,town:cables'),
      tile('overview'),
      tile('cables'),
      tile('TOWN:CABLES'),
      tile('town%3Acables'),
      '/geoserver/town/wms?REQUEST=GetMap&LAYERS=cables',
      '/geoserver/town/cables/wms?REQUEST=GetMap&LAYERS=cables',
      '/geoserver/gwc/service/wmts?SERVICE=WMTS&REQUEST=GetTile&LAYER=town:cables&TILEMATRIX=1&TILEROW=1&TILECOL=1',
      '/geoserver/gwc/service/tms/1.0.0/town:cables@EPSG:900913@png/1/1/1.png',
      '/geoserver/gwc/service/wmts/rest/town:cables/EPSG:900913/1/1/1',
      '/geoserver/wfs?SERVICE=WFS&REQUEST=GetFeature&TYPENAMES=town:streets,town:cables',
      '/geoserver/wms?SERVICE=WMS&REQUEST=GetFeatureInfo&LAYERS=town:streets&QUERY_LAYERS=town:cables',
      '/geoserver/wms?SERVICE=WMS&REQUEST=GetLegendGraphic&LAYER=town:cables',
      '/geoserver/ogc/features/v1/collections/town:cables/items',
      '/geoserver/town/ogc/features/v1/collections/cables/items',
      '/geoserver/town/gwc/service/wmts/rest/cables/EPSG:900913/1/1/1/5/5?format=text/plain',
    ]) {
      expect([path, await outcome(path, eve)]).toEqual([path, '403 RIGHT_MISSING']);
    }
    expect(server.asked()).toEqual([]);
    expect(await outcome(tile('town:cables,overview'), ada)).toBe('200');
    expect(await outcome(tile('town:unlisted'), ada)).toBe('404 NOT_FOUND');
    server.asked();
    // GeoServer answers for all layers where it does not know the workspace of a path.
    for (const path of ['nowhere', 'Town', 'TOWN', 'overview', 'wms'])
      expect([path, await outcome(`/geoserver/${path}/wms?REQUEST=GetMap&LAYERS=overview`)]).toEqual([
        path,
        '404 NOT_FOUND',
      ]);
    expect(await outcome('/geoserver/Town/wms?REQUEST=GetCapabilities')).toBe('404 NOT_FOUND');
    expect(server.asked()).toEqual([]);
  });

  it.each([
    ['no path of the map', '/geoserver/rest/workspaces.json', '404 NOT_FOUND'],
    ['a path that leads out', '/geoserver/town/../../manager/wms?REQUEST=GetMap&LAYERS=a', '404 NOT_FOUND'],
    ['an encoded one', '/geoserver/town/%2e%2e%2frest/wms?REQUEST=GetMap&LAYERS=a', '404 NOT_FOUND'],
    ['another host', '/geoserver/http://169.254.169.254/wms', '404 NOT_FOUND'],
    ['a style from elsewhere', `${tile('town:streets')}&SLD=http://169.254.169.254/`, '400 INVALID_REQUEST'],
    ['a name twice', `${tile('town:streets')}&layers=town:cables`, '400 INVALID_REQUEST'],
    ['parameters of a view', `${tile('town:streets')}&viewparams=x:1`, '400 INVALID_REQUEST'],
    ['header injection', `${tile('town:streets')}&TIME=a%0d%0ax:y`, '400 INVALID_REQUEST'],
  ])('MAP-2: refuses %s without asking the map server', async (_what, path, expected) => {
    expect(await outcome(path)).toBe(expected);
    expect(server.asked()).toEqual([]);
  });

  it.each([
    ['of a length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('MAP-2: sends no body on, %s, that the map server would read as another request', async (_what, how) => {
    const second = 'GET /geoserver/rest/users HTTP/1.1\r\nHost: localhost\r\nsec-username: admin\r\n\r\n';
    const length = 'transfer-encoding' in how ? {} : { 'content-length': String(second.length) };
    expect(await outcome(tile('town:streets'), ada, { ...how, ...length }, 'GET', second)).toBe(
      '400 INVALID_REQUEST',
    );
    expect(await outcome(tile('town:streets'))).toBe('200');
    expect(server.asked().map(({ url }) => url)).toEqual([expect.stringContaining('town%3Astreets')]);
  });

  it('MAP-2: sends a dimension on where a layer has it, and refuses it where none of them does', async () => {
    const at = (path: string) => path.replace('/geoserver/wms?', '/geoserver/wms?dim_Depth=10%2F50&');
    expect(await outcome(at(tile('town:pipes')))).toBe('200');
    expect(server.asked()[0]?.url).toMatch(/&FORMAT=image%2Fpng&DIM_DEPTH=10%2F50$/);
    // A group has what its layers have.
    expect(await outcome(at(tile('overview')))).toBe('200');
    server.asked();
    expect(await outcome(at(tile('town:streets')))).toBe('400 INVALID_REQUEST');
    expect(await outcome(`${tile('town:pipes')}&DIM_OTHER=1`)).toBe('400 INVALID_REQUEST');
    expect(await outcome(`${tile('town:pipes')}&DIM_DEPTH=1%27%20or%201`)).toBe('400 INVALID_REQUEST');
    expect(await outcome(`${tile('town:cables')}&DIM_DEPTH=1`, eve)).toBe('403 RIGHT_MISSING');
    expect(server.asked()).toEqual([]);
  });

  it('MAP-2: sends the dimensions of WMTS on by their names, and leaves other parameters out', async () => {
    const wmts = (layer: string, more: string) =>
      `/geoserver/gwc/service/wmts?SERVICE=WMTS&REQUEST=GetTile&LAYER=${layer}&STYLE=&FORMAT=image/png&TILEMATRIXSET=a&TILEMATRIX=a:1&TILEROW=1&TILECOL=1&${more}`;
    expect(await outcome(wmts('town:pipes', 'DEPTH=10&_=1'))).toBe('200');
    expect(server.asked()[0]?.url).toMatch(/&TILECOL=1&depth=10$/);
    expect(await outcome(wmts('town:streets', 'depth=10'))).toBe('400 INVALID_REQUEST');
    expect(
      await outcome(`/geoserver/gwc/service/wmts/rest/town:pipes/a/a:1/1/1?format=image/png&Depth=7&_=1`),
    ).toBe('200');
    expect(server.asked()[0]?.url).toMatch(/\?format=image%2Fpng&depth=7$/);
  });

  it('MAP-2: takes the parameters of a map as a form, with the checks of an address', async () => {
    const [, query = ''] = tile('town:streets').split('?');
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    const post = (path: string, body: string, person = ada, headers: Record<string, string> = type) =>
      outcome(path, person, headers, 'POST', body);
    const filter = `name in (${Array.from({ length: 5_000 }, (_each, at) => `'s${at}'`).join(',')})`;
    const long = `${query}&cql_filter=${encodeURIComponent(filter)}&foo=1`;
    expect(await post('/geoserver/wms', long)).toBe('200');
    const [asked] = server.asked();
    expect([asked?.method, asked?.url]).toEqual(['POST', '/geoserver/wms']);
    expect(asked?.body).toBe(
      `${query.replace('EPSG:3857', 'EPSG%3A3857').replace('0,0,1,1', '0%2C0%2C1%2C1').replace('town:streets', 'town%3Astreets').replace('image/png', 'image%2Fpng')}&CQL_FILTER=${encodeURIComponent(filter)}`,
    );
    expect(await post('/geoserver/wms?SERVICE=WMS&VERSION=1.3.0', long)).toBe('400 INVALID_REQUEST');
    for (const [body, expected] of [
      [query.replace('streets', 'cables'), '403 RIGHT_MISSING'],
      [`${query}&layers=town:cables`, '400 INVALID_REQUEST'],
      [`${query}&SLD=http://other.example.org/`, '400 INVALID_REQUEST'],
      [query.replace('GetMap', 'Transaction'), '400 INVALID_REQUEST'],
      [`${query}&CQL_FILTER=${'('.repeat(200)}a=1${')'.repeat(200)}`, '400 INVALID_REQUEST'],
      [`${query}&a=${'x'.repeat(262_144)}`, '413 TOO_LARGE'],
    ] as const)
      expect([body.slice(0, 300), await post('/geoserver/wms', body, eve)]).toEqual([
        body.slice(0, 300),
        expected,
      ]);
    expect(await post('/geoserver/wfs', '<GetFeature/>', ada, { 'content-type': 'text/xml' })).toBe(
      '415 UNSUPPORTED_MEDIA_TYPE',
    );
    expect(await post('/geoserver/gwc/service/wmts/rest/town:pipes/a/a:1/1/1', '')).toBe(
      '405 METHOD_NOT_ALLOWED',
    );
    expect(await post('/geoserver/wms', query, ada, { ...type, 'sec-fetch-site': 'cross-site' })).toBe(
      '403 CROSS_SITE',
    );
    expect(server.asked()).toEqual([]);
  });

  it('MAP-2: sends on what it has checked, and nothing else', async () => {
    await ask(`/geoserver/%77ms?service=WMS&request=getmap&lAyErS=town%3astreets&foo=1&width=5`);
    expect(server.asked().map(({ url }) => url)).toEqual([
      '/geoserver/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=town%3Astreets&WIDTH=5',
    ]);
  });

  it.each([
    ['an exception with its own type', 'exception', '502 MAP_SERVER_FAILED'],
    ['an exception in plain XML', 'error', '502 MAP_SERVER_FAILED'],
    ['a page', 'page', '502 MAP_SERVER_FAILED'],
    ['a redirect', 'away', '502 MAP_SERVER_FAILED'],
    ['an answer that is too large', 'huge', '502 MAP_SERVER_FAILED'],
    ['a question who asks', 'sign-in', '502 MAP_SERVER_FAILED'],
    ['no answer', 'gone', '502 MAP_SERVER_DOWN'],
  ])('MAP-2: makes %s with the status 200 or another a clear error', async (_what, layer, expected) => {
    const { status, code, headers, body } = await ask(tile(`town:${layer}`));
    expect(`${status} ${code}`).toBe(expected);
    expect(headers).not.toHaveProperty('location');
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(body).not.toMatch(/\/srv|<script/);
  });

  it('MAP-2: never lets a part pass for the whole, and tells operators alone what the map server says', async () => {
    await expect(ask(tile('town:cut'))).rejects.toThrow(/aborted|hang up/);
    expect((await ask(tile('town:exception'), operator)).body).toContain('/srv/secret/style.sld');
    expect((await ask(tile('town:exception'), ada)).body).toContain('StyleNotDefined');
  });

  it('MAP-2: refuses other sites, other methods, and who has no map cookie or no right to the map', async () => {
    const path = tile('town:streets');
    expect(await outcome(path, ada, { 'sec-fetch-site': 'cross-site' })).toBe('403 CROSS_SITE');
    expect(await outcome(path, ada, { 'sec-fetch-site': 'same-site' })).toBe('403 CROSS_SITE');
    expect(await outcome(path, ada, { origin: 'https://evil.example.org' })).toBe('403 CROSS_SITE');
    expect(await outcome(path, ada, { 'sec-fetch-site': 'same-origin' })).toBe('200');
    expect(await outcome(path, ada, {}, 'PUT')).toBe('405 METHOD_NOT_ALLOWED');
    expect(await outcome(path, ada, {}, 'POST')).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect((await ask(path, ada, {}, 'HEAD')).status).toBe(200);
    expect(await outcome(path, null)).toBe('401 UNAUTHENTICATED');
    const session = ada.browser.cookies.header('/v1') ?? '';
    expect(await outcome(path, null, { cookie: session })).toBe('401 UNAUTHENTICATED');
    expect(await outcome(path, null, { authorization: `Bearer ${ada.accessToken}` })).toBe(
      '401 UNAUTHENTICATED',
    );
    const nobody = await signIn(app, { roles: [] });
    await nobody.call(setMapCookie, {});
    expect(await outcome(path, nobody)).toBe('403 RIGHT_MISSING');
  });

  it('MAP-2: shows capabilities without what the person may not see, with addresses of the guard', async () => {
    const path = '/geoserver/wms?SERVICE=WMS&REQUEST=GetCapabilities';
    const [own, others] = [await ask(path, ada), await ask(path, eve)];
    expect(own.body).toContain('town:cables');
    expect(own.body).toContain(`${app.url}/geoserver/ows?SERVICE=WMS&amp;`);
    expect(others.status).toBe(200);
    expect(others.body).not.toMatch(/cables|<Name>overview/);
    expect(others.body).toContain('town:pipes');
    expect(others.body).not.toContain(server.url.host);
    const list = await ask('/geoserver/ogc/features/v1/collections', eve);
    expect((await ask(path, eve, {}, 'HEAD')).status).toBe(200);
    expect(JSON.parse(list.body)).toEqual({ links: [], collections: [{ id: 'town:streets' }] });
  });

  it('MAP-1: lists the layers that a person may see, in the order of the operators', async () => {
    const names = async (person: SignedIn) =>
      (await person.call(listMapLayers, {})).body.layers.map(({ name }) => name);
    expect(await names(eve)).not.toContain('town:cables');
    const { orderVersion } = (await operator.call(listManagedLayers, {})).body;
    const order = { names: ['town:cables', 'town:streets'], version: orderVersion };
    expect((await operator.call(orderLayers, { body: order })).status).toBe(200);
    expect((await operator.call(orderLayers, { body: order })).problem?.code).toBe('VERSION_CONFLICT');
    expect((await names(ada)).slice(0, 2)).toEqual(['town:cables', 'town:streets']);
    const { body } = await ada.call(listMapLayers, {});
    expect(body).toMatchObject({ server: 'ready', projections: ['EPSG:3857'], formats: ['image/png'] });
    expect(body.layers[0]).toMatchObject({ onAtFirst: true, groups: ['Overview'] });
    expect((await eve.call(listManagedLayers, {})).problem?.code).toBe('RIGHT_MISSING');
  });

  it('MAP-2: decisions of operators hold at once, are versioned, and name rights that exist', async () => {
    const path = tile('town:streets');
    const closed = { name: 'Town', access: 'right', right: 'CABLES', version: null } as const;
    expect((await operator.call(changeWorkspace, { body: closed })).body).toMatchObject({ version: 1 });
    expect(await outcome(path, eve)).toBe('403 RIGHT_MISSING');
    expect((await operator.call(changeWorkspace, { body: closed })).problem?.code).toBe('VERSION_CONFLICT');
    const open = { ...closed, access: 'inherited', right: null, version: 1 } as const;
    expect((await operator.call(changeWorkspace, { body: open })).status).toBe(200);
    expect(await outcome(path, eve)).toBe('200');
    const layer = { name: 'town:pipes', access: 'right', onAtFirst: false, titles, version: null } as const;
    expect((await operator.call(changeLayer, { body: { ...layer, right: 'NO_SUCH' } })).status).toBe(422);
    expect((await operator.call(changeLayer, { body: { ...layer, right: null } })).status).toBe(422);
    expect((await operator.call(changeLayer, { body: { ...layer, right: 'CABLES' } })).status).toBe(200);
    expect(await outcome(tile('town:pipes'), eve)).toBe('403 RIGHT_MISSING');
    const forgotten = { name: 'town:pipes', version: 1 };
    expect((await operator.call(forgetLayer, { body: forgotten })).status).toBe(204);
    expect(await outcome(tile('town:pipes'), eve)).toBe('200');
  });

  it('MAP-2: the connection check says what the map server says', async () => {
    const { body } = await operator.call(checkMapServer, {});
    expect(body.address).toBe(server.url.href);
    expect(body.services[0]).toMatchObject({
      service: 'wms',
      you: { outcome: 'ok', message: 'Town', listed: 12 },
      member: { outcome: 'ok', visible: 10 },
    });
    expect(body.services[1]).toMatchObject({ service: 'wfs', you: { outcome: 'unreadable' } });
  });

  it('MAP-2: a right that is taken, full maintenance, a removed cookie and a sign-out end it at once', async () => {
    const path = tile('town:cables');
    await setRole(ada, ['member']);
    expect(await outcome(path, ada)).toBe('403 RIGHT_MISSING');
    const streets = tile('town:streets');
    await maintenance('full');
    expect(await outcome(streets, ada)).toBe('503 MAINTENANCE');
    expect(await outcome(streets, operator)).toBe('200');
    await maintenance('off');
    const cookie = eve.browser.cookies.header('/geoserver') ?? '';
    expect(await outcome(streets, null, { cookie })).toBe('200');
    await eve.call(removeMapCookie, {});
    expect(await outcome(streets, null, { cookie })).toBe('401 UNAUTHENTICATED');
    // SES-7
    const adas = ada.browser.cookies.header('/geoserver') ?? '';
    expect(await outcome(streets, null, { cookie: adas })).toBe('200');
    await ada.call(signOut, {});
    expect(await outcome(streets, null, { cookie: adas })).toBe('401 UNAUTHENTICATED');
  });
});
