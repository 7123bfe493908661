import { severities, windowMode } from '@portico/contract/maintenance';
import { readFields } from '../../../../platform/kept-work.ts';
import { endBy, type WindowForm } from './plan-form.ts';
import type { WallEntry } from './wall-entry.ts';

/** What is kept while it is typed: against which version, how it was, and how it is now. */
export type KeptPlan = { version: number; before: WindowForm; form: WindowForm };

/** Under which name what is typed about a window is kept; null: a new one. */
export function planWork(windowId: string | null): string {
  return `maintenance-window:${windowId ?? 'new'}`;
}

export function sameForm(a: WindowForm, b: WindowForm): boolean {
  const [one, other] = [a, b].map((form) => JSON.stringify({ ...form, endBy: 'nobody' }));
  return one === other;
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
  const read = readFields({ ...like, severity: '', mode: '', endBy: '' }, kept);
  if (read === null) return null;
  const severity = severities.find((known) => known === read.severity);
  const mode = windowMode.options.find((known) => known === read.mode);
  const by = endBy.find((known) => known === read.endBy);
  if (severity === undefined || mode === undefined || by === undefined) return null;
  if (!isEntry(read.start) || !isEntry(read.end)) return null;
  return { ...read, severity, mode, endBy: by };
}

function isEntry(entry: WallEntry): boolean {
  return typeof entry.local === 'string' && (entry.offset === null || typeof entry.offset === 'number');
}
