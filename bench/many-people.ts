import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { call, type Portico } from './portico.ts';
import { signIn } from './signed-in.ts';

const atOnce = 32;

/**
 * So many people with a session each, put into the database while the server runs; answers an access token of
 * each, from the server itself. No cache of the server holds them before.
 */
export async function manyPeople(portico: Portico, count: number): Promise<string[]> {
  const { DATA_DIR: folder = '' } = portico.environment;
  const cookie = (await signIn(portico)).cookieName();
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const now = Date.now();
  const database = new DatabaseSync(join(folder, 'portico.sqlite'), { timeout: 5_000 });
  try {
    database.exec('begin immediate');
    const person = database.prepare(
      `insert into person (id, issuer, subject, email, created_at, last_seen_at, blocked_at, version)
      values (?, 'https://bench.example.org', ?, ?, ?, ?, null, 1)`,
    );
    const session = database.prepare(
      `insert into session (id, secret_hash, person_id, id_token, created_at, seen_at, expires_at)
      values (?, ?, ?, '', ?, ?, ?)`,
    );
    for (const [index, secret] of secrets.entries()) {
      const id = randomBytes(12).toString('base64url');
      person.run(id, id, `bench-${index}@example.org`, now, now);
      const hash = createHash('sha256').update(secret).digest('base64url');
      session.run(randomBytes(12).toString('base64url'), hash, id, now, now, now + 12 * 3_600_000);
    }
    database.exec('commit');
  } finally {
    database.close();
  }

  const tokens: string[] = [];
  for (let start = 0; start < count; start += atOnce) {
    tokens.push(
      ...(await Promise.all(
        secrets.slice(start, start + atOnce).map(async (secret) => {
          const response = await fetch(`${portico.url}/auth/token`, {
            method: 'POST',
            headers: { 'x-portico': '1', cookie: `${cookie}=${secret}` },
          });
          if (!response.ok) throw new Error(`No access token: ${response.status} ${await response.text()}`);
          return ((await response.json()) as { accessToken: string }).accessToken;
        }),
      )),
    );
  }
  return tokens;
}

/** Each of them has asked for something, so that the server knows them. */
export async function haveAsked(portico: Portico, tokens: readonly string[]): Promise<void> {
  for (let start = 0; start < tokens.length; start += atOnce) {
    await Promise.all(
      tokens
        .slice(start, start + atOnce)
        .map((token) => call(portico.url, token, 'GET', '/v2/users/current/permissions')),
    );
  }
}
