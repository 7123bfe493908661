import { reportStatus, type ReportStatus } from '@portico/contract/feedback/own-reports';

/** What a key does in the inbox. */
export type InboxAction =
  | { do: 'move'; by: 1 | -1 }
  | { do: 'first' | 'last' | 'search' | 'back' | 'status' | 'picture' | 'help' }
  | { do: 'set-status'; status: ReportStatus };

export type Press = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
};

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
export function inboxAction(press: Press, place: KeyPlace, letters: boolean): InboxAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return null;
  if (place === 'typing') return null;
  if (place === 'search') return press.key === 'ArrowDown' ? { do: 'move', by: 1 } : null;
  if (press.key === 'Escape') return { do: 'back' };
  if (place === 'list') {
    const moved = inList(press.key);
    if (moved !== null) return moved;
  }
  return letters ? byLetter(press.key) : null;
}

function inList(key: string): InboxAction | null {
  switch (key) {
    case 'ArrowDown':
      return { do: 'move', by: 1 };
    case 'ArrowUp':
      return { do: 'move', by: -1 };
    case 'Home':
      return { do: 'first' };
    case 'End':
      return { do: 'last' };
    default:
      return null;
  }
}

function byLetter(key: string): InboxAction | null {
  switch (key) {
    case 'j':
      return { do: 'move', by: 1 };
    case 'k':
      return { do: 'move', by: -1 };
    case '/':
      return { do: 'search' };
    case 's':
      return { do: 'status' };
    case 'p':
      return { do: 'picture' };
    case '?':
      return { do: 'help' };
    default: {
      const status = reportStatus.options[Number(key) - 1];
      return /^[1-9]$/.test(key) && status !== undefined ? { do: 'set-status', status } : null;
    }
  }
}
