import type { Migration } from 'kysely/migration';
import type { Core, Feature } from './core.ts';
import type { PresentNames } from './features/audit/current-names.ts';
import type { Ground } from './ground.ts';
import type { Fates, Tables } from './platform/database/schema.ts';

/** What a capability declares, in `features/<name>/feature.ts`, for the rest of the server. */
export type Manifest<Table extends keyof Tables = keyof Tables> = {
  /** Answers its routes, start, sweeps and end. What other features need of it, the ground has created. */
  create?(core: Core, ground: Ground): Feature | Promise<Feature>;
  /** What happens to each text column of its tables when a person is erased. */
  fates?: { readonly [T in Table]: Fates[T] };
  /** By name, such as `0100-links`; the numbers give the order over all capabilities. */
  migrations?: Record<string, Migration>;
  /** The present names of the subjects that its audit actions have. */
  names?: Partial<PresentNames>;
};

/** Declares a capability. A text column without a fate does not compile. */
export function feature<Table extends keyof Tables = never>(manifest: Manifest<Table>): Manifest<Table> {
  return manifest;
}
