import { reportStatus, type ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { KeyPress } from '#web/platform/keys/keys.ts';

/** What a key does in the inbox. */
export type InboxAction =
  /** Moves the focus in the list. */
  | { do: 'move'; by: 1 | -1 }
  /** While a report is open, opens the one after or before it, wherever the focus is; otherwise moves the focus. */
  | { do: 'go'; by: 1 | -1 }
  | { do: 'first' | 'last' | 'search' | 'back' | 'undo' }
  /** Opens or presses something of the open report. */
  | { do: 'status' | 'picture' | 'reply' | 'note' | 'assign' | 'label' | 'duplicate' | 'snooze' }
  | { do: 'select'; range: boolean }
  | { do: 'set-status'; status: ReportStatus };

/** Where the focus is when a key is pressed. */
export type KeyPlace =
  /** A field or a list of choices: it handles its own keys. */
  | 'typing'
  /** The search field of the inbox. */
  | 'search'
  | 'list'
  /** The open report, or elsewhere on the page. */
  | 'elsewhere';

/**
 * The keys of the inbox, as in lists of GitHub and Linear. Keys pressed in a field, or with a
 * modifier, belong to the field and the browser.
 *
 * @param letters whether single letters, digits and signs do something; a person may switch them off (WCAG
 * 2.1.4)
 */
export function inboxAction(press: KeyPress, place: KeyPlace, letters: boolean): InboxAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return null;
  if (place === 'typing') return null;
  if (place === 'search') return press.key === 'ArrowDown' ? { do: 'move', by: 1 } : null;
  if (press.key === 'Escape') return { do: 'back' };
  return (place === 'list' ? inList[press.key] : undefined) ?? (letters ? byLetter(press) : null);
}

const inList: Readonly<Record<string, InboxAction>> = {
  ArrowDown: { do: 'move', by: 1 },
  ArrowUp: { do: 'move', by: -1 },
  Home: { do: 'first' },
  End: { do: 'last' },
};

const actionOf: Readonly<Record<string, InboxAction>> = {
  j: { do: 'go', by: 1 },
  k: { do: 'go', by: -1 },
  '/': { do: 'search' },
  s: { do: 'status' },
  p: { do: 'picture' },
  r: { do: 'reply' },
  n: { do: 'note' },
  a: { do: 'assign' },
  l: { do: 'label' },
  d: { do: 'duplicate' },
  h: { do: 'snooze' },
  e: { do: 'set-status', status: 'resolved' },
  z: { do: 'undo' },
  x: { do: 'select', range: false },
  X: { do: 'select', range: true },
};

function byLetter({ key }: KeyPress): InboxAction | null {
  if (Object.hasOwn(actionOf, key)) return actionOf[key] ?? null;
  const status = reportStatus.options[Number(key) - 1];
  return /^[1-9]$/.test(key) && status !== undefined ? { do: 'set-status', status } : null;
}
