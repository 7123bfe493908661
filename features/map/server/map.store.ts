import type { LayerTitles } from '#features/map/contract/map.ts';
import type { LayerAccess } from '#features/map/contract/manage.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { countRows, nextVersion } from '#server/platform/database/sql.ts';
import type { LayerRules } from './layer-rights.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What operators decided about a layer; `key` is its name in lower case. */
    map_layer: {
      key: string;
      name: string;
      access: string;
      right_name: string | null;
      on_at_first: number;
      title_en: string;
      title_de: string;
      title_fr: string;
      version: number;
    };
    /** The empty key is for all layers. */
    map_workspace: { key: string; name: string; access: string; right_name: string | null; version: number };
    /** One row; `names` is a JSON list, the topmost first. */
    map_order: { id: number; names: string; version: number };
  }
}

// The only SQL that writes map_layer, map_workspace and map_order.

export type StoredLayer = {
  name: string;
  access: LayerAccess;
  right: string | null;
  onAtFirst: boolean;
  titles: LayerTitles;
  version: number;
};
export type StoredWorkspace = { name: string; access: LayerAccess; right: string | null; version: number };

const layerColumns = [
  'name',
  'access',
  'right_name',
  'on_at_first',
  'title_en',
  'title_de',
  'title_fr',
  'version',
] as const;

type LayerRow = Pick<Tables['map_layer'], (typeof layerColumns)[number]>;

const keyOf = (name: string): string => name.toLowerCase();

function layerFrom(row: LayerRow): StoredLayer {
  return {
    name: row.name,
    access: row.access as LayerAccess,
    right: row.right_name,
    onAtFirst: row.on_at_first === 1,
    titles: { en: row.title_en, de: row.title_de, fr: row.title_fr },
    version: row.version,
  };
}

/** By name in lower case. */
export async function readLayers(read: Reader): Promise<Map<string, StoredLayer>> {
  const rows = await read.selectFrom('map_layer').select(layerColumns).execute();
  return new Map(rows.map((row) => [keyOf(row.name), layerFrom(row)]));
}

export async function readLayer(read: Reader, name: string): Promise<StoredLayer | null> {
  const row = await read
    .selectFrom('map_layer')
    .select(layerColumns)
    .where('key', '=', keyOf(name))
    .executeTakeFirst();
  return row === undefined ? null : layerFrom(row);
}

export function countLayers(read: Reader): Promise<number> {
  return countRows(read.selectFrom('map_layer'));
}

/** Adds or replaces what operators have set for a layer. */
export function writeLayer(change: Change, layer: Omit<StoredLayer, 'version'>): Promise<void> {
  const { name, access, right, onAtFirst, titles } = layer;
  return write(change, 'map_layer', name, {
    access,
    right_name: right,
    on_at_first: onAtFirst ? 1 : 0,
    title_en: titles.en,
    title_de: titles.de,
    title_fr: titles.fr,
  });
}

export async function deleteLayer(change: Change, name: string): Promise<void> {
  await change.tx.deleteFrom('map_layer').where('key', '=', keyOf(name)).execute();
}

/** By name in lower case. */
export async function readWorkspaces(read: Reader): Promise<Map<string, StoredWorkspace>> {
  const rows = await read
    .selectFrom('map_workspace')
    .select(['name', 'access', 'right_name', 'version'])
    .execute();
  return new Map(
    rows.map(({ name, access, right_name, version }) => [
      keyOf(name),
      { name, access: access as LayerAccess, right: right_name, version },
    ]),
  );
}

export async function readWorkspace(read: Reader, name: string): Promise<StoredWorkspace | null> {
  return (await readWorkspaces(read)).get(keyOf(name)) ?? null;
}

/** Adds or replaces what operators have set for a workspace. */
export function writeWorkspace(
  change: Change,
  { name, access, right }: Omit<StoredWorkspace, 'version'>,
): Promise<void> {
  return write(change, 'map_workspace', name, { access, right_name: right });
}

type Decided<T extends 'map_layer' | 'map_workspace'> = Omit<Tables[T], 'key' | 'name' | 'version'>;

async function write(
  change: Change,
  table: 'map_layer' | 'map_workspace',
  name: string,
  values: Decided<'map_layer'> | Decided<'map_workspace'>,
): Promise<void> {
  const { numUpdatedRows } = await change.tx
    .updateTable(table)
    .set({ ...values, version: nextVersion })
    .where('key', '=', keyOf(name))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    await change.tx
      .insertInto(table)
      .values({ key: keyOf(name), name, ...values, version: 1 })
      .execute();
}

/** The names of the ordered layers, the topmost first. */
export async function readOrder(read: Reader): Promise<{ names: string[]; version: number }> {
  const row = await read.selectFrom('map_order').select(['names', 'version']).executeTakeFirstOrThrow();
  return { names: JSON.parse(row.names) as string[], version: row.version };
}

export async function writeOrder(change: Change, names: readonly string[]): Promise<void> {
  await change.tx
    .updateTable('map_order')
    .set({ names: JSON.stringify(names), version: nextVersion })
    .execute();
}

export async function readRules(read: Reader): Promise<LayerRules> {
  const [layers, workspaces] = await Promise.all([readLayers(read), readWorkspaces(read)]);
  return { layers, workspaces };
}
