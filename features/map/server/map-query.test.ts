import { describe, expect, it } from 'vitest';
import {
  readApiParameters,
  readMapRequest,
  readParameters,
  readTileParameters,
  writeParameters,
  type MapRequest,
} from './map-query.ts';

const map =
  'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a&BBOX=0,0,1,1&CRS=EPSG:3857&WIDTH=256&HEIGHT=256';

function asked(query: string, service: MapRequest['service'] | null = null) {
  const parameters = readParameters(query);
  return 'refused' in parameters ? parameters : readMapRequest(parameters, service);
}

function sent(query: string): string {
  const found = asked(query);
  return 'refused' in found ? `refused: ${found.refused}` : writeParameters(found.parameters);
}

describe('MAP-2: the parameters that reach the map server', () => {
  it('are in one spelling, each once, and nothing that is not known', () => {
    expect(sent('service=wms&version=1.3.0&request=getmap&Layers=a%2Cb&styles=&width=9&_=17&foo=bar')).toBe(
      'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a%2Cb&STYLES=&WIDTH=9',
    );
  });

  it('name every layer of a list, in each parameter that has one', () => {
    expect(
      asked('SERVICE=WMS&REQUEST=GetFeatureInfo&LAYERS=open&QUERY_LAYERS=open,%73ecret+one&I=1&J=1'),
    ).toMatchObject({ names: ['open', 'secret one'], asks: 'info' });
    expect(asked('SERVICE=WFS&REQUEST=GetFeature&TYPENAMES=a&typename=b')).toMatchObject({
      names: ['b', 'a'],
    });
  });

  it.each([
    ['a name in another case again', `${map}&layers=secret`],
    ['a name that is encoded', `${map}&%4cAYERS=secret`],
    ['SERVICE twice', `${map}&service=WFS`],
    ['control characters in what may be anything', map.replace('LAYERS=a', 'LAYERS=a&STYLES=a%0d%0ab')],
    ['a zero', `${map}&STYLES=a%00b`],
    ['control characters in a name', `${map}&a%0ab=1`],
    ['control characters', `${map}&TIME=1%0d%0aX-Evil:1`],
    ['what is not encoded as it should be', `${map}&STYLES=%zz`],
    ['a style of the caller', `${map}&SLD=http://other.example.org/x.sld`],
    ['a style in the request', `${map}&sld_body=%3CStyledLayerDescriptor/%3E`],
    ['parameters of SQL views', `${map}&viewparams=a:1`],
    ['a filter in XML', `${map}&FILTER=%3CFilter/%3E`],
    ['features by id, of whichever layer', `${map}&featureid=secret.1`],
    ['values for variables in a style', `${map}&env=host:x`],
    ['a shape to cut with', `${map}&clip=srid=3857;POLYGON((0 0,1 1,1 0,0 0))`],
    ['a key of another account', `${map}&authkey=1`],
    ['prefixes of other workspaces', `${map}&namespaces=xmlns(open,http://secret.example.org)`],
    ['a layout of the server', `${map}&FORMAT_OPTIONS=layout:legend`],
    ['JSON that is run', `${map}&FORMAT_OPTIONS=callback:alert`],
    ['another server', `${map}&REMOTE_OWS_TYPE=WFS&REMOTE_OWS_URL=http://other.example.org/`],
    ["MapServer's file", `${map}&map=/etc/passwd`],
    ['a filter that reads another layer', `${map}&CQL_FILTER=x=querySingle('secret','y','1=1')`],
    ['a larger picture', map.replace('WIDTH=256', 'WIDTH=40960')],
    ['a projection from elsewhere', map.replace('EPSG:3857', 'http://other.example.org/x')],
    ['a page', `${map}&FORMAT=text/html`],
    ['a script', 'SERVICE=WFS&REQUEST=GetFeature&TYPENAMES=a&OUTPUTFORMAT=text/javascript'],
    ['no layer', 'SERVICE=WMS&REQUEST=GetMap'],
    ['no layer, and a style that draws several (GeoServer)', map.replace('LAYERS=a', 'LAYERS=')],
    ['an empty name in a list', map.replace('LAYERS=a', 'LAYERS=a,,b')],
    ['a join', 'SERVICE=WFS&VERSION=2.0.0&REQUEST=GetFeature&TYPENAMES=(a,b)'],
    ['a stored query', 'SERVICE=WFS&REQUEST=GetFeature&STOREDQUERY_ID=urn:x&ID=secret.1'],
    ['a transaction', 'SERVICE=WFS&REQUEST=Transaction'],
    ['styles of layers', 'SERVICE=WMS&REQUEST=GetStyles&LAYERS=a'],
    ['another service', 'SERVICE=WPS&REQUEST=Execute'],
    ['a request that every object has', 'SERVICE=WMS&REQUEST=constructor'],
    ['a service that every object has', 'SERVICE=__proto__&REQUEST=GetMap'],
    ['too many layers', map.replace('LAYERS=a', `LAYERS=${Array.from({ length: 101 }, (_, n) => n).join()}`)],
    ['too long an address', `${map}&STYLES=${'a'.repeat(16_000)}`],
  ])('refuse %s', (_what, query) => {
    expect(asked(query)).toHaveProperty('refused');
  });

  it('of GeoServer are those that draw the layer and nothing else', () => {
    const vendor = '&ANGLE=20&BUFFER=8&TILED=true&TILESORIGIN=0,0&INTERPOLATIONS=nearest%20neighbor';
    expect(sent(`${map}${vendor}&FORMAT_OPTIONS=dpi%3A180`)).toContain('&FORMAT_OPTIONS=dpi%3A180');
    const others =
      '&palette=safe&sortBy=a&startIndex=1&maxFeatures=1&scaleMethod=accurate&EXCEPTIONS=x&filename=a.html';
    expect(sent(`${map}${vendor}${others}`)).toBe(sent(`${map}${vendor}`));
    expect(sent(`${map}${vendor}`)).toContain(
      '&ANGLE=20&BUFFER=8&TILED=true&TILESORIGIN=0%2C0&INTERPOLATIONS=nearest%20neighbor',
    );
  });

  it('take the version that is known of those that are accepted', () => {
    expect(sent('SERVICE=WFS&REQUEST=GetCapabilities&ACCEPTVERSIONS=3.0.0,1.1.0,2.0.0')).toBe(
      'SERVICE=WFS&VERSION=1.1.0&REQUEST=GetCapabilities',
    );
    expect(asked('SERVICE=WFS&REQUEST=GetCapabilities&ACCEPTVERSIONS=3.0.0')).toHaveProperty('refused');
  });

  it('of a cached tile are its format, its time, and from where its rows count', () => {
    const read = (query: string) => {
      const parameters = readParameters(query);
      if ('refused' in parameters) return parameters.refused;
      const found = readTileParameters(parameters);
      return 'refused' in found ? found.refused : writeParameters(found.parameters);
    };
    expect(read('FORMAT=image/png&flipy=true&Time=2020&x=1')).toBe('format=image%2Fpng&flipY=true&time=2020');
    expect(read('format=text/html')).toMatch('FORMAT');
    expect(read('format=image/png&viewparams=a:1')).toMatch('VIEWPARAMS');
  });

  it('have to be of the service of the path', () => {
    expect(asked('SERVICE=WFS&REQUEST=GetCapabilities', 'wms')).toHaveProperty('refused');
    expect(asked('REQUEST=GetCapabilities', 'wms')).toMatchObject({ service: 'wms' });
  });

  it('take filters of plain comparisons', () => {
    const filter = "(name LIKE 'O''Brien (%' OR pop > 1e6) AND INTERSECTS(geom, POINT(1 -2)) AND id IN (1,2)";
    expect(sent(`${map}&CQL_FILTER=${encodeURIComponent(filter)}`)).toContain('CQL_FILTER=');
  });

  it.each([
    "\"queryCollection\"('a','b','c')",
    "collectGeometries(queryCollection ('a'))",
    "queryCollection/**/('a')",
    "'open",
    'a{b}',
  ])('refuse the filter %s', (filter) => {
    expect(asked(`${map}&CQL_FILTER=${encodeURIComponent(filter)}`)).toHaveProperty('refused');
  });

  it('of an OGC API are few, and ask for JSON', () => {
    const read = (query: string) => {
      const parameters = readParameters(query);
      return 'refused' in parameters ? parameters : readApiParameters(parameters, true);
    };
    expect(read('limit=10&x=1')).toMatchObject({
      parameters: [
        ['limit', '10'],
        ['f', 'json'],
      ],
    });
    expect(read('f=text/html')).toHaveProperty('refused');
    expect(read('collections=secret')).toHaveProperty('refused');
    expect(read('filter=querySingle(1)')).toHaveProperty('refused');
  });
});
