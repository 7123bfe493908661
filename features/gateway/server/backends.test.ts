import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { signingKeys } from '#server/platform/keys/signing-key.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { freePort } from '#server/testing/free-port.ts';
import { signIn } from '#server/testing/signed-in.ts';

const root = join(import.meta.dirname, '../../..');
const documentation = readFileSync(join(root, 'docs/backends.md'), 'utf8');

type Example = { heading: string; file: string; command: string[]; missing(): string | null };

const runs = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const examples: Example[] = [
  {
    heading: 'Express',
    file: 'express.mjs',
    command: [process.execPath],
    missing: () =>
      existsSync(join(root, 'node_modules/express')) ? null : 'Express is not among the packages here',
  },
  { heading: 'Fastify', file: 'fastify.mjs', command: [process.execPath], missing: () => null },
  {
    heading: 'Python',
    file: 'application.py',
    command: ['/usr/bin/python3'],
    missing: () =>
      runs('/usr/bin/python3', ['-c', 'import jwt, cryptography'])
        ? null
        : 'Python with PyJWT is not installed here',
  },
  {
    heading: 'Java',
    file: 'Application.java',
    command: ['java'],
    missing: () => (runs('javac', ['-version']) ? null : 'no JDK is installed here'),
  },
];

/** Runs the example of the documentation until the test ends; answers its address. */
async function start({ heading, file, command }: Example, app: TestApp): Promise<string> {
  const [, code] = new RegExp(`^### ${heading}\\n+\`\`\`.*?\\n(.*?)^\`\`\`$`, 'ms').exec(documentation) ?? [];
  if (code === undefined) throw new Error(`docs/backends.md has no example for ${heading}.`);
  // Where the packages of the repository are found.
  const folder = mkdtempSync(join(root, 'node_modules/.backend-'));
  writeFileSync(join(folder, file), code);
  const port = await freePort();
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, join(folder, file)], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), PORTICO_URL: app.config.publicUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  afterThisTest(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(() => fetch(url), { timeout: 90_000, interval: 50 });
  return url;
}

/** Assertions that no application may believe: each differs from a good one in one thing. */
async function notToBelieve(app: TestApp, good: string): Promise<Record<string, string>> {
  const [ours] = await signingKeys(app.database, 'access-token');
  if (ours === undefined) throw new Error('The app has no key yet.');
  const own = createPrivateKey({ key: ours.jwk, format: 'jwk' });
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const header = { alg: 'ES256', ...decodeProtectedHeader(good) };
  const sign = (changes: JWTPayload, headers = {}, key = own) =>
    new SignJWT({ ...decodeJwt(good), ...changes }).setProtectedHeader({ ...header, ...headers }).sign(key);
  const [, body = ''] = good.split('.');
  const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url');
  const past = Math.floor(Date.now() / 1000) - 120;
  return {
    'of another application': await sign({ aud: 'another' }),
    'of another issuer': await sign({ iss: 'https://evil.example' }),
    expired: await sign({ iat: past - 60, exp: past }),
    'by another key': await sign({}, {}, another),
    'by a key that is not published': await sign({}, { kid: 'another' }, another),
    'without a signature': `${none}.${body}.`,
    'no token': 'nonsense',
  };
}

const secret = 'a-secret-of-the-proxy-0123456789abcdef';

describe('an example of a backend', () => {
  it.for(examples)('GATE-1: $heading knows who calls, and believes no one else', async (example, context) => {
    const missing = example.missing();
    context.skip(missing !== null, missing ?? '');
    const app = await startApp({ engine: 'sqlite', config: { trustProxy: 1, authCheckSecrets: [secret] } });
    const mia = await signIn(app, { roles: ['member'] });
    const check = {
      'x-portico-check-secret': secret,
      'x-original-uri': '/',
      'x-original-method': 'GET',
      cookie: mia.browser.cookies.header('/'),
    };
    const passed = await fetch(`${app.url}/auth/check`, { headers: check });
    const assertion = passed.headers.get('portico-assertion') ?? '';
    const url = await start(example, app);
    const statusOf = async (given: string) =>
      (await fetch(url, { headers: { 'portico-assertion': given } })).status;
    const known = await fetch(url, { headers: { 'portico-assertion': assertion } });
    expect(await known.json()).toEqual({ sub: mia.id, email: mia.email, mayChange: false });
    expect((await fetch(url)).status).toBe(401);
    for (const [what, other] of Object.entries(await notToBelieve(app, assertion)))
      expect([what, await statusOf(other)]).toEqual([what, 401]);
    expect([await statusOf(mia.accessToken), await statusOf(assertion)]).toEqual([401, 200]);
  });
});
