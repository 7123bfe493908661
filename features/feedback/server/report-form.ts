import { emptyMessage, type ReportForm } from '#features/feedback/contract/feedback.ts';
import type { FieldProblem } from '#contract/problem.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { changedMeanwhile, HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row: the fields that a report requires besides its message. */
    report_form: {
      id: number;
      /** 0 or 1. */
      name_required: number;
      email_required: number;
      changed_at: number | null;
      changed_by: string | null;
      version: number;
    };
  }
}

/** The fields that the form requires besides the description. */
export async function readReportForm(read: Reader): Promise<ReportForm> {
  const row = await read
    .selectFrom('report_form')
    .select(['name_required', 'email_required', 'version'])
    .executeTakeFirstOrThrow();
  return {
    nameRequired: row.name_required === 1,
    emailRequired: row.email_required === 1,
    version: row.version,
  };
}

const forms = versionedRows({
  find: readReportForm,
  audited: ({ nameRequired, emailRequired }) => ({ nameRequired, emailRequired }),
  stale: changedMeanwhile,
});

/** Changes the required fields, and publishes them to open forms (BUG-2, AUD-1). Throws VERSION_CONFLICT. */
export async function changeReportForm(
  change: Change,
  actor: Caller,
  { version, ...wanted }: ReportForm,
): Promise<ReportForm> {
  const before = await forms.findAt(change, 'report-form', version);
  if (before.nameRequired === wanted.nameRequired && before.emailRequired === wanted.emailRequired)
    return before;
  await change.tx
    .updateTable('report_form')
    .set({
      name_required: wanted.nameRequired ? 1 : 0,
      email_required: wanted.emailRequired ? 1 : 0,
      changed_at: change.at,
      changed_by: actor.name,
      version: nextVersion,
    })
    .execute();
  change.publish('report-form');
  return forms.recordWrite(change, actor, { action: 'report.set-form', subject: 'report-form', before });
}

/** Throws FIELDS_REQUIRED for a report without a required field, with the missing fields in order. */
export async function refuseIncomplete(read: Reader, report: { name: string; email: string }): Promise<void> {
  const { nameRequired, emailRequired } = await readReportForm(read);
  const missing = [
    ...(emailRequired && report.email === '' ? [{ pointer: '/email', label: 'Email' }] : []),
    ...(nameRequired && report.name === '' ? [{ pointer: '/name', label: 'Name' }] : []),
  ];
  if (missing.length === 0) return;
  const labels = missing.map(({ label }) => label).join(', ');
  throw new HttpProblem('FIELDS_REQUIRED', {
    detail: `Please enter in the following required fields: ${labels}`,
    errors: missing.map(({ pointer }) => ({ pointer, code: 'required', message: 'is missing' })),
  });
}

/** EMPTY_MESSAGE if the message has no visible character, whatever other errors there are; else null. */
export function refusalOfEmpty(errors: FieldProblem[]): HttpProblem | null {
  const isEmpty = errors.some(
    ({ pointer, code }) => pointer === '/message' && (code === 'required' || code === 'too_small'),
  );
  return isEmpty ? new HttpProblem('EMPTY_MESSAGE', { detail: emptyMessage, errors }) : null;
}
