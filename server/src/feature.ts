import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Core, Feature } from './core.ts';
import type { NamesOf, PresentNames } from '#features/audit/server/current-names.ts';
import type { Ground } from './ground.ts';
import type { Complete, Fates, Tables } from './platform/database/schema.ts';

/** What a capability declares, in `features/<name>/server/feature.ts`, for the rest of the server. */
export type Manifest<F extends Partial<Fates> = Partial<Fates>> = {
  /** Returns its routes, start, sweeps and end. The ground has already created what other features need of it. */
  create?(core: Core, ground: Ground): Feature | Promise<Feature>;
  /** What happens to each text column of its tables when a person is erased. */
  fates?: F;
  /** By name, such as `0100-links`; the numbers give the order over all capabilities. */
  migrations?: Record<string, Migration>;
  /** The present names of the subjects that its audit actions have. */
  names?: Partial<PresentNames>;
};

/** Declares a capability. A text column without a fate does not compile. */
export function feature<const F extends Partial<Fates> = Record<never, never>>(
  manifest: Manifest<F> & { fates?: Complete<F> },
): Manifest<F> {
  return manifest;
}

/** The present names of subjects, from a table whose rows hold both id and name. */
export function namesIn<T extends keyof Tables>(
  table: T,
  id: keyof Tables[T] & string,
  name: keyof Tables[T] & string,
): NamesOf {
  return async (read, ids) => {
    const { rows } = await sql<{ id: string; name: string }>`
      select ${sql.ref(id)} as id, ${sql.ref(name)} as name from ${sql.table(table)}
      where ${sql.ref(id)} in (${sql.join(ids)})`.execute(read);
    return rows.map((row) => [row.id, row.name]);
  };
}
