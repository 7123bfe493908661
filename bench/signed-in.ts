import type { Portico } from './portico.ts';
import { operator } from './portico.ts';

/** A browser that has signed in, as far as signing in needs one. */
export type Browser = {
  /** A fresh access token (SES-2). */
  accessToken(): Promise<string>;
  /** The name of the session's cookie. */
  cookieName(): string;
};

const signInPage = /^\/idp\/sign-in\/[^/]+$/;

/** Signs the operator in at the embedded provider, by the same calls that a browser makes. */
export async function signIn(portico: Portico): Promise<Browser> {
  const { PUBLIC_URL: origin = '' } = portico.environment;
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
      const { pathname, search } = new URL(next, origin);
      path = pathname + search;
      if (pathname === '/' || signInPage.test(pathname)) return path;
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
  const { pathname, search } = new URL(next, origin);
  await follow(pathname + search);

  return {
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
