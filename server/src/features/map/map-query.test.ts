import { describe, expect, it } from 'vitest';
import { readApiParameters, readAsked, readParameters, writeParameters, type Asked } from './map-query.ts';

const map =
  'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a&BBOX=0,0,1,1&CRS=EPSG:3857&WIDTH=256&HEIGHT=256';

function asked(query: string, service: Asked['service'] | null = null) {
  const parameters = readParameters(query);
  return 'refused' in parameters ? parameters : readAsked(parameters, service);
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
    ['control characters', `${map}&TIME=1%0d%0aX-Evil:1`],
    ['what is not encoded as it should be', `${map}&STYLES=%zz`],
    ['a style of the caller', `${map}&SLD=http://other.example.org/x.sld`],
    ['a style in the request', `${map}&sld_body=%3CStyledLayerDescriptor/%3E`],
    ['parameters of SQL views', `${map}&viewparams=a:1`],
    ['a filter in XML', `${map}&FILTER=%3CFilter/%3E`],
    ['features by id, of whichever layer', `${map}&featureid=secret.1`],
    ['another server', `${map}&REMOTE_OWS_TYPE=WFS&REMOTE_OWS_URL=http://other.example.org/`],
    ["MapServer's file", `${map}&map=/etc/passwd`],
    ['a filter that reads another layer', `${map}&CQL_FILTER=x=querySingle('secret','y','1=1')`],
    ['a larger picture', map.replace('WIDTH=256', 'WIDTH=40960')],
    ['a projection from elsewhere', map.replace('EPSG:3857', 'http://other.example.org/x')],
    ['a page', `${map}&FORMAT=text/html`],
    ['a script', 'SERVICE=WFS&REQUEST=GetFeature&TYPENAMES=a&OUTPUTFORMAT=text/javascript'],
    ['no layer', 'SERVICE=WMS&REQUEST=GetMap'],
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
    expect(read('limit=10&x=1')).toEqual({
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
