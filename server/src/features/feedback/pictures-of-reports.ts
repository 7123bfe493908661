import type { Reader } from '../../platform/database.ts';
import type { FileReader, FileUse } from '../files/files.routes.ts';

/** Who reads the reports sees their pictures, and who sent one sees their own (FILE-1). */
export const readsReportPicture: FileReader = async (read, file, caller, rights) => {
  const report = await reportOfPicture(read, file.id);
  if (report === null) return false;
  return rights.has('REPORTS_READ') || (caller.kind === 'person' && report.reporter_id === caller.id);
};

/** Whether a report shows the file. */
export const isReportPicture: FileUse = async (read, fileId) =>
  (await reportOfPicture(read, fileId)) !== null;

async function reportOfPicture(read: Reader, fileId: string): Promise<{ reporter_id: string | null } | null> {
  const row = await read
    .selectFrom('report_picture')
    .innerJoin('report', 'report.id', 'report_picture.report_id')
    .select('report.reporter_id')
    .where('report_picture.file_id', '=', fileId)
    .executeTakeFirst();
  return row ?? null;
}
