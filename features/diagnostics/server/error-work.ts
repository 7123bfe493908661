import { sql, type Kysely } from 'kysely';
import {
  errorList,
  errorLimits,
  type ErrorComment,
  type FullError,
} from '#features/diagnostics/contract/diagnostics.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { authorOf } from '#features/directory/server/authors.ts';
import { countRows } from '#server/platform/database/sql.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { findError } from './error-list.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    error_comment: {
      id: string;
      group_id: string;
      text: string;
      at: number;
      author_kind: string;
      author_id: string | null;
      author_name: string;
    };
  }
}

export async function createErrorWork(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('error_group').addColumn('assignee_id', 'text').execute();
  await schema
    .createTable('error_comment')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('group_id', 'text', (column) => column.notNull().references('error_group.id'))
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('author_kind', 'text', (column) => column.notNull())
    .addColumn('author_id', 'text')
    .addColumn('author_name', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('error_comment_group').on('error_comment').columns(['group_id', 'at']).execute();
  await sql`create index error_group_assignee on error_group (assignee_id) where assignee_id is not null`.execute(
    db,
  );
}

/** The comments on an error, oldest first. */
export async function commentsOf(read: Reader, errorId: string): Promise<ErrorComment[]> {
  const rows = await read
    .selectFrom('error_comment')
    .selectAll()
    .select(authorOf('error_comment.author_name').as('by'))
    .where('group_id', '=', errorId)
    .orderBy('at')
    .execute();
  return rows.map(commentOf);
}

function commentOf(row: {
  id: string;
  text: string;
  at: number;
  author_kind: string;
  author_id: string | null;
  by: string;
}): ErrorComment {
  return {
    id: row.id,
    text: row.text,
    at: row.at,
    by: row.by,
    authorId: row.author_kind === 'person' ? row.author_id : null,
  };
}

/** Adds a comment to an error. Throws NOT_FOUND; CONFLICT where the error has too many comments. */
export async function addComment(
  change: Change,
  author: Caller,
  errorId: string,
  text: string,
): Promise<ErrorComment> {
  await findError(change.tx, errorId);
  const ofError = change.tx.selectFrom('error_comment').where('group_id', '=', errorId);
  if ((await countRows(ofError)) >= errorLimits.comments) {
    throw new HttpProblem('CONFLICT', { detail: `An error has at most ${errorLimits.comments} comments.` });
  }
  const row = {
    id: newId(),
    group_id: errorId,
    text,
    at: change.at,
    author_kind: author.kind,
    author_id: author.id,
    author_name: author.name,
  };
  await change.tx.insertInto('error_comment').values(row).execute();
  publishList(change, errorList);
  const after = { characters: text.length };
  await recordAudit(change, author, { action: 'error.comment', subject: errorId, after });
  return commentOf({ ...row, by: author.name });
}

/** Removes the caller's own comment. Throws NOT_FOUND; RIGHT_MISSING where the comment is another's. */
export async function removeComment(
  change: Change,
  caller: Caller,
  { errorId, commentId }: { errorId: string; commentId: string },
): Promise<void> {
  await findError(change.tx, errorId);
  const found = await change.tx
    .selectFrom('error_comment')
    .selectAll()
    .where('group_id', '=', errorId)
    .where('id', '=', commentId)
    .executeTakeFirst();
  const { author_id: authorId, text } = orNotFound(found, 'There is no such comment.');
  if (authorId !== caller.id) {
    throw new HttpProblem('RIGHT_MISSING', { detail: 'Only its author removes a comment.' });
  }
  await change.tx.deleteFrom('error_comment').where('id', '=', commentId).execute();
  publishList(change, errorList);
  const before = { characters: text.length };
  await recordAudit(change, caller, { action: 'error.remove-comment', subject: errorId, before });
}

const mostSimilar = 5;

/** Other errors of the same kind with the same message or the same place, the latest first. */
export async function similarTo(
  read: Reader,
  { id, kind, message, place }: { id: string; kind: string; message: string; place: string },
): Promise<FullError['similar']> {
  const rows = await read
    .selectFrom('error_group')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'error_group.project_id')
    .select(['error_group.id', 'kind', 'message', 'diagnostic_project.name', 'status', 'last_seen_at'])
    .where('kind', '=', kind)
    .where((row) =>
      row.or([row('message', '=', message), ...(place === '' ? [] : [row('place', '=', place)])]),
    )
    .where('error_group.id', '!=', id)
    .where('status', '!=', 'deleted')
    .where('removed_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(mostSimilar)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    message: row.message,
    projectName: row.name,
    status: row.status as FullError['status'],
    lastSeenAt: row.last_seen_at,
  }));
}

/** Removes an erased person as assignee of errors and as author of comments; the comments stay (BUG-10). */
export async function erasePersonFromErrorWork(
  change: Change,
  { personId, pseudonym }: { personId: string; pseudonym: string },
): Promise<void> {
  await change.tx
    .updateTable('error_group')
    .set({ assignee_id: null })
    .where('assignee_id', '=', personId)
    .execute();
  await change.tx
    .updateTable('error_comment')
    .set({ author_id: null, author_name: pseudonym })
    .where('author_id', '=', personId)
    .execute();
  publishList(change, errorList);
}
