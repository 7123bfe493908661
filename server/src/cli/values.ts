import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { newPassword } from '#features/identity-provider/contract/identity-provider.ts';
import { right } from '#features/permissions/contract/permissions.ts';
import { rightName } from '#features/permissions/contract/administration.ts';
import { resolveWallTime } from '#contract/rules/wall-time.ts';
import { emailAddress } from '#contract/email-address.ts';
import { id, instant, line, prose } from '#contract/text.ts';
import type { Values } from './command.ts';
import { Failure, UsageError } from './failure.ts';

/** An email address, as the contract takes it everywhere. Throws UsageError. */
export function addressIn(values: Values, name: string): string {
  const result = emailAddress.safeParse(values[name]);
  if (!result.success)
    throw new UsageError(`--${name} holds ${quoted(values[name])}; expected an email address.`);
  return result.data;
}

/** The id of something. Throws UsageError. */
export function idIn(values: Values, name: string): string {
  const result = id.safeParse(values[name]);
  if (!result.success) throw new UsageError(`--${name} holds ${quoted(values[name])}; expected an id.`);
  return result.data;
}

/** One line of `least` to `most` characters; empty where it is not given. Throws UsageError. */
export function lineIn(values: Values, name: string, least: number, most: number): string {
  const result = line(least, most).safeParse(values[name] ?? '');
  if (!result.success) {
    throw new UsageError(
      `--${name} holds ${quoted(values[name])}; expected one line of ${least} to ${most} characters.`,
    );
  }
  return result.data;
}

/**
 * Names of rights, separated by commas; whether the installation has own rights of these names, the database
 * decides later. Throws UsageError.
 */
export function rightsIn(values: Values, name: string): string[] {
  const names = (values[name] ?? '').split(',').map((part) => part.trim());
  const result = z.array(rightName).safeParse(names);
  if (!result.success) {
    throw new UsageError(
      `--${name} holds ${quoted(values[name])}; expected some of ${right.options.join(', ')} or of your own rights, separated by commas.`,
    );
  }
  return [...new Set(result.data)].toSorted();
}

/** Text of several lines, at most `most` characters; null where it is not given. Throws UsageError. */
export function textIn(values: Values, name: string, most: number): string | null {
  if (values[name] === undefined) return null;
  const result = prose(0, most).safeParse(values[name]);
  if (!result.success)
    throw new UsageError(`--${name} holds ${quoted(values[name])}; expected at most ${most} characters.`);
  return result.data;
}

/** One of several words; null where it is not given. Throws UsageError. */
export function choiceIn<const T extends string>(
  values: Values,
  name: string,
  choices: readonly T[],
): T | null {
  if (values[name] === undefined) return null;
  const found = choices.find((choice) => choice === values[name]);
  if (found === undefined)
    throw new UsageError(`--${name} holds ${quoted(values[name])}; expected ${choices.join(', ')}.`);
  return found;
}

/**
 * A point in time with its zone, such as `2026-11-21T22:00Z`, in milliseconds since the epoch; null where it
 * is not given. Throws UsageError.
 */
export function instantIn(values: Values, name: string): number | null {
  const value = values[name];
  if (value === undefined) return null;
  const [, local = ''] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(?:Z|[+-]\d{2}:\d{2})$/.exec(value) ?? [];
  // A date that does not exist, such as February 30, would be read as a later one.
  const exists = resolveWallTime({ local, timeZone: 'UTC' }).kind === 'one';
  const at = exists ? Date.parse(value) : Number.NaN;
  if (!instant.safeParse(at).success) {
    throw new UsageError(
      `--${name} holds ${quoted(value)}; expected a time with its offset from UTC, such as 2026-11-21T22:00Z or 2026-11-21T22:00+01:00.`,
    );
  }
  return at;
}

const unitMs: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const longestDays = 366;

/** A time span such as `12h`, `30d` or `8w`, in milliseconds. Throws UsageError. */
export function spanIn(values: Values, name: string): number {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(values[name] ?? '') ?? [];
  const span = Number(count) * (unitMs[unit ?? ''] ?? 0);
  if (!(span > 0 && span <= longestDays * 86_400_000)) {
    throw new UsageError(
      `--${name} holds ${quoted(values[name])}; expected hours, days or weeks such as 12h, 30d or 8w, at most ${longestDays}d.`,
    );
  }
  return span;
}

/** The text of a file, or of standard input for `-`. */
export function textFrom(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new Failure(`${file === '-' ? 'Standard input' : file} cannot be read.`);
  }
}

/** The password in a file, or on standard input for `-`, without the line's end. */
export function passwordFrom(file: string): string {
  const result = newPassword.safeParse(textFrom(file).replace(/\r?\n$/, ''));
  if (!result.success) throw new Failure('The password needs 12 to 256 characters.');
  return result.data;
}

const longestQuoted = 80;

/** The given value in quotes, so that it is recognised; a long value is shortened to its beginning. */
function quoted(value: string | undefined): string {
  if (value === undefined) return 'nothing';
  const begin = value.slice(0, longestQuoted).toWellFormed();
  return begin.length < value.length
    ? `${JSON.stringify(begin)}… (${value.length} characters)`
    : JSON.stringify(value);
}
