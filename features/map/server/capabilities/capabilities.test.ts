import { describe, expect, it } from 'vitest';
import { createCapabilitiesFilter } from './filter-capabilities.ts';
import { createCapabilitiesReader, OgcException } from './read-capabilities.ts';
import { UnreadableDocument } from './xml-reader.ts';

const wms = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE WMS_Capabilities [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<!-- made by a server -->
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
  <Service><Name>WMS</Name><Title>Maps &amp; more</Title></Service>
  <Capability>
    <Request><GetMap><Format>image/png</Format><DCPType><HTTP>
      <Get><OnlineResource xlink:href="http://geo:8080/geoserver/ows?SERVICE=WMS&amp;"/></Get>
      <Post><OnlineResource xlink:href="http://geo:8080/geoserver/ows"/></Post>
    </HTTP></DCPType></GetMap></Request>
    <Exception><Format>XML</Format></Exception>
    <Layer><Title>All</Title><CRS>EPSG:3857</CRS>
      <EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude>
        <southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>
      <Layer queryable="1"><Name>base</Name><Title>Base</Title>
        <Layer queryable="1"><Name>ws:open</Name><Title>Städte</Title>
          <Dimension name="time" units="ISO8601" default="2020">2020,
            2021</Dimension>
          <Style><Name>s</Name><Title>S</Title><LegendURL><OnlineResource xlink:href="http://geo:8080/geoserver/wms?request=GetLegendGraphic"/></LegendURL></Style>
        </Layer>
        <Layer><Name>ws:secret</Name><Title>Hidden words</Title><Attribution><Title>x</Title></Attribution></Layer>
      </Layer>
      <Layer><Title>Empty heading</Title><Layer><Name>ws:secret2</Name></Layer></Layer>
      <Layer><Name>ws:metered</Name><Title>M</Title><MetadataURL><OnlineResource xlink:href="https://other.example.org/geoserver2/x"/></MetadataURL></Layer>
    </Layer>
  </Capability>
</WMS_Capabilities>`;

function read(document: string, size = 7) {
  const reader = createCapabilitiesReader('wms', 'text/xml');
  const bytes = Buffer.from(document);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return reader.result();
}

function filtered(document: string, secret: readonly string[], size = 11): string {
  const filter = createCapabilitiesFilter({
    service: 'wms',
    contentType: 'text/xml',
    visible: (name) =>
      name === 'base' && secret.length > 0 ? 'parts' : secret.includes(name) ? 'none' : 'whole',
    address: (url) => url.replace('http://geo:8080/geoserver', 'https://portico.example.org/geoserver'),
  });
  const bytes = Buffer.from(document);
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += filter.push(bytes.subarray(at, at + size));
  return text + filter.end();
}

describe('capabilities of a map server', () => {
  it('MAP-1: are read in small parts, with what layers inherit and groups hold', () => {
    const { title, layers, projections, formats } = read(wms);
    expect(title).toBe('Maps & more');
    expect(projections).toEqual(['EPSG:3857']);
    expect(formats).toEqual(['image/png']);
    expect(layers.map(({ name, holds, groups }) => [name, holds, groups])).toEqual([
      ['ws:open', [], ['Base']],
      ['ws:secret', [], ['Base']],
      ['base', ['ws:open', 'ws:secret'], []],
      ['ws:secret2', [], ['Empty heading']],
      ['ws:metered', [], []],
    ]);
    expect(layers[0]).toMatchObject({
      title: 'Städte',
      queryable: true,
      bounds: [-180, -90, 180, 90],
      time: { values: '2020,2021', default: '2020' },
      styles: [{ name: 's', title: 'S', hasLegend: true }],
    });
  });

  it('MAP-2: are rewritten without what the person may not see, with addresses that lead to the guard', () => {
    const text = filtered(wms, ['ws:secret', 'ws:secret2']);
    expect(text).not.toMatch(/secret|Hidden words|Empty heading|geo:8080|<Post|DOCTYPE|made by|<Name>base/);
    expect(text).toContain('https://portico.example.org/geoserver/ows?SERVICE=WMS&amp;');
    expect(text).toContain('https://other.example.org/geoserver2/x');
    expect(text).toContain('<Title>Base</Title>');
    expect(read(text).layers.map(({ name }) => name)).toEqual(['ws:open', 'ws:metered']);
  });

  it('MAP-2: keep the outermost layer where a person may see none', () => {
    const text = filtered(wms, ['ws:open', 'ws:secret', 'ws:secret2', 'ws:metered']);
    expect(read(text).layers).toEqual([]);
    expect(text).toContain('<Title>All</Title>');
  });

  it('MAP-2: hold nothing of a layer that is left out', () => {
    const long = wms.replace('Hidden words', 'x'.repeat(1_100_000));
    expect(filtered(long, ['ws:secret'], 65_536)).not.toContain('xxx');
  });

  it('MAP-2: have headings as long as a layer may be described, of whatever many parts', () => {
    const projections = '<CRS>A:1</CRS>'.repeat(70_000);
    const long = wms.replace('<CRS>EPSG:3857</CRS>', projections);
    expect(filtered(long, [], 65_536)).toContain(projections);
  });

  it('MAP-2: say why there are none', () => {
    const exception =
      '<ServiceExceptionReport><ServiceException code="X">no\nway</ServiceException></ServiceExceptionReport>';
    expect(() => read(exception)).toThrow(OgcException);
  });

  it.each([
    ['a page', '<html><body/></html>'],
    ['what breaks off', wms.slice(0, 900)],
    ['what is no XML', '{"a":1}'],
    ['entities of its own', wms.replace('Hidden words', '&x;')],
    ['entities of HTML', wms.replace('Hidden words', '&eacute;')],
    ['an attribute that hides a function of the parser', '<WMS_Capabilities hasOwnProperty="" version=""/>'],
    ['too deep', `<WMS_Capabilities>${'<a>'.repeat(100)}`],
  ])('MAP-2: are not read from %s', (_what, document) => {
    expect(() => read(document)).toThrow(UnreadableDocument);
  });

  it('MAP-2: of twenty thousand layers are read and filtered in parts that block for a few milliseconds', () => {
    const layer = (n: number) =>
      `<Layer queryable="1"><Name>ws:l${n}</Name><Title>Layer ${n}</Title><Abstract>${'x'.repeat(300)}</Abstract></Layer>`;
    const many = Array.from({ length: 20_000 }, (_, n) => layer(n)).join('');
    const document = `<WMS_Capabilities><Capability><Layer><Title>All</Title>${many}</Layer></Capability></WMS_Capabilities>`;
    expect(read(document, 65_536).layers).toHaveLength(20_000);
    const seen = filtered(
      document,
      Array.from({ length: 19_999 }, (_, n) => `ws:l${n}`),
      65_536,
    );
    expect(read(seen).layers.map(({ name }) => name)).toEqual(['ws:l19999']);
    expect(() =>
      read(document.replace('</Layer></Capability>', `${layer(20_000)}</Layer></Capability>`), 65_536),
    ).toThrow('too many layers');
  });
});
