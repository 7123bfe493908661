import type { FieldProblem } from '#contract/problem.ts';
import { updateProfile } from '#features/profile/contract/profile.ts';
import { type FormField, formFields, type FormFields } from './draft.ts';

/** A problem of a field: its name in the catalogue, and the limit if it has one. */
export type FieldFault = { readonly kind: FaultKind; readonly max?: number };
type FaultKind = 'TOO_LONG' | 'PHONE' | 'CHARACTERS' | 'TIME_ZONE' | 'REFUSED';

export type FieldFaults = Readonly<Partial<Record<FormField, FieldFault>>>;

/** What the contract finds wrong with the fields, before the server is asked. */
export function faultsOf(fields: FormFields): FieldFaults {
  const faults: Partial<Record<FormField, FieldFault>> = {};
  for (const field of formFields) {
    const read = updateProfile.body.shape[field].safeParse(fields[field]);
    const issue = read.error?.issues[0];
    if (issue === undefined) continue;
    faults[field] =
      issue.code === 'too_big'
        ? { kind: 'TOO_LONG', max: Number(issue.maximum) }
        : faultFor(field, issue.code);
  }
  return faults;
}

/**
 * Sorts the server's problems by field, by their pointers (RFC 6901).
 *
 * @returns also how many problems belong to no field of the form
 */
export function faultsFrom(problems: readonly FieldProblem[]): { faults: FieldFaults; others: number } {
  const faults: Partial<Record<FormField, FieldFault>> = {};
  let others = 0;
  for (const { pointer, code } of problems) {
    const field = formFields.find((one) => pointer === `/${one}`);
    if (field === undefined) others += 1;
    else faults[field] ??= faultFor(field, code);
  }
  return { faults, others };
}

function faultFor(field: FormField, code: string): FieldFault {
  if (field === 'timeZone') return { kind: 'TIME_ZONE' };
  if (field === 'phone' && (code === 'format' || code === 'invalid_format')) return { kind: 'PHONE' };
  if (code === 'custom' || code === 'invalid') return { kind: 'CHARACTERS' };
  return { kind: 'REFUSED' };
}
