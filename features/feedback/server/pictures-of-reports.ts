import type { Reader } from '#server/platform/database/database.ts';
import type { FileReader } from '#features/files/server/files.routes.ts';

/** Operators who may read reports see their pictures, and reporters see their own (FILE-1). */
export const readsReportPicture: FileReader = async (read, file, caller, rights) => {
  const report = await reportOfPicture(read, file.id);
  if (report === null) return false;
  return rights.has('REPORTS_READ') || (caller.kind === 'person' && report.reporter_id === caller.id);
};

async function reportOfPicture(read: Reader, fileId: string): Promise<{ reporter_id: string | null } | null> {
  const row = await read
    .selectFrom('report_picture')
    .innerJoin('report', 'report.id', 'report_picture.report_id')
    .select('report.reporter_id')
    .where('report_picture.file_id', '=', fileId)
    .executeTakeFirst();
  return row ?? null;
}
