import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkError } from './mark-error.ts';
import { readSvgMark } from './svg-mark.ts';

const svg = (inside: string, head = '') =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">${inside}</svg>`;

function outcome(text: string | Uint8Array): string {
  try {
    return readSvgMark(typeof text === 'string' ? Buffer.from(text) : text);
  } catch (error) {
    if (error instanceof MarkError) return error.mistake;
    throw error;
  }
}

/** Each drawn twice by the next: a billion in thirty lines. */
const billion = Array.from(
  { length: 30 },
  (_line, n) => `<g id="g${n + 1}"><use href="#g${n}"/><use href="#g${n}"/></g>`,
).join('');

const hostile: [mistake: string, text: string][] = [
  ['script', svg('<script>alert(1)</script>')],
  ['script', svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>')],
  ['script', svg('<metadata><script>alert(1)</script></metadata>')],
  ['script', svg('<path d="M0 0" onload="alert(1)"/>')],
  ['script', svg('<path d="M0 0" ONCLICK="alert(1)"/>')],
  ['script', svg('<sodipodi:x onload="alert(1)"/>')],
  ['script', svg('<animate attributeName="href" to="javascript:alert(1)"/>')],
  ['script', svg('<set attributeName="onload" to="alert(1)"/>')],
  ['element', svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
  ['element', svg('<a href="https://example.org"><path d="M0 0"/></a>')],
  ['element', svg('<image href="https://example.org/a.png"/>')],
  ['element', svg('<iframe src="https://example.org"/>')],
  ['element', svg('<filter id="f"><feImage href="https://example.org"/></filter>')],
  ['external', svg('<use href="https://example.org/a.svg#b"/>')],
  ['external', svg('<use xlink:href="data:image/svg+xml;base64,AAAA#b"/>')],
  ['external', svg('<use href="javascript:alert(1)"/>')],
  ['external', svg('<path fill="url(https://example.org/a.svg#b)"/>')],
  ['external', svg('<path style="fill:u\\72l(https://example.org)"/>')],
  ['external', svg('<path style="background:image-set(&quot;https://example.org&quot; 1x)"/>')],
  ['external', svg('<style>@import "https://example.org/a.css";</style>')],
  ['external', svg('<style>@font-face{src:url(https://example.org)}</style>')],
  ['external', svg('<style>path{fill:url(//example.org)}</style>')],
  ['external', svg('', '<?xml-stylesheet href="https://example.org/a.css"?>')],
  ['entities', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`],
  ['entities', svg('<text>&nbsp;</text>')],
  ['entities', svg('<text>&#0;</text>')],
  ['too-complex', svg(`<path id="g0"/>${billion}<use href="#g30"/>`)],
  ['too-complex', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')],
  ['too-complex', svg('<pattern id="p"><path fill="url(#p)"/></pattern>')],
  ['too-complex', svg('<pattern id="p"><path/></pattern><style>path{fill:url(#p)}</style>')],
  ['too-complex', svg('<g>'.repeat(100) + '</g>'.repeat(100))],
  ['too-complex', svg('<path/>'.repeat(3_000))],
  ['broken', svg('<path d="M0 0"')],
  ['broken', svg('<g></path>')],
  ['broken', svg('<path d="a" d="b"/>')],
  ['broken', svg('<path id="a"/><path id="a"/>')],
  ['broken', svg('<style><![CDATA[</style><script>alert(1)</script>]]></style>')],
  ['broken', svg('<style><g/></style>')],
  ['broken', '<svg/><svg/>'],
  ['broken', 'text<svg/>'],
  ['broken', ''],
  ['broken', svg('<text>\u0001</text>')],
  ['type', '<html><body/></html>'],
  ['type', '<svg xmlns="http://www.w3.org/1999/xhtml"/>'],
];

describe('an SVG as the mark', () => {
  it.each(hostile)('CON-1: is refused: %s %s', (mistake, text) => {
    expect(outcome(text)).toBe(mistake);
  });

  it('CON-1: is written anew from what is drawn, without what editors leave behind', () => {
    const drawing = svg(
      '<!-- made by an editor --><metadata><rdf:RDF><cc:Work/></rdf:RDF></metadata><title>Mark</title>' +
        '<sodipodi:namedview id="v" pagecolor="#fff"/><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/>' +
        '</linearGradient></defs><style><![CDATA[.b{fill:url(#a)}@media (prefers-color-scheme:dark){.b{fill:#fff}}]]></style>' +
        '<g inkscape:label="x" data-name="y"><path class="b" d="M0 0h8"/><use xlink:href="#c"/><path id="c" d="M1 &#49;"/></g>',
      '\uFEFF<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd">\n',
    );
    expect(outcome(drawing)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><defs><linearGradient id="a">' +
        '<stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
        '<style>.b{fill:url(#a)}@media (prefers-color-scheme:dark){.b{fill:#fff}}</style>' +
        '<g><path class="b" d="M0 0h8"/><use href="#c"/><path id="c" d="M1 1"/></g></svg>',
    );
  });

  it('CON-1: what was read once is read again as it is', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      "'",
      '&lt;',
      '&',
      '=',
      ' ',
      'g',
      'path',
      'on',
      'id',
      'style',
      'svg',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      'url(#a)',
      '#',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const first = outcome(svg(pieces.join('')));
        fc.pre(first.startsWith('<'));
        expect(outcome(first)).toBe(first);
      }),
      { numRuns: 500 },
    );
  });

  it('CON-1: a large one is judged in time that grows with its length alone', () => {
    const many = [
      svg('<path d="' + 'M0 0 '.repeat(50_000) + '"/>'),
      svg('<'.repeat(250_000)),
      svg('&'.repeat(250_000)),
      svg(`<path${' '.repeat(250_000)}`),
      svg(`<style>${'url('.repeat(60_000)}</style>`),
      svg('<!--'.repeat(60_000)),
    ];
    // Work that grew with the square of the length would take minutes.
    expect(many.map((text) => outcome(text).slice(0, 8))).toEqual([
      '<svg xml',
      'broken',
      'entities',
      'broken',
      'external',
      'broken',
    ]);
  });

  it('CON-1: bytes that are no UTF-8 are refused', () => {
    expect(outcome(Buffer.from([0x3c, 0x73, 0xff, 0xfe]))).toBe('broken');
  });
});
