import { request } from 'node:http';
import { feedbackLimits, saveFeedback } from '#features/feedback/contract/feedback.ts';
import { fileLimits } from '#features/files/contract/files.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile } from '#server/testing/png.ts';
import { signIn } from '#server/testing/signed-in.ts';
import type { HttpProblem } from '#server/platform/http/http-problem.ts';
import { createRateLimit } from '#server/platform/http/rate-limit.ts';
import { addFile } from '#features/files/server/files.store.ts';
import { createPictureQuota } from './picture-quota.ts';

const mebibyte = 1024 * 1024;

/** Announces a body and sends only its first byte: an answer comes before the rest was read. */
function answerBeforeBody(app: TestApp, bytes: number, accessToken?: string): Promise<number> {
  return new Promise((done, fail) => {
    const sent = request(new URL(saveFeedback.path, app.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(bytes),
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
    });
    sent.on('response', (answer) => {
      done(answer.statusCode ?? 0);
      sent.destroy();
    });
    sent.on('error', fail);
    sent.write('{');
  });
}

it('BUG-6: a sender who leaves while the quota is read holds no room for a body', async () => {
  const app = await startApp({ engine: 'postgres' });
  const accessToken = await addToken(app, { rights: [] });
  await app.database.transaction(async (tx) => {
    await sql`lock table file in access exclusive mode`.execute(tx);
    app.fastify.server.once('request', (_request, response) => response.destroy());
    await expect(answerBeforeBody(app, feedbackLimits.bodyBytes, accessToken)).rejects.toThrow(
      'socket hang up',
    );
  });
  const { status } = await app.call(saveFeedback, { body: { message: 'A report' } }, { accessToken });
  expect(status).toBe(201);
});

describe('the room for pictures of reports', () => {
  async function start() {
    const clock = movableClock();
    const app = await startApp({
      engine: 'sqlite',
      clock,
      config: { feedbackWithoutSignIn: true, rateLimitScale: 1 },
    });
    return { app, clock };
  }

  const picture = pngFile({ width: 800, height: 800, level: 0 });
  const body = (n: number) => ({
    message: `Report ${n}`,
    eventId: String(n).padStart(32, '0'),
    attachments: [{ data: picture.toString('base64'), filename: 'a.png', contentType: 'image/png' }],
  });

  it('BUG-6: is refused by the length of a body, before it is read, once it is used up', async () => {
    const { app } = await start();
    const ada = await signIn(app);
    const owned = { owner: ada.id, size: fileLimits.ownerBytes - 2 * mebibyte, hash: 'a'.repeat(64), at: 1 };
    const file = { filename: 'a', contentType: 'image/png', width: 1, height: 1 };
    expect((await ada.call(saveFeedback, { body: body(1) })).status).toBe(201);
    await app.database.transaction((tx) => addFile(tx, { ...owned, ...file }));
    // Some are read all the same: each may be a report whose answer was lost.
    expect((await ada.call(saveFeedback, { body: body(1) })).status).toBe(201);
    for (const n of [2, 3])
      expect((await ada.call(saveFeedback, { body: body(n) })).problem?.code).toBe('STORAGE_FULL');
    expect(await answerBeforeBody(app, 3 * mebibyte, ada.accessToken)).toBe(413);
    expect((await ada.call(saveFeedback, { body: { message: 'Without' } })).status).toBe(201);
  });

  it('BUG-6: takes so many bytes a minute from a person, an address, and from all who are not signed in', async () => {
    const { app, clock } = await start();
    const limit = (burst: number) => createRateLimit({ burst, perSecond: burst / 60 }, clock, 1);
    const quota = createPictureQuota({
      stored: limit(1_000 * mebibyte),
      sender: limit(2 * mebibyte),
      address: limit(2 * mebibyte),
      anonymous: limit(3 * mebibyte),
      repeated: limit(1),
    });
    const admit = (id: string | null, address: string, bytes = mebibyte) =>
      quota.admit(app.database.read, { id, address }, bytes).then(
        () => 'read',
        ({ code }: HttpProblem) => code,
      );
    const person = [await admit('p', 'a'), await admit('p', 'a'), await admit('p', 'a')];
    expect(person).toEqual(['read', 'read', 'TOO_MANY_REQUESTS']);
    expect(await admit('p', 'a', 262_144)).toBe('read');
    const address = [await admit(null, 'a'), await admit(null, 'a'), await admit(null, 'a')];
    expect(address).toEqual(['read', 'read', 'TOO_MANY_REQUESTS']);
    const others = [await admit(null, 'b'), await admit(null, 'c'), await admit('q', 'c')];
    expect(others).toEqual(['read', 'TOO_MANY_REQUESTS', 'read']);
    clock.move(60_000);
    expect([await admit('p', 'a'), await admit(null, 'c')]).toEqual(['read', 'read']);
  });
});
