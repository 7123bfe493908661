import { createHash, randomBytes } from 'node:crypto';
import { insert, runIn } from './database-rows.ts';
import { call } from '../dev/call.ts';
import type { Portico } from './portico.ts';
import { signIn } from './signed-in.ts';

const atOnce = 32;
const rowsAtOnce = 500;

/** Inserts people with a session each into the database of a running server; returns the cookie of each person. */
export async function manySessions(portico: Portico, count: number): Promise<string[]> {
  const cookie = (await signIn(portico)).cookieName();
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const now = Date.now();
  const people = secrets.map((_secret, index) => {
    const id = randomBytes(12).toString('base64url');
    const email = `bench-${index}@example.org`;
    const [issuer, subject] = ['https://bench.example.org', id];
    return { id, issuer, subject, email, created_at: now, last_seen_at: now, blocked_at: null, version: 1 };
  });
  const sessions = secrets.map((secret, index) => ({
    id: randomBytes(12).toString('base64url'),
    secret_hash: createHash('sha256').update(secret).digest('base64url'),
    person_id: people[index]?.id ?? '',
    id_token: '',
    created_at: now,
    seen_at: now,
    expires_at: now + 12 * 3_600_000,
  }));
  const statements: string[] = [];
  for (let start = 0; start < count; start += rowsAtOnce) {
    statements.push(insert('person', people.slice(start, start + rowsAtOnce)));
    statements.push(insert('session', sessions.slice(start, start + rowsAtOnce)));
  }
  await runIn(portico.environment, statements);
  return secrets.map((secret) => `${cookie}=${secret}`);
}

/** An access token of a person who has a session, from the server itself. */
export async function accessTokenOf({ url }: Portico, cookie: string): Promise<string> {
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'x-portico': '1', cookie },
  });
  if (!response.ok) throw new Error(`No access token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { accessToken: string }).accessToken;
}

/** Inserts people with a session each; returns an access token of each person. No server cache holds them yet. */
export async function manyPeople(portico: Portico, count: number): Promise<string[]> {
  return accessTokensOf(portico, await manySessions(portico, count));
}

/** Returns an access token for each of the cookies. */
export async function accessTokensOf(portico: Portico, cookies: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (let start = 0; start < cookies.length; start += atOnce) {
    const next = cookies.slice(start, start + atOnce);
    tokens.push(...(await Promise.all(next.map((cookie) => accessTokenOf(portico, cookie)))));
  }
  return tokens;
}

/** Sends one request with each token, so that the server knows these people. */
export async function haveAsked(portico: Portico, tokens: readonly string[]): Promise<void> {
  for (let start = 0; start < tokens.length; start += atOnce) {
    await Promise.all(
      tokens
        .slice(start, start + atOnce)
        .map((token) => call(portico.url, token, 'GET', '/v2/users/current/permissions')),
    );
  }
}
