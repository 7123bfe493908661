// npm run demo: Portico on a throw-away data folder, with people, flags and a notice to look at (START-7).
// What is here is written through the same doors that everybody uses: the command line and the HTTP interface.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createApp } from '@portico/server/app';
import { readConfig } from '@portico/server/config';

const operator = { email: 'olivia@example.org', firstName: 'Olivia', lastName: 'Operator' };

const people = [
  { email: 'sam@example.org', firstName: 'Sam', lastName: 'Support', roles: ['support'] },
  { email: 'mia@example.org', firstName: 'Mia', lastName: 'Member', roles: ['member'] },
];

const invited = { email: 'noah@example.org', firstName: 'Noah', lastName: 'Newcomer', roles: ['member'] };

const flags = [
  {
    key: 'NEW_SEARCH',
    type: 'boolean',
    description:
      'The search rewritten this autumn. On for support and operators, and for a fifth of everybody else.',
    defaultValue: false,
    enabled: true,
    rules: [
      { id: 'staff', condition: { roles: { $elemMatch: { $in: ['operator', 'support'] } } }, force: true },
      { id: 'a-fifth', force: true, coverage: 0.2, hashAttribute: 'id' },
    ],
    tags: ['search', 'release'],
  },
  {
    key: 'HEAVY_REPORTS',
    type: 'boolean',
    description: 'Kill switch for the nightly reports.',
    defaultValue: true,
    enabled: false,
    rules: [],
    tags: ['operations'],
  },
  {
    key: 'GREETING',
    type: 'string',
    description: 'What the start page says first; in French to whoever reads French.',
    defaultValue: 'Welcome',
    enabled: true,
    rules: [{ id: 'french', condition: { locale: 'fr' }, force: 'Bienvenue' }],
    tags: ['texts'],
  },
  {
    key: 'UPLOAD_LIMITS',
    type: 'json',
    description: 'How much people may upload, in MB.',
    defaultValue: { file: 20, total: 200 },
    enabled: true,
    rules: [
      {
        id: 'operators',
        condition: { roles: { $elemMatch: { $eq: 'operator' } } },
        force: { file: 200, total: 2000 },
      },
    ],
    tags: ['operations', 'files'],
  },
];

/** Four words and a number: long enough, and quick to type from a terminal. */
function newPassword(): string {
  const words =
    'amber birch cedar delta ember fjord grove heath inlet jetty kelp larch maple north ocean pearl quartz ridge stone thyme umber vale willow yarrow'.split(
      ' ',
    );
  return [...Array.from({ length: 4 }, () => words[randomInt(words.length)]), randomInt(10, 100)].join('-');
}

const password = newPassword();
const settings = {
  ...process.env,
  OPERATOR_EMAIL: operator.email,
  OPERATOR_PASSWORD: password,
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
};
const config = readConfig(settings);
const app = await createApp(config);
await app.listen();

const made = execFileSync(
  process.execPath,
  [
    join(import.meta.dirname, '../server/src/cli.ts'),
    'token',
    'create',
    '--json',
    '--name=Demo seed',
    '--expires=1d',
    `--as=${operator.email}`,
    '--rights=PEOPLE_READ,PEOPLE_WRITE,FLAGS_WRITE,MAINTENANCE_WRITE',
  ],
  { env: settings, encoding: 'utf8' },
);
const { token } = JSON.parse(made) as { token: string };

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(config.publicUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

type Invited = { invitation: { link: string } };

for (const person of people) {
  const { invitation } = await call<Invited>('POST', '/v1/people', person);
  await call('POST', '/v1/invitations/accept', {
    token: new URL(invitation.link).hash.slice(1),
    firstName: person.firstName,
    lastName: person.lastName,
    password,
  });
}
await call('POST', '/v1/people', invited);
for (const flag of flags) await call('POST', '/v1/flags', flag);

const { version } = await call<{ version: number }>('GET', '/v1/maintenance');
await call('PUT', '/v1/maintenance', {
  mode: 'off',
  text: 'The database is upgraded on Saturday from 22:00 to 22:30. Save your work before then.',
  severity: 'MEDIUM',
  expectedEnd: null,
  version,
});

process.stdout.write(
  [
    '',
    `  Portico's demo is open: ${config.publicUrl}`,
    '',
    ...[operator, ...people].map(({ email, lastName }) => `  ${lastName.padEnd(10)} ${email}`),
    `  Password   ${password}`,
    '',
    '  Everything is thrown away when you stop it (Ctrl-C).',
    '',
    '',
  ].join('\n'),
);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    void app.stop().then(() => process.exit(0));
  });
}
