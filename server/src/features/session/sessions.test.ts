import { expect, it } from 'vitest';
import { openChangeFeed } from '../../platform/change-feed.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { afterThisTest, freshDatabase } from '../../testing/fresh-database.ts';
import { addPerson } from '../../testing/people.ts';
import { createAccessTokens } from './access-token.ts';
import { cookieNames } from './cookie-names.ts';
import { createSessions, type Standing } from './sessions.ts';

it('SES-7: a verification that was under way while the session ended is not remembered', async () => {
  const place = await freshDatabase('sqlite');
  const clock = systemClock;
  const database = await openDatabase(place.location, clock);
  afterThisTest(() => database.close());
  const feed = await openChangeFeed(database, createLogger('silent'));
  afterThisTest(() => feed.close());
  const personId = await addPerson({ database });
  const active: Standing = { state: 'active', email: 'mia@example.org' };
  let standing = () => Promise.resolve(active);
  const tokens = createAccessTokens({ database, feed, clock, publicUrl: 'http://localhost' });
  const sessions = createSessions({
    database,
    feed,
    clock,
    tokens,
    cookies: cookieNames('test', false),
    idleMs: 3_600_000,
    maxMs: 3_600_000,
    mapSecret: 'secret',
    standing: () => standing(),
    apiTokens: { isApiToken: () => false, identify: () => Promise.reject(new Error('none')) },
    personSeen: () => Promise.resolve(),
  });
  await sessions.open({ personId, idToken: '' }, undefined);
  const { id } = await database.read.selectFrom('session').select('id').executeTakeFirstOrThrow();
  const { accessToken } = await tokens.issue(personId, id);

  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  standing = async () => {
    asked.resolve();
    await held.promise;
    return active;
  };
  const underWay = sessions.identify(accessToken);
  await asked.promise;
  await sessions.end(id);
  held.resolve();

  await underWay;
  await expect(sessions.identify(accessToken)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
});
