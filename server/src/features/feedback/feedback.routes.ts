import {
  feedbackLimits,
  getReport,
  listOwnReports,
  listReports,
  saveFeedback,
  setReportStatus,
} from '@portico/contract/feedback';
import type { Database, Reader } from '../../platform/database.ts';
import type { FileStore } from '../../platform/file-store.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import { unpack } from '../../platform/packed-body.ts';
import type { RateLimit } from '../../platform/rate-limit.ts';
import type { Serve } from '../../platform/serve.ts';
import type { recordAudit as RecordAudit } from '../audit/audit.store.ts';
import type { addFile as AddFile } from '../files/files.store.ts';
import type { bytesOf as BytesOf } from '../files/files.store.ts';
import { createBodyRoom } from './body-room.ts';
import { changeStatus } from './change-status.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { createPictureRoom } from './picture-room.ts';
import { listOwnReports as readOwn, listReports as readInbox, readReport } from './report-list.ts';
import { storeReport } from './store-report.ts';

export type FeedbackRoutesOptions = {
  database: Database;
  files: Pick<FileStore, 'write'>;
  addFile: typeof AddFile;
  bytesOf: typeof BytesOf;
  /** The rule for names of uploads. */
  cleanFilename(name: string): string;
  personExists(read: Reader, personId: string): Promise<boolean>;
  recordAudit: typeof RecordAudit;
  /** Whose pages may send reports (BUG-4). */
  origins: readonly string[];
  /** Whether reports are taken from people who are not signed in (BUG-6). */
  withoutSignIn: boolean;
  /** By person or token, and by address; and the bytes of pictures by the address of those who are not signed in. */
  limits: { sender: RateLimit; address: RateLimit; anonymousPictures: RateLimit };
};

/** Eight of the largest reports at once, one of each sender; what waits has time left to be sent. */
const room = { bytes: 8 * feedbackLimits.bodyBytes, bytesEach: feedbackLimits.bodyBytes, patienceMs: 20_000 };

export function feedbackRoutes(serve: Serve, options: FeedbackRoutesOptions): void {
  const { database } = options;
  const bodies = createBodyRoom(room);
  const pictures = createPictureRoom({ bytesOf: options.bytesOf, limit: options.limits.anonymousPictures });

  serve(
    saveFeedback,
    ({ body, caller, request }) =>
      storeReport({ ...options, room: pictures }, { caller, address: request.ip }, body, (text) =>
        unpack(request, text),
      ),
    {
      origins: options.origins,
      withoutSignIn: options.withoutSignIn,
      limit: options.limits.address,
      packed: 'data',
      async admit({ caller, ip, headers }, reply) {
        if (caller !== null) options.limits.sender.take(caller.id);
        const announced = Number(headers['content-length'] ?? feedbackLimits.bodyBytes);
        const place = bodies.enter(caller?.id ?? ip, announced);
        reply.raw.once('close', place.leave);
        await place.entered;
      },
    },
  );

  serve(listReports, async ({ query }) => {
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    const { next, ...found } = await readInbox(database.longReads, query, { ...query, after });
    return { ...found, next: next === null ? null : writeCursor(next) };
  });

  serve(getReport, async ({ params }) => {
    const report = await readReport(database.read, params.reportId);
    if (report === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such report.' });
    return report;
  });

  serve(setReportStatus, ({ params, body, caller }) =>
    database.change((change) => changeStatus(change, caller, params.reportId, body, options.recordAudit)),
  );

  serve(listOwnReports, async ({ params, query }) => {
    if (!(await options.personExists(database.read, params.userId))) {
      throw new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
    }
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    const { next, ...found } = await readOwn(database.longReads, params.userId, { ...query, after });
    return { ...found, next: next === null ? null : writeCursor(next) };
  });
}
