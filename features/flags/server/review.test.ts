import {
  createFlag,
  deleteFlag,
  getFlag,
  listClientKeys,
  listFlags,
  listFlagVersions,
  steerRamp,
  switchFlag,
  updateFlag,
} from '#features/flags/contract/flags.ts';
import {
  proposeFlag,
  publishFlag,
  reviewFlag,
  setFlagReview,
  withdrawFlag,
} from '#features/flags/contract/review.ts';
import { importFlags, previewImport } from '#features/flags/contract/flag-exchange.ts';
import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { listAudit } from '#features/audit/contract/audit.ts';
import { getOverview } from '#features/overview/contract/overview.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import type { Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { addToken } from '#server/testing/people.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';

// Access tokens last five.
const minute = 60_000;
const params = { flagKey: 'MAP' };
const draft = { type: 'boolean' as const, description: '', defaultValue: false, rules: [], tags: [] };
const on = { ...draft, rules: [{ force: true }] };

/** An installation that asks for reviews, with two operators, and the flag MAP, which is on and false. */
async function open(engine: Engine = 'sqlite') {
  const clock = movableClock(Date.UTC(2026, 9, 26));
  const app = await startApp({ engine, clock });
  const [author, other] = [
    await signIn(app, { roles: ['operator'] }),
    await signIn(app, { roles: ['operator'] }),
  ];
  await author.call(createFlag, { body: { ...draft, key: 'MAP', enabled: true } });
  expect((await author.call(setFlagReview, { body: { required: true, version: 1 } })).status).toBe(200);
  const flag = async () => (await author.call(getFlag, { params })).body;
  const propose = async (more: object = {}, by: Pick<typeof author, 'call'> = author) => {
    const { version, proposal } = await flag();
    const body = {
      ...on,
      note: 'for the pilots',
      publishAt: null,
      version,
      replaces: proposal?.version ?? null,
    };
    const answer = await by.call(proposeFlag, { params, body: { ...body, ...more } });
    return answer.problem?.code ?? answer.body.version;
  };
  const review = (version: number, approved = true) =>
    other.call(reviewFlag, { params, body: { approved, note: '', version } });
  return { app, clock, author, other, flag, propose, review };
}

async function served(app: TestApp, by: Awaited<ReturnType<typeof signIn>>) {
  const { clientKeys } = (await by.call(listClientKeys, {})).body;
  const key = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
  const { features } = (await (await fetch(`${app.url}/api/features/${key}`)).json()) as {
    features: Record<string, object>;
  };
  return features['MAP'];
}

describe('FLAG-22: where changes need a review', () => {
  it('every door refuses what clients would see, and nothing else', async () => {
    const { author, flag } = await open();
    const { version } = await flag();
    const schedule = { from: Date.UTC(2026, 9, 25), zone: 'UTC' };
    const ramp = { steps: [{ coverage: 0.1, minutes: 60_000 }, { coverage: 1 }] };
    const refused = async (call: Promise<{ problem: { code: string } | null }>) => (await call).problem?.code;
    expect(await refused(author.call(updateFlag, { params, body: { ...on, version } }))).toBe(
      'REVIEW_REQUIRED',
    );
    expect(await refused(author.call(createFlag, { body: { ...on, key: 'NEW', enabled: true } }))).toBe(
      'REVIEW_REQUIRED',
    );
    const document = JSON.stringify({
      portico: 'flags',
      flags: [{ key: 'MAP', ...on, enabled: true, forSignedOut: false, killSwitch: false }],
      segments: [],
    });
    const { basis } = (await author.call(previewImport, { body: { document } })).body;
    expect(await refused(author.call(importFlags, { body: { document, basis } }))).toBe('REVIEW_REQUIRED');

    const rules = [{ force: true, schedule, ramp }];
    const made = await author.call(createFlag, { body: { ...draft, rules, key: 'RAMP', enabled: false } });
    expect(made.status).toBe(201);
    const ofRamp = { params: { flagKey: 'RAMP' } };
    const turn = { enabled: true, version: 1 };
    expect(await refused(author.call(switchFlag, { ...ofRamp, body: turn }))).toBe('REVIEW_REQUIRED');
    const bypass = { bypassReview: true, note: 'the map is down' };
    expect((await author.call(switchFlag, { ...ofRamp, body: { ...turn, ...bypass } })).status).toBe(200);
    const steer = (action: 'pause' | 'end', of: number) =>
      author.call(steerRamp, { ...ofRamp, body: { rule: 0, action, version: of } });
    expect((await steer('pause', 2)).status).toBe(200);
    expect((await steer('end', 3)).problem?.code).toBe('REVIEW_REQUIRED');

    const described = { ...draft, description: 'The map', version };
    expect((await author.call(updateFlag, { params, body: described })).status).toBe(200);
    const off = { enabled: false, version: version + 1 };
    expect((await author.call(switchFlag, { params, body: off })).status).toBe(200);
    expect((await author.call(updateFlag, { params, body: { ...on, version: version + 2 } })).status).toBe(
      200,
    );
    expect((await author.call(deleteFlag, { ...ofRamp, query: { version: 3 } })).status).toBe(204);
  });

  it('a bypass takes a right of its own and a reason, which its version names', async () => {
    const { app, author, flag } = await open();
    const { version } = await flag();
    const writer = { accessToken: await addToken(app, { rights: ['FLAGS_READ', 'FLAGS_WRITE'] }) };
    const body = { ...on, version, bypassReview: true };
    expect(
      (await app.call(updateFlag, { params, body: { ...body, note: 'now' } }, writer)).problem?.code,
    ).toBe('RIGHT_MISSING');
    expect((await author.call(updateFlag, { params, body })).problem).toMatchObject({
      code: 'INVALID_BODY',
      errors: [{ pointer: '/note', code: 'required' }],
    });
    expect((await author.call(updateFlag, { params, body: { ...body, note: 'now' } })).status).toBe(200);
    const { versions } = (await author.call(listFlagVersions, { params, query: {} })).body;
    expect(versions).toMatchObject([
      { note: 'now', bypassed: true, approvedBy: null },
      { note: '', bypassed: false },
    ]);
  });

  it('nobody approves their own proposal, by themselves or between them and a token of theirs', async () => {
    const { app, author, other, propose } = await open();
    const rights = ['FLAGS_READ', 'FLAGS_WRITE', 'FLAGS_APPROVE'] as const;
    const expiresAt = Date.UTC(2026, 10, 20);
    const made = await author.call(createApiToken, { body: { name: 'bot', rights: [...rights], expiresAt } });
    const bot = { accessToken: made.body.secret };
    const approve = (by: { accessToken: string } | typeof author, version: number) => {
      const given = { params, body: { approved: true, note: '', version } };
      return 'call' in by ? by.call(reviewFlag, given) : app.call(reviewFlag, given, by);
    };
    let version = Number(await propose());
    for (const by of [author, bot]) expect((await approve(by, version)).problem?.code).toBe('RIGHT_MISSING');
    version = Number(await propose({}, { call: (route, given) => app.call(route, given, bot) as never }));
    for (const by of [author, bot]) expect((await approve(by, version)).problem?.code).toBe('RIGHT_MISSING');
    expect((await approve(other, version)).status).toBe(200);

    // As made on the command line: without an owner.
    const ownerless = { accessToken: await addToken(app, { rights: [...rights] }) };
    const proposed = propose({}, { call: (route, given) => app.call(route, given, ownerless) as never });
    expect(await proposed).toBe('RIGHT_MISSING');
  });

  it('another proposal, and another flag, end an approval', async () => {
    const { author, other, flag, propose, review } = await open();
    const publish = (version: number) => author.call(publishFlag, { params, body: { version } });
    const first = Number(await propose());
    expect((await publish(first)).problem?.code).toBe('CONFLICT');
    expect((await review(first)).status).toBe(200);
    const approved = (await flag()).proposal;
    expect(approved).toMatchObject({ own: true, review: { approved: true, by: other.email } });
    expect((await publish(first)).problem?.code).toBe('VERSION_CONFLICT');

    const second = Number(await propose());
    expect((await flag()).proposal?.review).toBeNull();
    expect((await review(approved?.version ?? 0)).problem?.code).toBe('VERSION_CONFLICT');
    expect((await review(second)).status).toBe(200);
    const { version, proposal } = await flag();
    await author.call(updateFlag, { params, body: { ...draft, description: 'Since', version } });
    expect((await publish(proposal?.version ?? 0)).problem?.code).toBe('VERSION_CONFLICT');
    expect((await review(proposal?.version ?? 0)).problem?.code).toBe('VERSION_CONFLICT');
    expect((await review(proposal?.version ?? 0, false)).status).toBe(200);

    const withdraw = async () => {
      const query = { version: (await flag()).proposal?.version ?? 0 };
      return (await author.call(withdrawFlag, { params, query })).status;
    };
    expect([await withdraw(), (await flag()).proposal]).toEqual([204, null]);
    expect(await propose({ rules: [{ condition: { $and: 1 } }] })).toBe('INVALID_BODY');
    expect(await propose({ publishAt: 1 })).toBe('INVALID_BODY');
    expect(await propose({ replaces: 7 })).toBe('VERSION_CONFLICT');
  });

  it('webhooks are told what waits and what came of it, and each proposal is in the audit', async () => {
    const { app, author, other, propose, review, flag } = await open();
    const receiver = await startReceiver();
    await author.call(addWebhook, {
      body: { url: `${receiver.url}/hook`, description: '', enabled: true, areas: ['flag'] },
    });
    expect((await review(Number(await propose()), false)).status).toBe(200);
    expect((await author.call(listFlags, {})).body.proposed).toEqual(['MAP']);
    const again = Number(await propose());
    expect((await other.call(getOverview, { query: {} })).body.attention).toContainEqual(
      expect.objectContaining({ kind: 'flag-proposals', count: 1, names: ['MAP'] }),
    );
    expect((await review(again)).status).toBe(200);
    const body = { version: (await flag()).proposal?.version ?? 0 };
    expect((await author.call(publishFlag, { params, body })).status).toBe(204);
    await receiver.arrived(5);
    const told = { key: 'MAP', link: `${app.url}/flags/MAP` };
    expect(receiver.received.map((one) => JSON.parse(one.body) as object)).toMatchObject([
      { type: 'flag.proposal', data: { ...told, status: 'waiting', by: author.email } },
      { data: { status: 'declined', by: other.email } },
      { data: { status: 'waiting' } },
      { data: { status: 'approved' } },
      { type: 'flag.changed', data: { ...told, change: 'update', by: author.email } },
    ]);
    expect(JSON.stringify(receiver.received)).not.toContain('pilots');
    const { entries } = (await author.call(listAudit, { query: { subject: 'MAP' } })).body;
    expect(entries.map(({ action, actor }) => [action, actor.name])).toEqual([
      ['flag.update', author.email],
      ['flag.approve', other.email],
      ['flag.propose', author.email],
      ['flag.decline', other.email],
      ['flag.propose', author.email],
      ['flag.create', author.email],
    ]);
  });
});

describe('FLAG-22: a proposal with a time', () => {
  it('goes to clients once it is due, once over all replicas', async () => {
    const { app, clock, author, other, flag, propose, review } = await open('postgres');
    const publishAt = clock.now() + minute;
    const version = Number(await propose({ publishAt }));
    expect((await review(version)).status).toBe(200);
    const before = await served(app, author);
    clock.move(minute - 1);
    expect(await served(app, author)).toEqual(before);
    await startApp({ replicaOf: app, clock });
    clock.move(minute);
    await expect.poll(async () => (await flag()).proposal).toBeNull();
    const { versions } = (await author.call(listFlagVersions, { params, query: {} })).body;
    expect(versions).toMatchObject([
      {
        version: 2,
        by: author.email,
        note: 'for the pilots',
        approvedBy: other.email,
        flag: { rules: on.rules },
      },
      { version: 1 },
    ]);
    await expect.poll(() => served(app, author)).toMatchObject({ rules: on.rules });
  });
});

it('FLAG-22: a proposal that cannot be published when it is due waits for a person again', async () => {
  const { clock, author, flag, propose, review } = await open();
  expect((await review(Number(await propose({ publishAt: clock.now() + minute })))).status).toBe(200);
  const { version } = await flag();
  await author.call(updateFlag, { params, body: { ...draft, description: 'Since', version } });
  clock.move(2 * minute);
  await expect.poll(async () => (await flag()).proposal?.review).toBeNull();
  expect(await flag()).toMatchObject({ version: version + 1, rules: [] });
});
