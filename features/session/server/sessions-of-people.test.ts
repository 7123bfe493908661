import { describe, expect, it } from 'vitest';
import { listAudit } from '#features/audit/contract/audit.ts';
import {
  endSessionOfPerson,
  endSessionsOfPerson,
  listSessionsOfPerson,
} from '#features/session/contract/sessions.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { startApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { signIn } from '#server/testing/signed-in.ts';

const current = { params: { userId: 'current' } };

describe('sessions of people, for operators', () => {
  it('CON-4 SES-3: an operator sees where a person is signed in, ends one session or all, in force at once, and stays signed in', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const olga = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app);
    const phone = openBrowser(app.url, undefined, app.config.publicUrl);
    await phone.signIn({ email: mia.email, password: mia.password });
    const token = { accessToken: (await phone.renew()).body.accessToken };
    const outcome = async () => (await app.call(getProfile, current, token)).problem?.code ?? 'in';
    const ofMia = { params: { personId: mia.id } };
    const list = async (of = ofMia) => (await olga.call(listSessionsOfPerson, of)).body.sessions;

    const [last] = await list();
    expect(await list()).toHaveLength(2);
    expect(JSON.stringify(await list())).not.toMatch(/secret|hash|127\.0\.0\.1/i);
    const support = await signIn(app, { roles: ['support'] });
    expect((await support.call(listSessionsOfPerson, ofMia)).status).toBe(200);
    for (const refused of [
      await support.call(endSessionsOfPerson, ofMia),
      await mia.call(listSessionsOfPerson, ofMia),
    ])
      expect(refused.problem?.code).toBe('RIGHT_MISSING');

    const one = { params: { personId: mia.id, sessionId: last?.id ?? '' } };
    const ofOlga = { params: { personId: olga.id, sessionId: last?.id ?? '' } };
    expect((await olga.call(endSessionOfPerson, ofOlga)).problem?.code).toBe('NOT_FOUND');
    expect((await olga.call(endSessionOfPerson, one)).status).toBe(204);
    expect((await olga.call(endSessionOfPerson, one)).problem?.code).toBe('NOT_FOUND');
    expect(await list()).toHaveLength(1);
    expect((await olga.call(endSessionsOfPerson, ofMia)).body).toEqual({ ended: 1 });
    expect(await outcome()).toBe('SESSION_ENDED');
    // Nor does the provider remember that browser.
    expect((await phone.go('/auth/login')).path).toMatch(/^\/idp\/sign-in\//);

    expect((await olga.call(endSessionsOfPerson, { params: { personId: olga.id } })).body).toEqual({
      ended: 0,
    });
    const own = (await list({ params: { personId: olga.id } }))[0];
    expect(own?.current).toBe(true);
    const itself = { params: { personId: olga.id, sessionId: own?.id ?? '' } };
    expect((await olga.call(endSessionOfPerson, itself)).problem?.code).toBe('CONFLICT');
    expect((await olga.call(listSessionsOfPerson, { params: { personId: 'nobody' } })).status).toBe(404);

    const { entries } = (await olga.call(listAudit, { query: { about: mia.id } })).body;
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['person.sign-out', 'person.end-session']),
    );
  });
});
