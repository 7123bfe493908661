import type { OutsideProviderSettings } from '../config.ts';
import type { TestApp } from './app.ts';
import { openBrowser, type Browser } from './browser.ts';
import { startLastingProcess } from './child-process.ts';
import { createCookieJar, fetchWith, type CookieJar } from './client.ts';
import { afterThisTest } from './fresh-database.ts';

export type OutsideAccount = { claims: Record<string, unknown>; disabled?: boolean };

/** What is wrong with a token; a claim that is null is left out. */
export type ForgedToken = {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  signedWith?: 'own key' | 'another key' | 'the client secret' | 'nothing';
};

/** The switches of the provider. */
export type ProviderState = {
  /** Portico. */
  client: { id: string; secret: string; url: string } | null;
  /** By subject. */
  accounts: Record<string, OutsideAccount>;
  claimsIn: 'id_token' | 'userinfo';
  refreshTokens: boolean;
  /** Revokes tokens (RFC 7009), and announces that in its metadata. */
  revocation: boolean;
  /** Replaces the refresh token and breaks the connection before it has sent the new one. */
  loseTokenAnswer: boolean;
  /** Takes connections and does not answer on them. */
  silent: boolean;
  skewMs: number;
  /** What is done to each ID token. */
  forge: ForgedToken | null;
  /** What userinfo answers: JSON, a signed JWT, a signed JWT with these faults, or this response instead. */
  userInfo: 'json' | 'jwt' | ForgedToken | { status: number; type: string; body: string };
  /**
   * The public key of Portico, as a JWK: then Portico signs instead of sending the secret, must push its requests,
   * and receives encrypted tokens. Null: none of that.
   */
  clientKey: Record<string, unknown> | null;
  /** The authorization endpoint leads back with this error. */
  authorizationError: string | null;
};

export type OutsideProvider = {
  issuer: string;
  settings: OutsideProviderSettings;
  set(change: Partial<ProviderState>): Promise<void>;
  /** New signing keys; the old ones are published no more. */
  rotateKeys(): Promise<void>;
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  /** How many refresh tokens the provider would still accept. */
  refreshTokensLeft(): Promise<number>;
  /** A token as the provider would sign it, or as another party would. */
  sign(token: ForgedToken): Promise<string>;
};

const client = { id: 'portico', secret: 'a secret of the client' };

type ProviderProcess = { issuer: string; control: string };

/** Providers that no test uses now: starting one takes longer than most of the tests. */
const idle: ProviderProcess[] = [];

async function startProvider(): Promise<ProviderProcess> {
  const child = startLastingProcess('testing/outside-provider-process.ts', []);
  const address = async (name: string) => (await child.line(new RegExp(`^${name} `))).slice(name.length + 1);
  return { issuer: await address('issuer'), control: await address('control') };
}

/** A real provider in a process of its own, reset to a new state; the next test reuses it after this one. */
export async function startOutsideProvider(
  accounts: Record<string, OutsideAccount> = {},
): Promise<OutsideProvider> {
  const own = idle.pop() ?? (await startProvider());
  const { issuer, control } = own;
  async function turn(name: string, body: object = {}): Promise<Record<string, unknown>> {
    const answer = await fetch(`${control}/${name}`, { method: 'POST', body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  }
  afterThisTest(async () => {
    await turn('reset');
    idle.push(own);
  });
  await turn('set', { accounts });
  return {
    issuer,
    settings: settingsOf(issuer, client),
    set: async (change) => void (await turn('set', change)),
    rotateKeys: async () => void (await turn('rotate')),
    goDown: async () => void (await turn('down')),
    comeUp: async () => void (await turn('up')),
    refreshTokensLeft: async () => Number((await turn('refresh-tokens'))['left']),
    async sign({ claims = {}, header = {}, signedWith = 'own key' }) {
      return String((await turn('sign', { claims, header, signedWith }))['token']);
    },
  };
}

/** Portico's settings for a provider that supports everything. */
export const settingsOf = (
  issuer: string,
  { id: clientId, secret: clientSecret }: { id: string; secret: string },
): OutsideProviderSettings => ({
  issuer,
  clientId,
  clientSecret,
  clientAuth: 'auto',
  clientKey: null,
  pushesRequests: false,
  signOutHint: 'id_token',
  scope: 'openid profile email',
  label: null,
  claims: { name: null, email: [['email']], roles: [['roles']], groups: [['groups']] },
  claimsFrom: 'auto',
  stepUp: { acrValues: [] },
  operatorEmail: null,
  timeoutMs: 5_000,
});

/** Registers Portico's address with the provider. */
export function registerAt(provider: OutsideProvider, app: TestApp): Promise<void> {
  return provider.set({ client: { ...client, url: app.config.publicUrl } });
}

export type OutsideBrowser = Browser & {
  /** The provider's cookies. */
  atProvider: CookieJar;
  /**
   * Signs in through the provider with one of its accounts; answers where it ends. Null: with the account that the
   * provider remembers.
   */
  signInAs(subject: string | null, start?: string): Promise<string>;
  /** Signs out at the provider itself, as another application of the company would. */
  signOutAtProvider(): Promise<void>;
};

/** A browser with the cookies of both. */
export function openOutsideBrowser(app: TestApp, provider: Pick<OutsideProvider, 'issuer'>): OutsideBrowser {
  const own = openBrowser(app.url, undefined, app.config.publicUrl);
  const atProvider = createCookieJar();

  async function follow(
    address: URL,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<URL | string> {
    const headers = { accept: 'text/html', ...init.headers };
    const response = await fetchWith(atProvider, address, { ...init, headers });
    const next = response.headers.get('location');
    const text = await response.text();
    if (next !== null) return new URL(next, address);
    return text;
  }

  return {
    ...own,
    atProvider,
    async signInAs(subject, start = '/auth/login') {
      let here = new URL(start, app.config.publicUrl);
      for (let hops = 0; hops < 15; hops += 1) {
        if (here.origin === provider.issuer) {
          const form = subject !== null && here.pathname.startsWith('/login/');
          const type = { 'content-type': 'application/x-www-form-urlencoded' };
          const body = `account=${encodeURIComponent(subject ?? '')}`;
          const next = await follow(here, form ? { method: 'POST', headers: type, body } : {});
          if (typeof next === 'string') throw new Error(`${here.href} answered: ${next}`);
          here = next;
        } else {
          const path = `${here.pathname}${here.search}`;
          if (!/^\/auth\/(login|callback|prove)/.test(path)) return path;
          const response = await fetchWith(own.cookies, new URL(path, app.url));
          const text = await response.text();
          const next = response.headers.get('location');
          if (next === null) throw new Error(`${path} answered ${response.status}: ${text}`);
          here = new URL(next, here);
        }
      }
      throw new Error(`A loop at ${here.href}.`);
    },
    async signOutAtProvider() {
      const form = await follow(new URL('/session/end', provider.issuer));
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(String(form))?.[1] ?? '';
      await follow(new URL('/session/end/confirm', provider.issuer), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `xsrf=${xsrf}&logout=yes`,
      });
    },
  };
}
