// npm run demo: Portico on a throw-away data folder, with people, flags and a notice to look at (START-7).
// What is here is written through the same doors that everybody uses: the set-up link, the command line, the HTTP interface.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Person } from '@portico/contract/people';
import { createApp, type App } from '@portico/server/app';
import { readConfig, type Config } from '@portico/server/config';
import { startFailure } from '@portico/server/start-message';
import { accounts, blocked, emailOf, flags, invited, neighbours, notice, operator } from './demo-seed.ts';

const words =
  'amber birch cedar delta ember fjord grove heath inlet jetty kelp larch maple north ocean pearl quartz ridge stone thyme umber vale willow yarrow'.split(
    ' ',
  );

const settings = settingsOfTheDemo();
const config = configOrLeave();
const password = newPassword();
let app: App | undefined;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

try {
  app = await createApp(config);
  const address = await app.listen();
  await furnish(app, address);
  process.stdout.write(welcome());
} catch (error) {
  // A stop cuts short whatever is still being furnished.
  if (!stopping) {
    process.stderr.write(`${startFailure(error, config)}\n`);
    process.exit(1);
  }
}

/** Of the environment only what says where the demo is found: it opens on this machine alone, on data that nobody keeps. */
function settingsOfTheDemo(): Record<string, string | undefined> {
  const { DATA_DIR, PORT, PUBLIC_URL, LOG_LEVEL = 'warn' } = process.env;
  if (DATA_DIR === undefined || DATA_DIR === '') {
    process.stderr.write('The demo needs a data folder to throw away. Start it with: npm run demo\n');
    process.exit(1);
  }
  return { DATA_DIR, PORT, PUBLIC_URL, LOG_LEVEL, HOST: '127.0.0.1' };
}

function configOrLeave(): Config {
  try {
    return readConfig(settings);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** Four words and a number: hard to guess, and quick to type from a terminal. New for each demo. */
function newPassword(): string {
  return [...Array.from({ length: 4 }, () => words[randomInt(words.length)]), randomInt(10, 100)].join('-');
}

async function furnish({ setUpOffer }: App, address: string): Promise<void> {
  const token = setUpOffer()?.link.split('#')[1];
  if (token === undefined)
    throw new Error('this data folder is in use already; the demo furnishes a new one.');
  const { firstName, lastName } = operator;
  await call('POST', '/v1/set-up', { token, email: emailOf(operator), firstName, lastName, password });
  const bearer = await tokenOfTheOperator();

  const asOperator = <T>(method: string, path: string, body?: unknown) => call<T>(method, path, body, bearer);
  await Promise.all([...accounts, ...neighbours, blocked, invited].map(takeIn));
  for (const flag of flags) await asOperator('POST', '/v1/flags', flag);
  const { version } = await asOperator<{ version: number }>('GET', '/v1/maintenance');
  await asOperator('PUT', '/v1/maintenance', { ...notice, version });

  async function takeIn(seed: typeof operator): Promise<void> {
    const { person, invitation } = await asOperator<{ person: Person; invitation: { link: string } }>(
      'POST',
      '/v1/people',
      { ...seed, email: emailOf(seed) },
    );
    if (seed === invited) return;
    const names = { firstName: seed.firstName, lastName: seed.lastName };
    await call('POST', '/v1/invitations/accept', { token: tokenIn(invitation.link), ...names, password });
    if (seed !== blocked) return;
    const path = `/v1/people/${person.id}`;
    const known = await asOperator<Person>('GET', path);
    await asOperator('PUT', `${path}/blocked`, { blocked: true, version: known.version });
  }

  async function call<T>(method: string, path: string, body?: unknown, authorization?: string): Promise<T> {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization: `Bearer ${authorization}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

function tokenIn(link: string): string {
  return new URL(link).hash.slice(1);
}

async function tokenOfTheOperator(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(import.meta.dirname, '../server/src/cli.ts'),
      'token',
      'create',
      '--json',
      '--name=Demo seed',
      '--expires=1h',
      `--as=${emailOf(operator)}`,
      '--rights=PEOPLE_READ,PEOPLE_WRITE,FLAGS_WRITE,MAINTENANCE_WRITE',
    ],
    { env: settings },
  );
  return (JSON.parse(stdout) as { token: string }).token;
}

function welcome(): string {
  const lines = [
    `Portico's demo is open: ${config.publicUrl}`,
    '',
    ...[operator, ...accounts].map((one) => `${one.lastName.padEnd(10)} ${emailOf(one)}`),
    `Password   ${password}`,
    '',
    'Everything is thrown away when you stop it (Ctrl-C).',
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

async function stop(): Promise<void> {
  // Whoever asks twice does not want to wait; before it is open there is nothing to end in good order.
  if (stopping || app === undefined) process.exit(stopping ? 1 : 0);
  stopping = true;
  await app.stop();
  process.exit(0);
}
