import { changeLayer, checkMapServer } from '#features/map/contract/manage.ts';
import { listMapLayers } from '#features/map/contract/map.ts';
import { addRight } from '#features/permissions/contract/administration.ts';
import { setMapCookie } from '#features/session/contract/session.ts';
import { expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { fetchWith } from '#server/testing/client.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { startRealMapServer, withoutMapServer } from '#server/testing/mapserver.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { worldLayers } from '#server/testing/world-layers.ts';

const why = withoutMapServer === null ? '' : ` (skipped: ${withoutMapServer})`;

it.skipIf(withoutMapServer !== null)(
  `MAP-2: MapServer draws, lists, describes and finds what a person may see${why}`,
  async () => {
    const server = await startRealMapServer(worldLayers(new Date('2026-03-15T12:00:00Z')));
    afterThisTest(server.stop);
    const app = await startApp({
      engine: 'sqlite',
      config: { geoserver: { url: server.url, single: true } },
    });
    const operator = await signIn(app, { roles: ['operator'] });
    const member = await signIn(app, { roles: ['member'] });
    const right = { right: 'COUNTRIES', label: 'See the countries', description: '', area: 'Map' };
    await operator.call(addRight, { body: right });
    const titles = { en: '', de: '', fr: '' };
    const decided = { access: 'right', right: 'COUNTRIES', onAtFirst: false, titles, version: null } as const;
    await operator.call(changeLayer, { body: { name: 'countries', ...decided } });
    await member.call(setMapCookie, {});
    const ask = (query: string) =>
      fetchWith(member.browser.cookies, new URL(`${app.url}/geoserver/ows?${query}`));
    const drawing = 'STYLES=&CRS=EPSG:3857&BBOX=-2e7,-2e7,2e7,2e7&WIDTH=256&HEIGHT=256';
    const map = (layers: string, more = '') =>
      ask(`SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=${layers}&FORMAT=image/png&${drawing}${more}`);
    const bytes = async (answer: Promise<Response>) => Buffer.from(await (await answer).arrayBuffer());

    const { layers, server: state } = (await member.call(listMapLayers, {})).body;
    const open = ['land', 'borders', 'stations', 'visits'];
    expect([state, layers.map(({ name }) => name)]).toEqual(['ready', open]);
    expect(layers.at(-1)).toMatchObject({
      groups: ['Surveys'],
      time: { values: '2025-04/2026-03/P1M', default: '2026-03' },
      styles: [{ hasLegend: true }],
    });
    const { services } = (await operator.call(checkMapServer, {})).body;
    // The countries and the map as a whole are hidden from members, also where WFS lists them as `ms:countries`.
    expect(services.map(({ service, member }) => [service, member.listed - member.visible])).toEqual([
      ['wms', 2],
      ['wfs', 1],
      ['wmts', 0],
    ]);
    const picture = await map('land');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
    // The whole map and the same layer in other letters draw it too.
    for (const name of ['countries', 'Countries', 'world', 'land,COUNTRIES'])
      expect([name, (await map(name)).status]).toEqual([name, 403]);
    const [march, february] = [await bytes(map('visits')), await bytes(map('visits', '&TIME=2026-02'))];
    expect(february.equals(march)).toBe(false);
    expect(march.equals(await bytes(map('visits', '&TIME=2026-03')))).toBe(true);
    const legend = ask(
      'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetLegendGraphic&LAYER=visits&FORMAT=image/png&SLD_VERSION=1.1.0',
    );
    expect((await legend).headers.get('content-type')).toBe('image/png');
    const found = await ask(
      `SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&LAYERS=land&QUERY_LAYERS=land&INFO_FORMAT=application/json&I=150&J=120&${drawing}`,
    );
    expect([found.status, await found.json()]).toEqual([200, expect.objectContaining({ name: 'land' })]);
    for (const service of ['WMS', 'WFS']) {
      const capabilities = await (await ask(`SERVICE=${service}&REQUEST=GetCapabilities`)).text();
      expect(capabilities).toContain('land');
      expect(capabilities).toContain(`${app.url}/geoserver/`);
      expect(capabilities).not.toMatch(/countries|world\.map|cgi-bin/);
    }
    const features = (name: string) =>
      ask(`SERVICE=WFS&VERSION=2.0.0&REQUEST=GetFeature&TYPENAMES=${name}&COUNT=1`);
    expect(await (await features('ms:land')).text()).toContain('FeatureCollection');
    expect([(await features('ms:countries')).status, (await features('countries')).status]).toEqual([
      403, 403,
    ]);
    const form = (query: string) =>
      fetchWith(member.browser.cookies, new URL(`${app.url}/geoserver/ows`), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: query,
      });
    const posted = await form(
      `SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=visits&FORMAT=image/png&${drawing}&TIME=2026-02`,
    );
    expect(Buffer.from(await posted.arrayBuffer()).equals(february)).toBe(true);
    const query = 'SERVICE=WFS&VERSION=2.0.0&REQUEST=GetFeature&COUNT=1&TYPENAMES=';
    expect(await (await form(`${query}ms:land`)).text()).toContain('FeatureCollection');
    expect((await form(`${query}ms:countries`)).status).toBe(403);
    // MapServer says with the status 200 that it knows no such projection.
    const broken = await ask(
      'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=land&STYLES=&CRS=EPSG:999999&BBOX=0,0,1,1&WIDTH=9&HEIGHT=9&FORMAT=image/png',
    );
    expect([broken.status, await broken.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'MAP_SERVER_FAILED' }),
    ]);
  },
);
