import { severities, windowMode } from '#features/maintenance/contract/maintenance.ts';
import { endBy, type WindowForm } from './plan-form.ts';
import type { WallEntry } from './wall-entry.ts';
import { isTypedTexts } from './written-texts.ts';

/** The name under which the form of a window is stored; null: a new one. */
export function planWork(windowId: string | null): string {
  return `maintenance-window:${windowId ?? 'new'}`;
}

export function sameForm(a: WindowForm, b: WindowForm): boolean {
  const [one, other] = [a, b].map((form) => JSON.stringify({ ...form, endBy: 'nobody' }));
  return one === other;
}

/** A stored form; null: another release has written it. */
export function readStoredForm(form: WindowForm): WindowForm | null {
  const known =
    severities.includes(form.severity) &&
    windowMode.options.includes(form.mode) &&
    endBy.includes(form.endBy) &&
    isTypedTexts(form.texts) &&
    isEntry(form.start) &&
    isEntry(form.end);
  return known ? form : null;
}

/** Whether a stored entry of a time is one. */
export function isEntry(entry: WallEntry): boolean {
  return typeof entry.local === 'string' && (entry.offset === null || typeof entry.offset === 'number');
}
