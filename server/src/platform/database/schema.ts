// The tables, as both engines hold them: text, integers, times as integer milliseconds, JSON as text, 0/1 for
// no/yes. Here are those of the platform. Each store declares the tables that it alone writes, as `declare module`.

import type { Generated, Selectable } from 'kysely';

export interface Tables {
  /**
   * One row. `n` counts guarded changes, `at` never goes back and never repeats. Written by `database.ts`.
   */
  revision: { id: number; n: number; at: number };
  /** The last change of each topic. Written by `database.ts`, read by `change-feed.ts` and events. */
  changed: { topic: string; key: string; revision: number; at: number };
  /**
   * What was created under an id of a client, for a day. The id is stored hashed, and what was answered is
   * encrypted with a key derived from it. Written by `platform/http/creations.ts`.
   */
  creation: { key_hash: string; caller: string; content: string; answer: string; created_at: number };
  /** Small facts of the installation. Written by `platform/database/setting.ts`. */
  setting: { name: string; value: string };
  /** session and identity-provider: private keys as JWK */
  signing_key: {
    kid: string;
    purpose: string;
    jwk: string;
    created_at: number;
    /** From this time the key signs, until another key does; it verifies before and after. */
    signs_from: Generated<number>;
  };
  /** Contents that a file named once, on SQLite: written by a trigger of `file`, read by the sweep. */
  removed_content: { hash: string; at: number };
  /**
   * Contents of files in an object store: `stored`, `waiting` here to be sent to it, or `removing`. `at`: when it
   * was written last, or before which it is not sent. Written by `platform/files/contents-in-objects.ts`.
   */
  object_content: { hash: string; size: number; state: 'stored' | 'waiting' | 'removing'; at: number };
  /** Bytes of files in pieces, on PostgreSQL only. Written by `platform/files/file-store.ts`. */
  file_chunk: { hash: string; position: number; bytes: Uint8Array; stored_at: number };
}

/**
 * What happens to a text column when a person is erased:
 *
 * - `not personal`: the column holds no personal data and stays.
 * - `own`: the row is about the person, such as a session, and is deleted.
 * - `name`: the row is about something else, and the column holds the email address of its author, such as
 *   `created_by`: a pseudonym replaces the address. Next to it `created_by_id` of the fate `id` holds the
 *   person's id, from which the author is read (decision 0077). For a new one, `testing/personal-data.ts` of the
 *   capability has to write a row that names the person.
 * - `unlinked`: the column holds the person's id, which is removed; the row stays.
 * - `rewritten`: the person's name and addresses are replaced inside the text.
 * - `id`: the id stays, so that rows that belong together still do. It no longer identifies anyone.
 * - `free text`: a text about something else, such as a title, stays unchanged even if it mentions the
 *   person. The preview lists flags that do, for an operator to edit; other tables are not searched.
 */
export type Fate = 'not personal' | 'own' | 'name' | 'unlinked' | 'rewritten' | 'id' | 'free text';

/** Columns that can hold text. */
type TextColumn<Row> = keyof { [C in keyof Row as Extract<Row[C], string> extends never ? never : C]: C };

/** The text columns of every table, by fate (BUG-10). */
export type Fates = {
  readonly [T in keyof Tables]: { readonly [F in Fate]?: readonly TextColumn<Selectable<Tables[T]>>[] };
};

/** A table in which a text column has no fate does not fit: `noFateFor` names the column. */
export type Complete<F> = {
  [T in keyof F]: T extends keyof Tables ? Listing<TextColumn<Selectable<Tables[T]>>, F[T]> : never;
};
type Listing<Column, ByFate> = [Exclude<Column, Listed<ByFate>>] extends [never]
  ? unknown
  : { noFateFor: Exclude<Column, Listed<ByFate>> };
type Listed<ByFate> = {
  [F in keyof ByFate]: ByFate[F] extends readonly (infer C)[] ? C : never;
}[keyof ByFate];
