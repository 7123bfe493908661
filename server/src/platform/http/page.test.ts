import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import type { Boot } from '#contract/boot.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import { route } from '#contract/route.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { createPages, escapeHtml, languageOf, type PageOptions, type PageRendering } from './page.ts';

const html = `<!doctype html>
<html lang="en">
<head><script nonce="__NONCE__" src="/assets/a.js"></script><style nonce="__NONCE__"></style>
<script type="application/json" id="boot" nonce="__NONCE__">{}</script></head>
<body><!--notice--><p title="__NOTICE__">__NOTICE__</p><!--/notice--><!--expected-end--><time>__EXPECTED_END__</time><!--/expected-end--></body>
</html>`;

const boot: Boot = {
  branding: { product: 'Portico', mark: null, panel: 'drawing', contact: null, statusUrl: null },
  passwordMail: false,
  registration: false,
  passkeys: false,
  outsideProvider: null,
  production: true,
  geoserverBase: '',
  geoserverDevelopUrl: null,
  localFlags: [],
  flags: { host: '', clientKey: 'key', kind: 'personal' },
  maintenance: openStatus,
  serverTime: 1,
  eventId: '1',
  language: 'en',
  release: '1',
  faults: null,
};

const page = route({
  method: 'GET',
  path: '/page',
  summary: 'A page',
  access: 'public',
  answer: { raw: 'text/html' },
});

/** A built web of this one page. */
function folderOf(content: string): string {
  const webDir = mkdtempSync(join(tmpdir(), 'portico-web-'));
  afterThisTest(() => rmSync(webDir, { recursive: true }));
  writeFileSync(join(webDir, 'index.html'), content);
  return webDir;
}

/** A server whose one page is rendered so. */
async function serving(
  rendering: PageRendering & { boot?: Partial<Boot> } = {},
  options: Partial<PageOptions> = {},
) {
  const webDir = folderOf(html);
  const write = (content: string) => writeFileSync(join(webDir, 'index.html'), content);
  const pages = createPages({ webDir, connectTo: [], reload: false, ...options });
  const { boot: different, ...rest } = rendering;
  const at = await startTestServer((serve) => {
    serve(page, ({ reply }) => void pages.send(reply, 'index', { ...boot, ...different }, rest));
  });
  const get = async () => {
    const response = await fetch(`${at.url}/page`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { get, write };
}

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? '';

/** The boot block as a browser reads it: up to the first end tag. */
function bootOf(text: string): unknown {
  const [, block = ''] = /<script type="application\/json" id="boot"[^>]*>(.*?)<\/script>/s.exec(text) ?? [];
  return JSON.parse(block);
}

describe('a page', () => {
  it('API-2: carries a nonce of its own, the same in its policy and its scripts', async () => {
    const { get } = await serving();
    const seen = new Set<string>();
    for (let visit = 0; visit < 20; visit += 1) {
      const { headers, text } = await get();
      const nonce = nonceOf(headers.get('content-security-policy'));
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
      expect(text.match(/nonce="([^"]*)"/g)).toEqual(Array.from({ length: 3 }, () => `nonce="${nonce}"`));
      seen.add(nonce);
    }
    expect(seen.size).toBe(20);
  });

  it('API-2: has a strict policy, open only to the hosts of the configuration', async () => {
    const { get } = await serving({}, { connectTo: ['https://flags.example', 'https://geo.example'] });
    const { headers } = await get();
    const policy = headers.get('content-security-policy') ?? '';
    const directives = Object.fromEntries(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources];
      }),
    );
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('*');
    expect(directives).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'", expect.stringMatching(/^'nonce-/)],
      'style-src': ["'self'", expect.stringMatching(/^'nonce-/)],
      'img-src': ["'self'", 'blob:', 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'", 'https://flags.example', 'https://geo.example'],
      'form-action': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    expect(headers.get('permissions-policy')).toContain('display-capture=(self)');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each([
    '</script><script>alert(1)</script>',
    '<!--<script>',
    ']]>',
    '\u2028\u2029',
    '"\\"',
    '$& $1 $`',
    '__NONCE__',
  ])('MAINT-2: brings its boot block whole, whatever is in it: %j', async (text) => {
    const maintenance = { ...boot.maintenance, text };
    const { get } = await serving({ boot: { maintenance, localFlags: [text] } });
    const answer = await get();
    expect(bootOf(answer.text)).toEqual({ ...boot, maintenance, localFlags: [text] });
    expect(answer.text).not.toContain('<script>alert');
    expect(answer.text).not.toContain('<!--<');
  });

  it.each([
    [
      { text: 'a_b@example.org', href: 'mailto:a_b@example.org' },
      '<a href="mailto:a&#95;b@example.org">a&#95;b@example.org</a>',
    ],
    [{ text: 'Room <1>', href: null }, 'Room &lt;1&gt;'],
    [null, null],
  ])('CON-1: says whom to ask: %j', async (contact, shown) => {
    const help =
      '<!--contact--><p>Ask <a href="__CONTACT_HREF__">__CONTACT__</a></p><!--/contact-->' +
      '<!--status-page--><a href="__STATUS_URL__">State</a><!--/status-page-->';
    const statusUrl = shown === null ? null : 'https://status.example.org/?a=1&b=2';
    const look = { product: 'P', mark: null, css: null, panel: 'accent', contact, statusUrl } as const;
    const pages = createPages({
      webDir: folderOf(html.replace('</body>', `${help}</body>`)),
      connectTo: [],
      reload: false,
      look: () => look,
    });
    const { html: sent } = pages.render('index', boot, { slots: { notice: null, 'expected-end': null } });
    expect(sent.slice(sent.indexOf('<body>'))).toBe(
      shown === null
        ? '<body></body>\n</html>'
        : `<body><p>Ask ${shown}</p><a href="https://status.example.org/?a=1&amp;b=2">State</a></body>\n</html>`,
    );
  });

  it('MAINT-2: brings any boot block whole', async () => {
    let text = '';
    const pages = createPages({ webDir: folderOf(html), connectTo: [], reload: false });
    const at = await startTestServer((serve) => {
      serve(page, ({ reply }) => void pages.send(reply, 'index', { ...boot, release: text }));
    });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 50 }), async (any) => {
        text = any;
        const answer = await (await fetch(`${at.url}/page`)).text();
        expect(bootOf(answer)).toEqual({ ...boot, release: any });
      }),
      { numRuns: 50 },
    );
  });

  it('MAINT-3: shows the texts of its slots as texts, and leaves out those without one', async () => {
    const notice = `<img src=x onerror=alert(1)> & "quoted" 'text' __NONCE__ __EXPECTED_END__ $&`;
    const { get } = await serving({
      status: 503,
      headers: { 'retry-after': '60' },
      slots: { notice, 'expected-end': null },
    });
    const { status, headers, text } = await get();
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    const shown =
      '&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; &#39;text&#39; __NONCE__ __EXPECTED_END__ $&amp;';
    expect(text).toContain(`<body><p title="${shown}">${shown}</p></body>`);
    expect(text).not.toContain('<time>');
  });

  it('LOOK-3: declares its language', async () => {
    const { get } = await serving({ boot: { language: 'de' } });
    const { headers, text } = await get();
    expect(text).toContain('<html lang="de">');
    expect(headers.get('vary')).toBe('accept-language');
  });

  it('START-3: is read again for each visit while developing, and once otherwise', async () => {
    for (const reload of [true, false]) {
      const { get, write } = await serving({}, { reload });
      await get();
      write(html.replace('<body>', '<body><h1>new</h1>'));
      expect((await get()).text.includes('<h1>new</h1>')).toBe(reload);
    }
  });
});

describe('text in HTML', () => {
  it('API-2: never opens a tag, an entity or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
        const back = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" } as Record<
          string,
          string
        >;
        expect(escaped.replaceAll(/&[^;]+;/g, (entity) => back[entity] ?? '')).toBe(text);
      }),
    );
  });
});

describe('the language of a request', () => {
  const languageFor = (accept: string | undefined) =>
    languageOf({ headers: accept === undefined ? {} : { 'accept-language': accept } });

  it.each<[accept: string | undefined, language: string]>([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['it, es', 'en'],
    ['de', 'de'],
    ['DE-ch', 'de'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['en;q=0.5, de;q=0.9', 'de'],
    ['it, de;q=0.1, fr;q=0.2', 'fr'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['de ; q=0.3 , en ; q=0.2', 'de'],
    ['de;q=oops, fr;q=0.9', 'de'],
    ['defrost', 'en'],
  ])('LOOK-3: of %j is %s', (accept, language) => {
    expect(languageFor(accept)).toBe(language);
  });

  it('LOOK-3: is one of ours for anything, and the one of ours that is named alone', () => {
    const others = fc.array(fc.constantFrom('it', 'es-MX;q=0.9', '*;q=0.1', ';;', 'x;q=', 'pt-BR'), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.string(), (any) => {
        expect(['en', 'de', 'fr']).toContain(languageFor(any));
      }),
    );
    fc.assert(
      fc.property(
        others,
        others,
        fc.constantFrom('en', 'de', 'fr'),
        fc.integer({ min: 1, max: 1000 }),
        (before, after, own, q) => {
          expect(languageFor([...before, `${own};q=${q / 1000}`, ...after].join(','))).toBe(own);
        },
      ),
    );
  });
});
