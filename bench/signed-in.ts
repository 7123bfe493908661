import type { Portico } from './portico.ts';
import { operator } from './portico.ts';

/** A browser that has signed in, reduced to what signing in needs. */
export type Browser = {
  /** A fresh access token (SES-2). */
  accessToken(): Promise<string>;
  /** The value of the browser's `Cookie` header. */
  cookieHeader(): string;
  /** The name of the session's cookie. */
  cookieName(): string;
};

const signInPage = /^\/idp\/sign-in\/[^/]+$/;

/** Signs the operator in at the embedded provider, by the same calls that a browser makes. */
export async function signIn(portico: Portico): Promise<Browser> {
  const { PUBLIC_URL: origin = '' } = portico.environment;
  const base = new URL(origin).pathname.replace(/\/$/, '');
  const belowBase = (address: string): string => {
    const { pathname, search } = new URL(address, origin);
    return pathname.slice(base.length) + search;
  };
  const cookies = new Map<string, string>();

  async function ask(
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> {
    const response = await fetch(portico.url + path, {
      ...init,
      redirect: 'manual',
      headers: {
        ...init.headers,
        host: new URL(origin).host,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects up to the sign-in page, or to the application. */
  async function follow(start: string): Promise<string> {
    for (let path = start, hops = 0; hops < 20; hops += 1) {
      const response = await ask(path);
      const next = response.headers.get('location');
      await response.arrayBuffer();
      if (next === null) throw new Error(`The sign-in ended at ${path} with ${response.status}.`);
      path = belowBase(next);
      if (path === '/' || path === '/console' || signInPage.test(path)) return path;
    }
    throw new Error('The sign-in leads in circles.');
  }

  const page = await follow('/auth/login');
  const answer = await ask(page, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(operator),
  });
  if (!answer.ok) throw new Error(`The sign-in was refused: ${answer.status} ${await answer.text()}`);
  const { next } = (await answer.json()) as { next: string };
  await follow(belowBase(next));

  return {
    cookieHeader: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    cookieName() {
      const name = [...cookies.keys()].find((each) => each.startsWith('portico_session_'));
      if (name === undefined) throw new Error(`None of ${[...cookies.keys()].join(', ')} is a session's.`);
      return name;
    },
    async accessToken() {
      const response = await ask('/auth/token', { method: 'POST', headers: { 'x-portico': '1' } });
      if (!response.ok) throw new Error(`No access token: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { accessToken: string }).accessToken;
    },
  };
}
