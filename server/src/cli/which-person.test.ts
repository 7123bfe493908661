import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { setUpTokenFile } from '#features/identity-provider/server/set-up.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { oneEngine, freshDatabase } from '../testing/fresh-database.ts';
import { addPerson } from '../testing/people.ts';

const outside = 'https://provider.example.org';
const email = 'op@example.org';
type Candidate = { id: string; name: string; email: string; emailVerified: boolean; issuer: string };

async function portico(
  app: Pick<TestApp, 'place'>,
  args: readonly string[],
  issuer: string | null = outside,
) {
  const environment = {
    ...environmentOf(app.place),
    ...(issuer === null
      ? {}
      : { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'portico', OIDC_CLIENT_SECRET: 'a secret' }),
  };
  return runInside(args, environment);
}

const problemOf = ({ errors }: { errors: string }) =>
  (JSON.parse(errors) as { error: { code: string; message: string; people: Candidate[] } }).error;

const operators = async (app: TestApp) =>
  (
    await app.database.read
      .selectFrom('person_role')
      .select('person_id')
      .where('role', '=', 'operator')
      .execute()
  ).map((row) => row.person_id);

/** Every command that takes a person by address, and how the id is given instead. */
const commands = (app: TestApp): [string, string[], string[]][] => {
  const file = join(app.place.dataDir, 'export.zip');
  return [
    ['operator reset', ['operator', 'reset', '--email', email], ['operator', 'reset', '--id']],
    [
      'people export',
      ['people', 'export', '--to', file, '--email', email],
      ['people', 'export', '--to', file, '--id'],
    ],
    [
      'token create',
      ['token', 'create', '--name', 'ci', '--rights', 'MAP_VIEW', '--expires', '1d', '--as', email],
      ['token', 'create', '--name', 'ci', '--rights', 'MAP_VIEW', '--expires', '1d', '--as'],
    ],
    ['people erase', ['people', 'erase', '--email', email, '--confirm', email], []],
  ];
};

describe.each(oneEngine)('a person on the command line on %s', (engine) => {
  it('CLI-1: an address that several people have names none of them; the ids to choose from are listed', async () => {
    const app = await startApp({ engine });
    const roles = ['member'] as const;
    const mallory = await addPerson(app, { email, emailVerified: false, roles });
    const olivia = await addPerson(app, { email, firstName: 'Olivia', lastName: 'Op', roles });
    for (const [name, byEmail] of commands(app)) {
      const refused = await portico(app, byEmail);
      expect([name, refused.code, refused.out]).toEqual([name, 1, '']);
      expect(refused.errors).toContain(
        `${mallory}  (no name)  ${email}  NOT verified  ${outside}  never seen`,
      );
      expect(refused.errors).toContain(`${olivia}  "Olivia Op"  ${email}  verified`);
      const json = problemOf(await portico(app, [...byEmail, '--json']));
      expect(json).toMatchObject({ code: 'PERSON_UNCLEAR' });
      expect(json.people.map(({ id }) => id).toSorted()).toEqual([mallory, olivia].toSorted());
      expect(json.people.find(({ id }) => id === mallory)).toMatchObject({
        emailVerified: false,
        issuer: outside,
        lastSeenAt: null,
      });
      expect(await operators(app)).not.toContain(mallory);
    }
    for (const [name, , byId] of commands(app).filter(([, , ids]) => ids.length > 0))
      expect([name, (await portico(app, [...byId, olivia])).code]).toEqual([name, 0]);
    expect(await operators(app)).toEqual([olivia]);
  });

  it('CLI-1: an address that no provider vouches for names no one', async () => {
    const app = await startApp({ engine });
    const mallory = await addPerson(app, { email, emailVerified: false, roles: ['member'] });
    for (const [name, byEmail] of commands(app)) {
      const refused = await portico(app, [...byEmail, '--json']);
      expect([name, refused.code, refused.out]).toEqual([name, 1, '']);
      expect(problemOf(refused)).toMatchObject({ code: 'PERSON_UNCLEAR', people: [{ id: mallory }] });
    }
    expect(await operators(app)).toEqual([]);
    expect(await app.database.read.selectFrom('api_token').selectAll().execute()).toEqual([]);
  });

  it('CLI-1: an operator is neither made nor reset where there is a namesake of another provider', async () => {
    const app = await startApp({ engine });
    const mallory = await addPerson(app, { email });
    for (const verb of ['create', 'reset']) {
      const refused = await portico(app, ['operator', verb, '--email', email, '--json'], null);
      expect([verb, refused.code]).toEqual([verb, 1]);
      expect(problemOf(refused)).toMatchObject({ code: 'PERSON_UNCLEAR', people: [{ id: mallory }] });
    }
    const elsewhere = await portico(app, ['operator', 'reset', '--id', mallory, '--json'], null);
    expect(problemOf(elsewhere)).toMatchObject({ code: 'PERSON_UNCLEAR', people: [{ issuer: outside }] });
    expect(await app.database.read.selectFrom('account').selectAll().execute()).toEqual([]);
    // The one who signs in here is meant.
    const own = await addPerson(app, { email, password: 'seven green lanterns' });
    expect((await portico(app, ['operator', 'reset', '--email', email], null)).code).toBe(0);
    expect(await operators(app)).toEqual([own]);
  });

  it('CLI-1: a relink by address leaves those whose address no provider vouches for, unless it is asked for', async () => {
    const app = await startApp({ engine });
    await addPerson(app, { email: 'ada@example.org' });
    await addPerson(app, { email: 'eve@example.org', emailVerified: false });
    const relink = (to: string, ...more: string[]) =>
      portico(
        app,
        ['people', 'relink', '--from', outside, '--to', to, '--by', 'email', ...more],
        'https://new.example',
      );
    const plan = await relink('https://new.example');
    expect(plan.out).toContain('eve@example.org: stays, has an address that is not verified');
    expect(plan.out).toContain('ada@example.org: found by the address');
    expect((await relink('https://new.example', '--unverified-too')).out).toContain('eve@example.org: found');
  });

  it('CLI-1: a relink to another issuer than the configured one warns, of a slash at the end too', async () => {
    const app = await startApp({ engine });
    await addPerson(app, { email: 'ada@example.org' });
    const relink = (to: string, issuer: string | null, ...more: string[]) =>
      portico(app, ['people', 'relink', '--from', outside, '--to', to, '--by', 'email', ...more], issuer);
    const slash = await relink('https://new.example', 'https://new.example/');
    expect([slash.code, slash.errors]).toEqual([0, expect.stringContaining('look at the slash at the end')]);
    const other = await relink('https://third.example', 'https://new.example/', '--json');
    expect(JSON.parse(other.out)).toMatchObject({
      warnings: [expect.stringContaining('https://new.example/')],
    });
    expect(other.out).not.toContain('slash');
    expect((await relink('https://new.example', null)).errors).toContain('OIDC_ISSUER is not set');
    expect((await relink('https://new.example', 'https://new.example')).errors).toBe('');
    expect((await relink(embeddedIssuer, null)).errors).toBe('');
  });
});

it.each(['create', 'reset'])(
  'START-6: operator %s takes the file of the set-up token away, also without a server',
  async (verb) => {
    const place = await freshDatabase('sqlite');
    const app = await startApp({ on: place });
    if (verb === 'reset') await addPerson(app, { email, password: 'seven green lanterns' });
    const file = setUpTokenFile(place.dataDir);
    expect(existsSync(file)).toBe(true);
    await app.stop();
    writeFileSync(file, 'a token');
    expect((await portico(app, ['operator', verb, '--email', email], null)).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  },
);

it('SES-9: a token by id needs a person too', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const args = [
    'token',
    'create',
    '--name',
    'ci',
    '--rights',
    'MAP_VIEW',
    '--expires',
    '1d',
    '--as',
    'nobody',
  ];
  expect(await portico(app, args)).toMatchObject({ code: 1, errors: 'Nobody has the id nobody.' });
});
