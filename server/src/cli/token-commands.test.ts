import { describe, expect, it } from 'vitest';
import { listPeople } from '#features/people/contract/people.ts';
import { insertRight } from '#features/permissions/server/rules.store.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { engines, provedOn } from '../testing/fresh-database.ts';

describe.each(engines)('API tokens on the command line, on %s', (engine) => {
  const once = provedOn(engine);
  const portico = ({ config, place }: TestApp, ...args: string[]) =>
    runInside(args, { PUBLIC_URL: config.publicUrl, ...environmentOf(place) });

  it('SES-9 CLI-1: are listed and revoked while a server runs, which follows', async () => {
    const app = await startApp({ engine });
    const make = async (name: string) => {
      const made = await portico(
        app,
        'token',
        'create',
        '--name',
        name,
        '--rights',
        'PEOPLE_READ',
        '--expires',
        '1d',
        '--json',
      );
      return JSON.parse(made.out) as { id: string; token: string };
    };
    const one = await make('one');
    const two = await make('two');
    const opens = async () => (await app.call(listPeople, {}, { accessToken: one.token })).status;
    await expect.poll(opens).toBe(200);

    const listed = await portico(app, 'token', 'list');
    expect(listed.out.split('\n').map((line) => line.split('  ')[0])).toEqual([two.id, one.id]);
    expect(listed.out).toContain('"one"  PEOPLE_READ');
    expect(listed.out).not.toContain(one.token);

    expect(await portico(app, 'token', 'revoke', '--id', one.id)).toMatchObject({ code: 0, out: one.id });
    await expect.poll(opens).toBe(401);
    expect((await portico(app, 'token', 'list')).out).not.toContain(one.id);
    expect((await portico(app, 'token', 'list', '--all')).out).toContain(`${one.id}  revoked `);
    expect(await portico(app, 'token', 'revoke', '--id', one.id)).toMatchObject({ code: 0, out: '' });
    expect(await portico(app, 'token', 'revoke', '--id', 'nobody')).toMatchObject({
      code: 1,
      errors: 'There is no token nobody.',
    });
    expect((await portico(app, 'token', 'revoke')).code).toBe(2);

    const entries = await app.database.read
      .selectFrom('audit')
      .select(['actor_kind', 'subject'])
      .where('action', '=', 'api-token.revoke')
      .execute();
    expect(entries).toEqual([{ actor_kind: 'command-line', subject: one.id }]);
  });

  it.each(once)('SES-9 RIGHT-2: may have own rights, and none that is unknown', async () => {
    const app = await startApp({ engine });
    const create = (right: string) =>
      portico(app, 'token', 'create', '--name', 'ci', '--rights', right, '--expires', '1d');
    expect(await create('LAYER_MAINS')).toMatchObject({ code: 1, errors: 'There is no right LAYER_MAINS.' });
    const texts = { label: 'Water mains', description: '', area: 'maps' };
    await app.database.change((change) => insertRight(change, 'LAYER_MAINS', texts));
    expect((await create('LAYER_MAINS')).code).toBe(0);
    expect((await portico(app, 'token', 'list')).out).toContain('"ci"  LAYER_MAINS');
  });
});
