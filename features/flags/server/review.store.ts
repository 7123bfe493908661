import { type Flag, type FlagDraft, type FlagProposal, flagList } from '#features/flags/contract/flags.ts';
import type { FlagReview, proposeFlag } from '#features/flags/contract/review.ts';
import type { BodyOf } from '#contract/route.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import type { Change, Database, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import {
  changedMeanwhile,
  HttpProblem,
  invalid,
  orNotFound,
  refuseStale,
} from '#server/platform/http/http-problem.ts';
import { draftedFlag, flagIn, readFlags, replaceFlag } from './flags.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row. */
    flag_review: { id: number; required: number; version: number };
    /** The proposed changes of flags; at most one for each flag. */
    flag_proposal: {
      flag_key: string;
      /** A `FlagDraft` as JSON. */
      flag: string;
      note: string;
      publish_at: number | null;
      /** The version of the flag that the proposal changes. */
      base: number;
      at: number;
      author_kind: string;
      author_id: string | null;
      author_name: string;
      /** The person who may not approve the proposal: its author, or the person who made the author's token. */
      owner_id: string | null;
      /** Null until a person reviews the proposal. */
      approved: number | null;
      review_note: string;
      reviewed_at: number | null;
      reviewed_by: string | null;
      reviewed_by_id: string | null;
      version: number;
    };
  }
}

// The only SQL that writes flag_review and flag_proposal.

export async function readReview(read: Reader): Promise<FlagReview> {
  const row = await read.selectFrom('flag_review').selectAll().executeTakeFirstOrThrow();
  return { required: row.required === 1, version: row.version };
}

const reviews = versionedRows({
  find: readReview,
  audited: ({ required }) => ({ required }),
  stale: changedMeanwhile,
});

/** Throws VERSION_CONFLICT. */
export async function changeReview(
  change: Change,
  { required, version }: FlagReview,
  actor: Caller,
): Promise<FlagReview> {
  const before = await reviews.findAt(change, 'flag-review', version);
  await change.tx
    .updateTable('flag_review')
    .set({ required: required ? 1 : 0, version: nextVersion })
    .execute();
  publishList(change, flagList);
  return reviews.recordWrite(change, actor, { action: 'flag-review.change', subject: 'flag-review', before });
}

function selectProposals(read: Reader) {
  return read
    .selectFrom('flag_proposal')
    .selectAll('flag_proposal')
    .select([
      authorOf('flag_proposal.author_name').as('proposedBy'),
      authorOf('flag_proposal.reviewed_by').as('reviewedBy'),
    ]);
}

type Stored = Omit<FlagProposal, 'own'> & {
  key: string;
  draft: FlagDraft;
  ownerId: string | null;
  author: Actor;
};

function proposalOf(
  row: Awaited<ReturnType<ReturnType<typeof selectProposals>['executeTakeFirstOrThrow']>>,
): Stored {
  const draft = JSON.parse(row.flag) as FlagDraft;
  const { forSignedOut = false, killSwitch = false, ...rest } = draft;
  return {
    key: row.flag_key,
    draft,
    flag: { ...rest, enabled: true, forSignedOut, killSwitch },
    note: row.note,
    publishAt: row.publish_at,
    base: row.base,
    proposedAt: row.at,
    proposedBy: row.proposedBy,
    ownerId: row.owner_id,
    author: {
      kind: row.author_kind as 'person' | 'token',
      id: row.author_id ?? '',
      name: row.author_name,
      sessionId: null,
    },
    review:
      row.approved === null
        ? null
        : {
            approved: row.approved === 1,
            note: row.review_note,
            at: row.reviewed_at ?? 0,
            by: row.reviewedBy ?? '',
          },
    version: row.version,
  };
}

/** The proposals for all flags that are not archived, in order of the flags' keys. */
export async function readProposals(read: Reader): Promise<Stored[]> {
  const rows = await selectProposals(read)
    .innerJoin('flag', 'flag.key', 'flag_key')
    .where('archived_at', 'is', null)
    .orderBy('flag_key')
    .execute();
  return rows.map(proposalOf);
}

/** The proposal for a flag; null if there is none. */
export async function proposalFor(read: Reader, key: string): Promise<Stored | null> {
  const row = await selectProposals(read).where('flag_key', '=', key).executeTakeFirst();
  return row === undefined ? null : proposalOf(row);
}

/** Throws NOT_FOUND and VERSION_CONFLICT. */
async function current(change: Change, key: string, version: number): Promise<Stored> {
  const found = orNotFound(await proposalFor(change.tx, key), `Nothing is proposed for ${key}.`);
  refuseStale(found, version, changedMeanwhile);
  return found;
}

/**
 * Stores a proposed change of a flag. Throws NOT_FOUND; VERSION_CONFLICT if the flag or its proposal has changed
 * since the caller read it; RIGHT_MISSING for a token without an owner; and the errors of `editFlag` for a draft.
 */
export async function proposeChange(
  change: Change,
  key: string,
  { note, publishAt, version, replaces, affected, ...draft }: BodyOf<typeof proposeFlag>,
  actor: Caller,
): Promise<{ version: number }> {
  const all = await readFlags(change.tx);
  const flag = flagIn(all, key);
  refuseStale(flag, version);
  const before = await proposalFor(change.tx, key);
  refuseStale(before, replaces, changedMeanwhile);
  if (publishAt !== null && publishAt <= change.at) throw invalid('/publishAt', 'past', 'is over already');
  const after = await draftedFlag(change, flag, all, { ...draft, affected });
  const maker =
    actor.kind === 'person'
      ? { created_by: actor.id }
      : await change.tx
          .selectFrom('api_token')
          .select('created_by')
          .where('id', '=', actor.id)
          .executeTakeFirstOrThrow();
  // It is unknown who made the token, so it is unknown who may not approve the proposal.
  if (maker.created_by === null)
    throw new HttpProblem('RIGHT_MISSING', {
      detail: 'This token has no owner, so it can propose nothing. Make one with --as, or in the console.',
    });
  await change.tx.deleteFrom('flag_proposal').where('flag_key', '=', key).execute();
  await change.tx
    .insertInto('flag_proposal')
    .values({
      flag_key: key,
      flag: JSON.stringify({ ...draft, forSignedOut: after.forSignedOut, killSwitch: after.killSwitch }),
      note,
      publish_at: publishAt,
      base: version,
      at: change.at,
      author_kind: actor.kind,
      author_id: actor.id,
      author_name: actor.name,
      owner_id: maker.created_by,
      approved: null,
      review_note: '',
      reviewed_at: null,
      ...writtenBy('reviewed_by', null),
      // Never the version of an earlier proposal, which a person may still have on the screen.
      version: change.revision,
    })
    .execute();
  publishList(change, flagList);
  await recordAudit(change, actor, {
    action: 'flag.propose',
    subject: key,
    before: flag,
    after: { ...after, enabled: true, note, ...(publishAt === null ? {} : { publishAt }) },
  });
  return { version: change.revision };
}

/**
 * Approves a proposal, or asks for changes. Throws NOT_FOUND; VERSION_CONFLICT, also if it is approved but the
 * flag has changed since; RIGHT_MISSING for the person who proposed it and for API tokens.
 */
export async function reviewProposal(
  change: Change,
  key: string,
  { approved, note, version }: { approved: boolean; note: string; version: number },
  actor: Caller,
): Promise<{ version: number }> {
  const proposal = await current(change, key, version);
  if (approved) refuseStale(flagIn(await readFlags(change.tx), key), proposal.base);
  if (actor.kind !== 'person' || actor.id === proposal.ownerId)
    throw new HttpProblem('RIGHT_MISSING', {
      detail: 'A change is reviewed by a person, and by another one than has proposed it.',
    });
  await change.tx
    .updateTable('flag_proposal')
    .set({
      approved: approved ? 1 : 0,
      review_note: note,
      reviewed_at: change.at,
      ...writtenBy('reviewed_by', actor),
      version: change.revision,
    })
    .where('flag_key', '=', key)
    .execute();
  publishList(change, flagList);
  await recordAudit(change, actor, {
    action: approved ? 'flag.approve' : 'flag.decline',
    subject: key,
    after: { proposedBy: proposal.proposedBy, note },
  });
  return { version: change.revision };
}

/**
 * Applies a proposal to its flag. Throws NOT_FOUND; VERSION_CONFLICT, also if the flag has changed since; CONFLICT
 * if a required approval is missing; INVALID_BODY if its rules name flags or segments that no longer exist.
 *
 * @param actor null: the proposal's author, when its time of publication has come
 */
export async function publishProposal(
  change: Change,
  key: string,
  version: number,
  actor: Caller | null,
): Promise<{ before: Flag; after: Flag; actor: Actor; note: string; approvedBy: string | null }> {
  const proposal = await current(change, key, version);
  const { draft, base, review, note, author } = proposal;
  const all = await readFlags(change.tx);
  const flag = flagIn(all, key);
  refuseStale(flag, base);
  if (review?.approved !== true && (await readReview(change.tx)).required)
    throw new HttpProblem('CONFLICT', { detail: 'Nobody has approved it yet.' });
  // All flags are passed as `affected`: the author named the affected flags when proposing the change.
  const after = await draftedFlag(change, flag, all, { ...draft, affected: all.map((one) => one.key) });
  await change.tx.deleteFrom('flag_proposal').where('flag_key', '=', key).execute();
  const by = actor ?? author;
  const approvedBy = review?.approved === true ? review.by : null;
  return {
    ...(await replaceFlag(change, flag, { ...after, enabled: true }, by)),
    actor: by,
    note,
    approvedBy,
  };
}

/** Throws NOT_FOUND and VERSION_CONFLICT. */
export async function withdrawProposal(
  change: Change,
  key: string,
  version: number,
  actor: Caller,
): Promise<void> {
  const { note, proposedBy } = await current(change, key, version);
  await change.tx.deleteFrom('flag_proposal').where('flag_key', '=', key).execute();
  publishList(change, flagList);
  await recordAudit(change, actor, { action: 'flag.withdraw', subject: key, before: { proposedBy, note } });
}

/** Publishes approved proposals that are due. A proposal that cannot be published loses its approval. */
export async function publishDue(
  database: Database,
  now: number,
  published: (change: Change, done: Awaited<ReturnType<typeof publishProposal>>) => Promise<void>,
): Promise<void> {
  const due = await database.read
    .selectFrom('flag_proposal')
    .select(['flag_key', 'version'])
    .where('approved', '=', 1)
    .where('publish_at', '<=', now)
    .execute();
  for (const { flag_key: key, version } of due) {
    try {
      await database.change(async (change) =>
        published(change, await publishProposal(change, key, version, null)),
      );
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      await database.change(async (change) => {
        await change.tx
          .updateTable('flag_proposal')
          .set({ approved: null, version: change.revision })
          .where('flag_key', '=', key)
          .where('version', '=', version)
          .execute();
        publishList(change, flagList);
      });
    }
  }
}
