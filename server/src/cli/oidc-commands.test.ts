import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProviderReport } from '#features/outside-provider/server/check-provider.ts';
import { startApp } from '../testing/app.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { engines } from '../testing/fresh-database.ts';
import { openOutsideBrowser, registerAt, startOutsideProvider } from '../testing/outside-provider.ts';
import { startPortal } from '../testing/portal-provider.ts';
import { addPerson } from '../testing/people.ts';
import { freePort } from '../testing/free-port.ts';

const url = 'http://localhost:3000';

describe('portico oidc check', () => {
  it('SES-4: finds nothing wrong with a good configuration, and prints what to register', async () => {
    const provider = await startOutsideProvider();
    const { clientId, clientSecret, issuer } = provider.settings;
    await provider.set({ client: { id: clientId, secret: clientSecret, url } });
    const environment = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };

    const { code, out } = await runInside(['oidc', 'check'], environment);
    expect(code).toBe(0);
    expect(out).not.toContain('FAILED');
    expect(out).toContain(`redirect URI              ${url}/auth/callback`);
    expect(out).toContain(`back-channel logout URI   ${url}/auth/backchannel-logout`);
    expect(out).toContain('People can sign in.');
    expect(out).not.toContain(clientSecret);

    const json = JSON.parse(
      (await runInside(['oidc', 'check', '--json'], environment)).out,
    ) as ProviderReport;
    expect(json.ok).toBe(true);
    expect(json.steps.map(({ name, outcome }) => [name, outcome])).toEqual(
      'Discovery Issuer Signatures Keys Clock Client Redirect Scope Sign-out Step-up'
        .split(' ')
        .map((name) => [name, 'ok']),
    );

    const { out: off } = await runInside(['oidc', 'check'], { ...environment, OIDC_STEP_UP: 'off' });
    expect(off).toMatch(/Step-up.*ask nobody to sign in again/);

    const wrong: [Record<string, string>, string, RegExp][] = [
      [{ OIDC_CLIENT_SECRET: 'another' }, 'Client', /does not accept the client.*OIDC_CLIENT_SECRET/],
      [{ OIDC_CLIENT_ID: 'another' }, 'Client', /does not accept the client.*OIDC_CLIENT_ID/],
      [{ PUBLIC_URL: 'http://localhost:3999' }, 'Redirect', /register it there/],
      [{ OIDC_ISSUER: `${issuer}/` }, 'Issuer', /the slash at the end counts/],
      [{ OIDC_ISSUER: `${issuer}/realms/none` }, 'Discovery', /status 404.*Is OIDC_ISSUER whole/],
      [{ OIDC_ISSUER: 'https://no-such-host.invalid' }, 'Discovery', /cannot be reached/],
      [{ OIDC_ISSUER: `http://localhost:${await freePort()}` }, 'Discovery', /nothing listens there/],
      [{ OIDC_ISSUER: issuer.replace('http:', 'https:') }, 'Discovery', /TLS|cannot be reached/],
    ];
    for (const [change, name, words] of wrong) {
      const output = await runInside(['oidc', 'check', '--json'], { ...environment, ...change });
      const report = JSON.parse(output.out) as ProviderReport;
      expect([change, output.code, report.ok]).toEqual([change, 1, false]);
      // One mistake is reported once, where it is.
      const failed = report.steps.filter((step) => step.outcome === 'failed');
      expect([change, failed]).toEqual([
        change,
        [expect.objectContaining({ name, message: expect.stringMatching(words) })],
      ]);
    }
  });

  it('SES-4: shows the secret as a sign-in does, and reports how it is accepted', async () => {
    const url = 'http://localhost:3000/auth/callback';
    const client = { id: 'portico-1.0_a~b', secret: 's-e_c.r~e*t!+%' };
    const portal = await startPortal({ client, accepts: ['basic'], listed: null, redirectUri: url });
    const check = async (change: Record<string, string> = {}) => {
      const environment = {
        OIDC_ISSUER: portal.issuer,
        OIDC_CLIENT_ID: client.id,
        OIDC_CLIENT_SECRET: client.secret,
      };
      const { code, out } = await runInside(['oidc', 'check', '--json'], { ...environment, ...change });
      const { steps } = JSON.parse(out) as ProviderReport;
      return { code, client: steps.find(({ name }) => name === 'Client'), all: steps };
    };
    expect(await check()).toMatchObject({
      code: 0,
      client: { outcome: 'ok', message: expect.stringContaining('without its encoding') },
    });
    portal.state.accepts = ['post'];
    expect(await check()).toMatchObject({
      code: 0,
      client: { outcome: 'ok', message: expect.stringContaining('OIDC_CLIENT_AUTH=post spares') },
    });
    expect(await check({ OIDC_CLIENT_AUTH: 'basic' })).toMatchObject({
      code: 1,
      client: { outcome: 'failed', message: expect.stringContaining('set OIDC_CLIENT_AUTH=post') },
    });
    portal.state.listed = ['client_secret_post', 'client_secret_basic'];
    expect(await check()).toMatchObject({ code: 0, client: { message: expect.stringMatching(/secret\.$/) } });
    const wrong = { client: { outcome: 'failed', message: expect.stringContaining('OIDC_CLIENT_SECRET') } };
    expect(await check({ OIDC_CLIENT_SECRET: 'another' })).toMatchObject({ code: 1, ...wrong });
  });

  it('SES-4: does not say that people can sign in where an algorithm may be refused', async () => {
    const portal = await startPortal({ redirectUri: `${url}/auth/callback` });
    const environment = {
      OIDC_ISSUER: portal.issuer,
      OIDC_CLIENT_ID: 'portico',
      OIDC_CLIENT_SECRET: 'secret',
    };
    const check = async (algorithms: string[]) => {
      portal.state.algorithms = algorithms;
      const { code, out } = await runInside(['oidc', 'check'], environment);
      const signatures = out
        .split('\n')
        .find((line) => line.includes('Signatures'))
        ?.slice(0, 7)
        .trim();
      return [code, signatures, out.includes('People can sign in.')];
    };
    expect(await check(['ES256'])).toEqual([0, 'ok', true]);
    expect(await check(['ES256', 'HS256'])).toEqual([0, 'warning', false]);
    // Its only key is of the curve P-256.
    expect(await check(['ES256', 'RS256'])).toEqual([0, 'warning', false]);
    expect(await check(['RS256', 'ES384', 'EdDSA'])).toEqual([1, 'FAILED', false]);
    expect(await check(['HS256', 'none'])).toEqual([1, 'FAILED', false]);
  });

  it('SES-4: asks for the redirect address as a browser does; a 401 or 403 proves nothing of it', async () => {
    const registered = 'http://localhost:3000/auth/callback';
    const portal = await startPortal({ redirectUri: registered });
    const environment = {
      OIDC_ISSUER: portal.issuer,
      OIDC_CLIENT_ID: 'portico',
      OIDC_CLIENT_SECRET: 'secret',
    };
    const redirect = async () => {
      const { code, out } = await runInside(['oidc', 'check', '--json'], environment);
      const { steps } = JSON.parse(out) as ProviderReport;
      return [code, steps.find(({ name }) => name === 'Redirect')?.outcome];
    };
    expect(await redirect()).toEqual([0, 'ok']);
    portal.state.redirectUri = 'https://portico.example.org/auth/callback';
    expect(await redirect()).toEqual([1, 'failed']);
    for (const status of [401, 403]) {
      portal.state.authorize = status;
      expect(await redirect()).toEqual([0, 'warning']);
    }
  });

  it('SES-4: knows an answer that is none, and a clock that is wrong', async () => {
    const provider = await startOutsideProvider();
    const { clientId, clientSecret, issuer } = provider.settings;
    const other = createServer((_request, response) => response.end('<html>A login page</html>'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    onTestFinished(() => void other.close());
    const environment = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    const port = (other.address() as AddressInfo).port;
    const page = await runInside(['oidc', 'check'], {
      ...environment,
      OIDC_ISSUER: `http://localhost:${port}`,
    });
    expect([page.code, page.out]).toEqual([1, expect.stringContaining('answers no JSON')]);
    expect((await runInside(['oidc', 'check'], {})).errors).toContain('OIDC_ISSUER is not set');
    expect((await runInside(['oidc', 'check'], { OIDC_ISSUER: issuer })).errors).toContain(
      'OIDC_CLIENT_ID is not set',
    );
  });
});

describe.each(engines)('portico people relink on %s', (engine) => {
  it('SES-8: keeps people who they are after a change of provider, by subject or by verified address', async () => {
    const provider = await startOutsideProvider({
      'new-ada': { claims: { email: 'ada@example.org', email_verified: true } },
      'new-eve': { claims: { email: 'ada@example.org', email_verified: false } },
      'new-bo': { claims: { email: 'someone@example.org', email_verified: true } },
    });
    const app = await startApp({ engine, config: { oidc: provider.settings } });
    await registerAt(provider, app);
    const ada = await addPerson(app, { email: 'ada@example.org', roles: ['support'] });
    const bo = await addPerson(app, { email: 'bo@example.org' });
    const identity = (id: string) =>
      app.database.read
        .selectFrom('person')
        .select(['issuer', 'subject'])
        .where('id', '=', id)
        .executeTakeFirst();
    const environment = {
      ...environmentOf(app.place),
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'portico',
      OIDC_CLIENT_SECRET: 'a secret',
    };
    const oldSubject = (await identity(bo))?.subject ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'portico-map-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const map = join(folder, 'map.csv');
    writeFileSync(map, `${oldSubject}, new-bo\n`);
    const command = ['people', 'relink', '--from', 'https://provider.example.org', '--to', provider.issuer];

    const preview = await runInside([...command, '--map', map], environment);
    expect(preview.errors).toBe('');
    expect(preview.out).toContain(`bo@example.org: ${oldSubject} becomes new-bo`);
    expect(preview.out).toContain('Nothing is changed yet. With --apply: 1 relinked, 1 left');
    expect(await identity(bo)).toEqual({ issuer: 'https://provider.example.org', subject: oldSubject });

    expect((await runInside([...command, '--map', map, '--apply'], environment)).code).toBe(0);
    expect(await identity(bo)).toEqual({ issuer: provider.issuer, subject: 'new-bo' });
    expect((await runInside([...command, '--by', 'email', '--apply'], environment)).out).toContain(
      'ada@example.org: found by the address at the first sign-in',
    );

    // Ada has her rights as before, and lands in the console.
    for (const [subject, screen] of [
      ['new-eve', '/'],
      ['new-ada', '/console'],
      ['new-bo', '/'],
    ] as const)
      expect(await openOutsideBrowser(app, provider).signInAs(subject)).toBe(screen);
    expect(await identity(ada)).toEqual({ issuer: provider.issuer, subject: 'new-ada' });
    const people = await app.database.read.selectFrom('person').select(['id', 'subject']).execute();
    expect(people).toHaveLength(3);
    const entries = await app.database.read
      .selectFrom('audit')
      .select(['action', 'subject'])
      .where('action', 'in', ['person.relink', 'person.await-relink'])
      .execute();
    expect(
      entries.map(({ action, subject }) => `${action} ${subject === ada ? 'ada' : 'bo'}`).toSorted(),
    ).toEqual(['person.await-relink ada', 'person.relink ada', 'person.relink bo']);
    expect((await runInside([...command, '--by', 'email'], environment)).errors).toContain(
      'Nobody signs in at',
    );
    expect((await runInside(command, environment)).code).toBe(2);
  });
});
