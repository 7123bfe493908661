import type { Change, Reader } from '../../platform/database/database.ts';
import { nextVersion } from '../../platform/database/next-version.ts';
import { refuseStale } from '../../platform/http/refusals.ts';
import type { Mark } from './read-mark.ts';

/** How the installation looks, as stored; null is Portico's own. */
export type StoredBranding = {
  name: string | null;
  accent: string | null;
  mark: Mark | null;
  changedAt: number | null;
  changedBy: string | null;
  version: number;
};

export type BrandingDraft = {
  name: string | null;
  accent: string | null;
  /** Left out: it stays. */
  mark?: Mark | null;
  version: number;
};

export async function readBranding(read: Reader): Promise<StoredBranding> {
  const row = await read.selectFrom('branding').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
  const { mark_id: id, mark_type: contentType, mark: bytes } = row;
  return {
    name: row.name,
    accent: row.accent,
    mark:
      id === null || bytes === null ? null : { id, contentType: contentType as Mark['contentType'], bytes },
    changedAt: row.changed_at,
    changedBy: row.changed_by,
    version: row.version,
  };
}

/** Answers what was there. Throws VERSION_CONFLICT. */
export async function writeBranding(
  change: Change,
  draft: BrandingDraft,
  changedBy: string,
): Promise<StoredBranding> {
  const before = await readBranding(change.tx);
  refuseStale(before, draft.version);
  const mark = draft.mark === undefined ? before.mark : draft.mark;
  await change.tx
    .updateTable('branding')
    .set({
      name: draft.name,
      accent: draft.accent,
      mark_id: mark?.id ?? null,
      mark_type: mark?.contentType ?? null,
      mark: mark?.bytes ?? null,
      changed_at: change.at,
      changed_by: changedBy,
      version: nextVersion,
    })
    .where('id', '=', 1)
    .execute();
  change.publish('branding');
  return before;
}
