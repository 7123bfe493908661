import { severities, windowMode } from '@portico/contract/maintenance';
import { readFields } from '../../../../platform/kept-work.ts';
import type { WindowForm } from './plan-form.ts';
import type { WallEntry } from './wall-entry.ts';

/** What is kept while it is typed: against which version, how it was, and how it is now. */
export type KeptPlan = { version: number; before: WindowForm; form: WindowForm };

/** Under which name what is typed about a window is kept; null: a new one. */
export function planWork(windowId: string | null): string {
  return `maintenance-window:${windowId ?? 'new'}`;
}

export function sameForm(a: WindowForm, b: WindowForm): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Reads what was kept; null: it is none of this release. `like` is any form. */
export function readKeptPlan(kept: unknown, like: WindowForm): KeptPlan | null {
  const plan = readFields({ version: 0, before: {}, form: {} }, kept);
  if (plan === null) return null;
  const before = readKeptForm(plan.before, like);
  const form = readKeptForm(plan.form, like);
  return before === null || form === null ? null : { version: plan.version, before, form };
}

function readKeptForm(kept: unknown, like: WindowForm): WindowForm | null {
  const read = readFields({ ...like, severity: '', mode: '' }, kept);
  if (read === null) return null;
  const severity = severities.find((known) => known === read.severity);
  const mode = windowMode.options.find((known) => known === read.mode);
  if (severity === undefined || mode === undefined || !isEntry(read.start) || !isEntry(read.end)) return null;
  return { ...read, severity, mode };
}

function isEntry(entry: WallEntry): boolean {
  return typeof entry.local === 'string' && (entry.offset === null || typeof entry.offset === 'number');
}
