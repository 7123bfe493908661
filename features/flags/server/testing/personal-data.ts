import {
  addClientKey,
  createFlag,
  evaluateFeatures,
  renameClientKey,
  revokeClientKey,
} from '#features/flags/contract/flags.ts';
import { proposeFlag } from '#features/flags/contract/review.ts';
import { createSegment } from '#features/flags/contract/segments.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  await person.call(createFlag, {
    body: {
      key: 'a-flag',
      type: 'boolean',
      enabled: true,
      description: '',
      defaultValue: true,
      rules: [
        {
          variations: [true, false],
          hashAttribute: 'email',
          meta: [{ passthrough: true }, { passthrough: true }],
        },
        { variations: [true, false] },
      ],
      tags: [],
    },
  });
  const values = `${person.id}\n${person.email}\nanother`;
  const proposal = { type: 'boolean' as const, description: '', defaultValue: true, rules: [], tags: [] };
  const proposed = await person.call(proposeFlag, {
    params: { flagKey: 'a-flag' },
    body: { ...proposal, note: 'a note', publishAt: null, version: 1, replaces: null },
  });
  expect(proposed.status).toBe(200);
  // Stores a review by the author, which the routes refuse.
  await app.database.transaction((tx) =>
    tx
      .updateTable('flag_proposal')
      .set({ approved: 0, reviewed_at: 1, reviewed_by: person.email, reviewed_by_id: person.id })
      .execute(),
  );
  const segment = { name: 'people', description: '', numbers: false };
  const inList = { ...segment, kind: 'list' as const, attribute: 'id', values };
  expect((await person.call(createSegment, { body: inList })).status).toBe(201);
  const condition = { email: { $in: [person.email] } };
  const byCondition = { ...segment, kind: 'condition' as const, attribute: '', condition };
  expect((await person.call(createSegment, { body: byCondition })).status).toBe(201);
  const { key: clientKey } = (await person.call(addClientKey, { body: { name: 'site', kind: 'plain' } }))
    .body;
  expect((await person.call(revokeClientKey, { params: { clientKey } })).status).toBe(204);

  const remote = (await person.call(addClientKey, { body: { name: 'shop', kind: 'remote-eval' } })).body.key;
  const kept = { params: { clientKey: remote }, body: { name: 'shop', stickyBuckets: true, version: 1 } };
  expect((await person.call(renameClientKey, kept)).status).toBe(200);
  const attributes = { id: person.id, email: person.email.toUpperCase() };
  const evaluated = await app.call(evaluateFeatures, {
    params: { clientKey: remote },
    body: { attributes },
  } as never);
  expect(evaluated.status).toBe(200);
  await expect
    .poll(() => app.database.read.selectFrom('sticky_bucket').select('value').execute())
    .toHaveLength(2);
}
