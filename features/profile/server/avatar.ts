import type { Reader } from '#server/platform/database/database.ts';
import type { FileReader } from '#features/files/server/files.routes.ts';

/** Who may read a person's profile may read their picture (PRO-1). */
export const readsAvatar: FileReader = async (read, file, caller, rights) => {
  const shownBy = await personShowing(read, file.id);
  return shownBy.length > 0 && (rights.has('PEOPLE_READ') || shownBy.includes(caller.id));
};

async function personShowing(read: Reader, fileId: string): Promise<string[]> {
  const rows = await read.selectFrom('profile').select('person_id').where('avatar', '=', fileId).execute();
  return rows.map((row) => row.person_id);
}
