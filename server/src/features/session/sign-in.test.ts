import { describe, expect, it } from 'vitest';
import { getProfile } from '@portico/contract/profile';
import { startApp } from '../../testing/app.ts';
import { openBrowser } from '../../testing/browser.ts';
import { engines } from '../../testing/fresh-database.ts';
import { addPerson } from '../../testing/people.ts';

const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };

describe.each(engines)('signing in on %s', (engine) => {
  it('SES-1: leads through the provider back to where the person wanted to go, with a session', async () => {
    const app = await startApp({ engine });
    const id = await addPerson(app, mia);
    const browser = openBrowser(app.url);

    const { path, problem } = await browser.signIn(mia, '/flags?search=a');

    expect(problem).toBeNull();
    expect(path).toBe('/flags?search=a');
    const { body } = await browser.renew();
    const profile = await app.call(
      getProfile,
      { params: { userId: 'current' } },
      { accessToken: body.accessToken },
    );
    expect(profile.body).toMatchObject({ id, email: mia.email });
  });
});
