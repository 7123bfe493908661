import { describe, expect, it } from 'vitest';
import { readMapPath } from './map-paths.ts';

describe('MAP-2: the paths of the map server', () => {
  it.each([
    ['/wms', { is: 'service', service: 'wms', workspace: null, layer: null }],
    ['/ows', { is: 'service', service: null, workspace: null, layer: null }],
    ['/topp/wfs', { is: 'service', service: 'wfs', workspace: 'topp', layer: null }],
    ['/topp/states/wms', { is: 'service', service: 'wms', workspace: 'topp', layer: 'states' }],
    ['/gwc/service/wmts', { is: 'service', service: 'wmts', workspace: null, layer: null }],
    ['/topp/gwc/service/wms', { is: 'service', service: 'wms', workspace: 'topp', layer: null }],
    [
      '/gwc/service/wmts/rest/topp:states/EPSG:900913/EPSG:900913:3/2/1',
      { is: 'tile', asks: 'picture', layer: 'topp:states' },
    ],
    [
      '/topp/gwc/service/wmts/rest/states/polygon/EPSG:900913/EPSG:900913:3/2/1/17/255',
      { is: 'tile', asks: 'info', layer: 'states', workspace: 'topp' },
    ],
    ['/gwc/service/tms/1.0.0/topp:states@EPSG:900913@png/3/2/1.png', { is: 'tile', layer: 'topp:states' }],
    ['/ogc/features/v1/collections', { is: 'api', asks: 'collections', layer: null, workspace: null }],
    [
      '/topp/ogc/features/v1/collections/states/items',
      { is: 'api', asks: 'items', layer: 'states', workspace: 'topp' },
    ],
    ['/ogc/features/v1/collections/topp:states/items/1', { is: 'api', asks: 'items', layer: 'topp:states' }],
    ['/ogc/tiles/v1/collections/topp:states/styles/x/map/tiles/w/1/2/3', { is: 'api', asks: 'tile' }],
  ])('reads %s', (path, expected) => {
    expect(readMapPath(path)).toMatchObject({ ...expected, path });
  });

  it('writes what was encoded in one way alone', () => {
    expect(readMapPath('/%74opp/w%6Ds')?.path).toBe('/topp/wms');
    expect(readMapPath('/st%C3%A4dte/wms')?.path).toBe('/st%C3%A4dte/wms');
  });

  it.each([
    '/',
    '',
    '/wms/',
    '//wms',
    '/web/',
    '/rest/workspaces',
    '/wcs',
    '/wps',
    '/topp/../rest/wms',
    '/topp/%2e%2e/wms',
    '/topp/%2E%2E%2Frest/wms',
    '/topp%2fstates/wms',
    '/topp%5cstates/wms',
    '/topp/..%2f..%2frest/wms',
    '/topp/%252e%252e/wms',
    '/topp;jsessionid=1/wms',
    '/%00/wms',
    '/%c0%ae%c0%ae/wms',
    '/%zz/wms',
    '/a\\b/wms',
    '/@other.example.org/x/y/wms',
    '/http://other.example.org/wms',
    '/gwc/wms',
    '/gwc/rest/reload/wms',
    '/gwc/service/wmts/rest/../../rest/a/b/c',
    '/gwc/service/wmts/rest/WMTSCapabilities.xml',
    // GeoWebCache finds the layer from the end of such a path.
    '/gwc/service/wmts/rest/open/service/wmts/rest/secret/tilejson/png',
    '/gwc/service/wmts/rest/open/service/wmts/rest/secret/x/tilejson/png',
    '/gwc/service/wmts/rest/open/x/tilejson/png',
    '/gwc/service/tms/1.0.0',
    '/gwc/service/tms/1.0.0/a+b@EPSG:900913@png/3/2/1.png',
    '/gwc/service/tms/1.0.0/a%2Bb@EPSG:900913@png/3/2/1.png',
    '/gwc/service/gmaps',
    '/gwc/service/kml/topp:states.png.kml',
    '/gwc/demo/topp:states',
    '/wms/reflect',
    '/wms/kml',
    '/wms/animate',
    '/ows/',
    '/topp/states/x/wms',
    '/pdf/print.pdf',
    '/styles/point.sld',
    '/www/index.html',
    '/j_spring_security_check',
    '/ogc/features',
    '/ogc/features/v1/functions',
    '/ogc/features/v1/openapi',
    '/ogc/features/v1/collections/a/search',
    '/ogc/coverages/v1/collections',
    '/a/b/ogc/features/v1/collections',
    '/ogc/features/v1/collections/a/b/c/d',
    '/ogc/maps/v1/map',
    `/${'a'.repeat(3_000)}/wms`,
  ])('has no %s', (path) => {
    expect(readMapPath(path)).toBeNull();
  });
});
