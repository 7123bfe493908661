import { type TextsByLanguage, homeList } from '#features/home/contract/home.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { countRows, nextVersion } from '#server/platform/database/sql.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import type { Mark } from '#features/branding/server/read-mark.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The applications on the home screen. */
    home_app: {
      key: string;
      name: string;
      name_en: string;
      name_de: string;
      name_fr: string;
      description: string;
      description_en: string;
      description_de: string;
      description_fr: string;
      /** Null: the configuration of the gateway has it. */
      address: string | null;
      right_name: string | null;
      shown: number;
      /** A hash of the picture's type and bytes, for the address under which it is served. */
      picture_id: string | null;
      picture_type: string | null;
      picture: Uint8Array | null;
      version: number;
    };
    /** One row; `keys` is a JSON list. */
    home_order: { id: number; keys: string; version: number };
  }
}

// The only SQL that writes home_app and home_order.

export type StoredApp = {
  /** An id, or `~` and the name of an application behind the gateway. */
  key: string;
  name: string;
  names: TextsByLanguage;
  description: string;
  descriptions: TextsByLanguage;
  /** Null: the configuration of the gateway has it. */
  address: string | null;
  right: string | null;
  shown: boolean;
  /** The id and type of the picture; its bytes are read when it is asked for. */
  picture: Pick<Mark, 'id' | 'contentType'> | null;
  version: number;
};

/** A picture that is left out stays. */
export type AppDraft = Omit<StoredApp, 'version' | 'picture'> & { picture?: Mark | null };

const columns = [
  'key',
  'name',
  'name_en',
  'name_de',
  'name_fr',
  'description',
  'description_en',
  'description_de',
  'description_fr',
  'address',
  'right_name',
  'shown',
  'picture_id',
  'picture_type',
  'version',
] as const;

export async function readApps(read: Reader): Promise<StoredApp[]> {
  const rows = await read.selectFrom('home_app').select(columns).orderBy('key').execute();
  return rows.map((row) => ({
    key: row.key,
    name: row.name,
    names: { en: row.name_en, de: row.name_de, fr: row.name_fr },
    description: row.description,
    descriptions: { en: row.description_en, de: row.description_de, fr: row.description_fr },
    address: row.address,
    right: row.right_name,
    shown: row.shown === 1,
    picture:
      row.picture_id === null
        ? null
        : { id: row.picture_id, contentType: row.picture_type as Mark['contentType'] },
    version: row.version,
  }));
}

export async function readApp(read: Reader, key: string): Promise<StoredApp | null> {
  return (await readApps(read)).find((app) => app.key === key) ?? null;
}

/** How many applications operators listed. */
export function countListed(read: Reader): Promise<number> {
  return countRows(read.selectFrom('home_app').where('address', 'is not', null));
}

export async function readPicture(read: Reader, id: string): Promise<Mark | null> {
  const row = await read
    .selectFrom('home_app')
    .select(['picture_type', 'picture'])
    .where('picture_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.picture === null) return null;
  return { id, contentType: row.picture_type as Mark['contentType'], bytes: row.picture };
}

/** Adds an application or replaces what is stored of it. */
export async function writeApp(change: Change, { key, picture, ...app }: AppDraft): Promise<void> {
  const values = {
    name: app.name,
    name_en: app.names.en,
    name_de: app.names.de,
    name_fr: app.names.fr,
    description: app.description,
    description_en: app.descriptions.en,
    description_de: app.descriptions.de,
    description_fr: app.descriptions.fr,
    address: app.address,
    right_name: app.right,
    shown: app.shown ? 1 : 0,
    ...(picture === undefined
      ? {}
      : {
          picture_id: picture?.id ?? null,
          picture_type: picture?.contentType ?? null,
          picture: picture?.bytes ?? null,
        }),
  };
  const { numUpdatedRows } = await change.tx
    .updateTable('home_app')
    .set({ ...values, version: nextVersion })
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    await change.tx
      .insertInto('home_app')
      .values({ picture_id: null, picture_type: null, picture: null, ...values, key, version: 1 })
      .execute();
  publish(change);
}

export async function deleteApp(change: Change, key: string): Promise<void> {
  await change.tx.deleteFrom('home_app').where('key', '=', key).execute();
  publish(change);
}

/** The keys of the ordered applications, the first first. */
export async function readOrder(read: Reader): Promise<{ keys: string[]; version: number }> {
  const row = await read.selectFrom('home_order').select(['keys', 'version']).executeTakeFirstOrThrow();
  return { keys: JSON.parse(row.keys) as string[], version: row.version };
}

export async function writeOrder(change: Change, keys: readonly string[]): Promise<void> {
  await change.tx
    .updateTable('home_order')
    .set({ keys: JSON.stringify(keys), version: nextVersion })
    .execute();
  publish(change);
}

/** All replicas read the list again, and open home screens load theirs again. */
function publish(change: Change): void {
  change.publish('home');
  publishList(change, homeList);
}
