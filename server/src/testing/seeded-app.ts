import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { createFlag, listClientKeys, type ClientKeyKind } from '#features/flags/contract/flags.ts';
import { getPerson, invitePerson, setBlocked } from '#features/people/contract/people.ts';
import { signOut } from '#features/session/contract/session.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { startApp, type TestApp } from './app.ts';
import type { Engine } from './fresh-database.ts';
import { addError } from './errors.ts';
import { movableClock } from './movable-clock.ts';
import { signIn, type SignedIn } from './signed-in.ts';
import { upload } from './upload.ts';

/** An application with data of each kind, and callers of each kind. */
export type SeededApp = {
  app: TestApp;
  operator: SignedIn;
  member: SignedIn;
  /** Signed in, then blocked. */
  blocked: SignedIn;
  /** Signed in, then out. */
  gone: SignedIn;
  invitedId: string;
  flagKey: string;
  /** Of the operator. */
  fileId: string;
  /** Of the member. */
  reportId: string;
  /** Switched off, so that nothing is sent. */
  webhookId: string;
  /** Errors of Portico's own project. */
  errorIds: string[];
  clientKeys: Record<ClientKeyKind, string>;
};

/**
 * Rate limits are high, for tests that call every route. The caller stops the application and removes its
 * data.
 */
export async function startSeededApp(engine: Engine): Promise<SeededApp> {
  // The clock stands still: a sign-in ends after minutes, and the many tests that share it may take longer.
  const app = await startApp({ engine, clock: movableClock() });
  const operator = await signIn(app, { roles: ['operator'] });
  const [member, blocked, gone] = [
    await signIn(app, { roles: ['member'] }),
    await signIn(app),
    await signIn(app),
  ];

  const { version } = (await operator.call(getPerson, { params: { personId: blocked.id } })).body;
  await operator.call(setBlocked, { params: { personId: blocked.id }, body: { blocked: true, version } });
  await app.call(signOut, {}, { cookies: gone.browser.cookies.copy() });

  const invited = { email: 'invited@example.org', firstName: 'Ina', lastName: '', roles: [] };
  const invitedId = (await operator.call(invitePerson, { body: invited })).body.person.id;
  const flag = { type: 'boolean', enabled: true, description: '', defaultValue: true } as const;
  const created = await operator.call(createFlag, { body: { ...flag, key: 'a-flag', rules: [], tags: [] } });
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const hook = { url: 'https://example.org/hook', description: '', enabled: false };
  const keyOf = (kind: ClientKeyKind) => clientKeys.find((each) => each.kind === kind)?.key ?? '';
  return {
    app,
    operator,
    member,
    blocked,
    gone,
    invitedId,
    flagKey: created.body.key,
    fileId: (await upload(app, operator, [{ filename: 'a.txt', bytes: 'a text' }]))[0]?.id ?? '',
    reportId: (await member.call(saveFeedback, { body: { message: 'It is broken.' } })).body.id,
    webhookId: (await operator.call(addWebhook, { body: hook })).body.webhook.id,
    errorIds: [(await addError(app, {})).id, (await addError(app, {})).id],
    clientKeys: { plain: keyOf('plain'), 'remote-eval': keyOf('remote-eval'), personal: keyOf('personal') },
  };
}
