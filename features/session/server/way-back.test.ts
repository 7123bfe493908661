import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { onlyUpstream } from '#server/config-upstreams.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { sendRaw } from '#server/testing/raw-request.ts';

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
const long = `/reports?${'column=ü%20&'.repeat(400)}`;

/** What a browser's tab does with the script of a page: where it goes. */
function run(html: string, address: string, stored: Map<string, string>): string {
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
  const { origin, search, hash } = new URL(address);
  let to = '';
  const sessionStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  const location = { origin, search, hash, replace: (next: URL) => (to = next.href) };
  runInNewContext(script, { URL, URLSearchParams, sessionStorage, location });
  return to;
}

describe('SES-1: an address that fits into no cookie', () => {
  let app: TestApp;
  let origin: string;

  beforeAll(async () => {
    const there = { ...onlyUpstream(new URL('http://127.0.0.1:9')), name: 'there', host: 'shop.localhost' };
    app = await startApp({ engine: 'sqlite', config: { basePath: '/portico', upstreams: [there] } });
    ({ origin } = new URL(app.config.publicUrl));
    return () => app.stop();
  });

  const login = (returnTo: string) => `/portico/auth/login?returnTo=${encodeURIComponent(returnTo)}`;

  function open(path: string, host = new URL(origin).host, headers: Record<string, string> = page) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.join('')}\r\n`;
    return sendRaw(Number(new URL(app.url).port), head);
  }

  it.each(['localhost', 'shop.localhost'])(
    'SES-1: is stored by its tab and comes back, at %s',
    async (name) => {
      const host = new URL(origin).host.replace(/^[^:]+/, name);
      const here = `http://${host}`;
      const stored = new Map<string, string>();
      const storing = await open(login(long), host);
      expect(storing.status).toBe(200);
      expect(storing.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'sha256-/,
      );
      const next = new URL(run(storing.body, `${here}${login(long)}#row/7`, stored));
      expect([next.origin, next.pathname, next.hash]).toEqual([here, '/portico/auth/login', '']);
      const back = next.searchParams.get('returnTo') ?? '';
      expect(back).toMatch(/^\/portico\/auth\/way-back\?key=\w+$/);
      // That one goes on to the sign-in.
      expect((await open(`${next.pathname}${next.search}`, host)).status).toBe(303);
      const returned = await open(back, host);
      expect(run(returned.body, `${here}${back}`, stored)).toBe(new URL(`${long}#row/7`, here).href);
      // It is there once; without it, the way leads home.
      expect(run(returned.body, `${here}${back}`, stored)).toBe(
        name === 'localhost' ? `${here}/portico/` : `${here}/`,
      );
    },
  );

  it('SES-1: never leads to another origin, and nothing of an address becomes a script', async () => {
    for (const wanted of [`https://evil.example/${long}`, `//evil.example${long}`, `/.//evil.example${long}`])
      expect((await open(login(wanted))).status).toBe(303);
    const stored = new Map<string, string>();
    const odd = `/</script><script>alert(1)</script>"'${long}`;
    const { body } = await open(login(odd));
    expect(body.match(/<script>/g)).toHaveLength(1);
    run(body, `${origin}${login(odd)}`, stored);
    expect([...stored.values()]).toEqual([new URL(odd, origin).href.slice(origin.length)]);
    const returned = (await open('/portico/auth/way-back?key=x')).body;
    for (const planted of [
      'https://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      `blob:${origin}/1`,
    ])
      expect(
        run(returned, `${origin}/portico/auth/way-back?key=x`, new Map([['portico.way-back.x', planted]])),
      ).toBe(`${origin}/portico/`);
  });

  it('SES-1: a short one, and a program, get no page', async () => {
    expect((await open(login('/reports?x=1'))).status).toBe(303);
    expect((await open(login(long), undefined, {})).status).toBe(303);
  });
});
