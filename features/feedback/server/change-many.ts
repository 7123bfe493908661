import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { changeReports } from '#features/feedback/contract/change-reports.ts';
import type { AnswerOf, BodyOf } from '#contract/route.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { changeReportAt } from './change-report.ts';
import type { ReportNotices } from './report-notices.ts';

/** Reports that are changed in one go, so that others hardly wait. */
const atOnce = 3;

/**
 * Changes many reports, each against its version. Those that cannot be changed are left alone and reported;
 * what was changed before a failure stays changed, as with as many calls.
 */
export async function changeMany(
  database: Database,
  actor: Caller,
  { changes }: BodyOf<typeof changeReports>,
  notices: ReportNotices,
): Promise<AnswerOf<typeof changeReports>> {
  const changed: AnswerOf<typeof changeReports>['changed'] = [];
  const refused: AnswerOf<typeof changeReports>['refused'] = [];
  for (let first = 0; first < changes.length; first += atOnce) {
    const slice = changes.slice(first, first + atOnce);
    const outcomes = await database.change(async (change) => {
      const done: ((typeof changed)[number] | (typeof refused)[number])[] = [];
      for (const wanted of slice) {
        try {
          const { report, before } = await changeReportAt(change, actor, wanted, notices);
          const { status, assigneeId, labels, duplicateOf } = before;
          const was = { status, assigneeId, labels, duplicateOf };
          done.push({ reportId: report.id, version: report.version, before: was });
        } catch (error) {
          // Refusals come before the first write of a report, so that nothing of it is half done.
          if (!(error instanceof HttpProblem)) throw error;
          done.push({ reportId: wanted.reportId, code: error.code });
        }
      }
      return done;
    });
    for (const outcome of outcomes) {
      if ('code' in outcome) refused.push(outcome);
      else changed.push(outcome);
    }
    await yieldToEventLoop();
  }
  return { changed, refused };
}
