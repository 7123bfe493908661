import { submitSignIn } from '#features/identity-provider/contract/identity-provider.ts';
import type { Problem } from '#contract/problem.ts';
import { renewToken } from '#features/session/contract/session.ts';
import { callRoute, createCookieJar, fetchWith, type Answer, type CookieJar } from './client.ts';

/** A browser as far as signing in needs one: it stores cookies and follows redirects. */
export type Browser = {
  cookies: CookieJar;
  /**
   * Goes somewhere and on, until there is something to look at that is no part of a sign-in; answers its
   * path.
   */
  go(address: string): Promise<{ path: string; hops: string[] }>;
  /**
   * Goes to the sign-in and fills in the form, where there is one; answers where it ends, or the problem that
   * the form shows.
   */
  signIn(
    account: { email: string; password: string },
    returnTo?: string,
  ): Promise<{ path: string; problem: Problem | null }>;
  /** Sends the form of a sign-in page. */
  submit(
    page: string,
    account: { email: string; password: string },
    headers?: Record<string, string>,
  ): Promise<Answer<typeof submitSignIn>>;
  /** A fresh access token. */
  renew(headers?: Record<string, string>): Promise<Answer<typeof renewToken>>;
};

const signInPage = /^\/idp\/sign-in\/([^/?]+)(?:\?|$)/;

/**
 * @param url where the server listens, with the base path
 * @param publicUrl its public URL; every redirect must lead there
 */
export function openBrowser(
  url: string,
  cookies: CookieJar = createCookieJar(),
  publicUrl: string = url,
): Browser {
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/$/, '');
  const isSignInPage = (path: string): boolean => signInPage.test(path.slice(base.length));

  async function go(address: string): Promise<{ path: string; hops: string[] }> {
    const hops: string[] = [];
    for (let here = new URL(address, publicUrl); ;) {
      if (here.origin !== origin || !here.pathname.startsWith(base))
        throw new Error(`It leads to ${here.href}.`);
      const path = `${here.pathname}${here.search}`;
      hops.push(path);
      const below = path.slice(base.length);
      const passes = /^\/(auth|idp)\//.test(below) && !below.startsWith('/auth/failed');
      if ((!passes && hops.length > 1) || isSignInPage(path)) return { path, hops };
      const response = await fetchWith(cookies, new URL(path, url));
      const text = await response.text();
      const next = response.headers.get('location');
      if (next === null) throw new Error(`${path} answered ${response.status}: ${text}`);
      if (hops.length > 15) throw new Error(`A loop: ${hops.join(' → ')}`);
      here = new URL(next, here);
    }
  }

  async function submit(
    page: string,
    account: { email: string; password: string },
    headers: Record<string, string> = {},
  ): Promise<Answer<typeof submitSignIn>> {
    const uid = signInPage.exec(page.slice(base.length))?.[1] ?? '';
    const { email, password } = account;
    return callRoute(url, submitSignIn, { params: { uid }, body: { email, password } }, { cookies, headers });
  }

  return {
    cookies,
    go,
    submit,
    async signIn(account, returnTo) {
      const { path } = await go(
        `${base}/auth/login${returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`}`,
      );
      if (!isSignInPage(path)) return { path, problem: null };
      const answer = await submit(path, account);
      if (answer.problem !== null) return { path, problem: answer.problem };
      return { path: (await go(answer.body.next)).path, problem: null };
    },
    renew: (headers = {}) => callRoute(url, renewToken, {}, { cookies, headers }),
  };
}
