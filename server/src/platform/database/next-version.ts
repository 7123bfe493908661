import { sql } from 'kysely';

/** What an update sets the column `version` to, so that a write against an earlier version is refused. */
export const nextVersion = sql<number>`version + 1`;
