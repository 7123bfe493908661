import type { CallOf, Route } from '#contract/route.ts';
import type { TestApp } from './app.ts';
import { openBrowser, type Browser } from './browser.ts';
import type { Answer, ClientOptions } from './client.ts';
import { addPerson, type PersonToAdd } from './people.ts';

/** A person who has signed in through the provider's form, and what their browser holds. */
export type SignedIn = {
  id: string;
  email: string;
  password: string;
  browser: Browser;
  accessToken: string;
  /** Calls a route as this person. */
  call<const R extends Route>(
    route: R,
    call: CallOf<R>,
    options?: Pick<ClientOptions, 'headers'>,
  ): Promise<Answer<R>>;
};

const password = 'seven green lanterns';
let count = 0;

/** Adds a person and signs them in, by the redirects and the form that people go through. */
export async function signIn(app: TestApp, person: Omit<PersonToAdd, 'password'> = {}): Promise<SignedIn> {
  const { email = `person-${(count += 1)}@example.org` } = person;
  const id = await addPerson(app, { ...person, email, password });
  const browser = openBrowser(app.url, undefined, app.config.publicUrl);
  const { problem } = await browser.signIn({ email, password });
  if (problem !== null) throw new Error(`${email} could not sign in: ${problem.code}`);
  const { accessToken } = (await browser.renew()).body;
  return {
    id,
    email,
    password,
    browser,
    accessToken,
    call: (route, call, options) =>
      app.call(route, call, { ...options, accessToken, cookies: browser.cookies }),
  };
}
