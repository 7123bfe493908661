import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { refuseStale } from '#server/platform/http/http-problem.ts';
import type { Mark, Picture } from './read-mark.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row; null where it is Portico's own. */
    branding: {
      id: number;
      name: string | null;
      accent: string | null;
      /** A hash of the mark's type and bytes, for the address under which it is served. */
      mark_id: string | null;
      mark_type: string | null;
      mark: Uint8Array | null;
      /** On the maintenance page. */
      contact: string | null;
      status_url: string | null;
      /** Next to the sign-in. */
      picture_id: string | null;
      picture_type: string | null;
      picture: Uint8Array | null;
      changed_at: number | null;
      changed_by: string | null;
      changed_by_id: string | null;
      version: number;
    };
  }
}

/** How the installation looks, as stored; null is Portico's own. */
export type StoredBranding = {
  name: string | null;
  accent: string | null;
  mark: Mark | null;
  picture: Picture | null;
  contact: string | null;
  statusUrl: string | null;
  changedAt: number | null;
  changedBy: string | null;
  version: number;
};

export type BrandingDraft = {
  name: string | null;
  accent: string | null;
  /** A field that is left out stays as it is stored. */
  mark?: Mark | null;
  picture?: Picture | null;
  contact?: string | null;
  statusUrl?: string | null;
  version: number;
};

export async function readBranding(read: Reader): Promise<StoredBranding> {
  const row = await read
    .selectFrom('branding')
    .selectAll()
    .select(authorOf('branding.changed_by').as('changedBy'))
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  const { mark_id: id, mark_type: contentType, mark: bytes } = row;
  return {
    name: row.name,
    accent: row.accent,
    mark:
      id === null || bytes === null ? null : { id, contentType: contentType as Mark['contentType'], bytes },
    picture:
      row.picture_id === null || row.picture === null
        ? null
        : {
            id: row.picture_id,
            contentType: row.picture_type as Picture['contentType'],
            bytes: row.picture,
          },
    contact: row.contact,
    statusUrl: row.status_url,
    changedAt: row.changed_at,
    changedBy: row.changedBy,
    version: row.version,
  };
}

/** Replaces the branding; answers the previous one. Throws VERSION_CONFLICT. */
export async function writeBranding(
  change: Change,
  draft: BrandingDraft,
  actor: Actor,
): Promise<StoredBranding> {
  const before = await readBranding(change.tx);
  refuseStale(before, draft.version);
  const { mark, picture, contact, statusUrl } = { ...before, ...draft };
  await change.tx
    .updateTable('branding')
    .set({
      name: draft.name,
      accent: draft.accent,
      mark_id: mark?.id ?? null,
      mark_type: mark?.contentType ?? null,
      mark: mark?.bytes ?? null,
      contact,
      status_url: statusUrl,
      picture_id: picture?.id ?? null,
      picture_type: picture?.contentType ?? null,
      picture: picture?.bytes ?? null,
      changed_at: change.at,
      ...writtenBy('changed_by', actor),
      version: nextVersion,
    })
    .where('id', '=', 1)
    .execute();
  change.publish('branding');
  return before;
}
