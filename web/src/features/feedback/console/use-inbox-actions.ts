import { useQueryClient } from '@tanstack/react-query';
import { useApi, useCan } from '../../../platform/contexts.tsx';
import type { InboxAction, KeyPlace } from './inbox-keys.ts';
import { requestStatus } from './report-pane.tsx';
import { reportQuery, type useSetStatus } from './reports-queries.ts';
import type { Inbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

/** Runs the actions of the inbox's keys. */
export function useInboxActions(
  inbox: Inbox,
  change: ReturnType<typeof useSetStatus>,
  letters: boolean,
  onHelp: () => void,
): void {
  const api = useApi();
  const queries = useQueryClient();
  const mayWrite = useCan()('REPORTS_WRITE');
  const { rows, open } = inbox;
  const { current, focusRow, close } = inbox.detail;

  function act(action: InboxAction, place: KeyPlace): void {
    // In the list a key applies to the focused row, which need not be the open report.
    const meant = place !== 'list' || current === open;
    switch (action.do) {
      case 'move':
        return move(inbox, action.by, place);
      case 'first':
        return focusRow(rows[0]?.id);
      case 'last':
        return focusRow(rows.at(-1)?.id);
      case 'search': {
        const search = document.querySelector<HTMLInputElement>('.inbox input[type=search]');
        search?.focus();
        return search?.select();
      }
      case 'back':
        return open === '' ? undefined : close();
      case 'help':
        return onHelp();
      case 'status':
        return meant ? press('.inbox-pane .report-status') : undefined;
      case 'picture':
        return meant ? press('.inbox-pane .picture-thumbnail') : undefined;
      case 'set-status': {
        const report = queries.getQueryData(reportQuery(api, open).queryKey);
        if (meant && mayWrite && report !== undefined) requestStatus(change, report, action.status);
      }
    }
  }

  useInboxKeys(letters, act);
}

/** In the list the focus moves, in the pane another report opens; elsewhere the focus goes to the list. */
function move({ rows, open, detail, more }: Inbox, by: 1 | -1, place: KeyPlace): void {
  const at = (reportId: string | undefined) => rows.findIndex((row) => row.id === reportId);
  if (place === 'list') {
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
    const next =
      focused === null || focused === undefined
        ? by < 0
          ? rows.at(-1)
          : undefined
        : rows[at(focused.dataset['row']) + by];
    if (next !== undefined) detail.focusRow(next.id);
    else if (by > 0) more.current?.focus();
  } else if (place === 'elsewhere' && document.activeElement?.closest('.inbox-pane')) {
    const next = at(open) < 0 ? undefined : rows[at(open) + by];
    if (next !== undefined) detail.openOne(next.id);
  } else detail.focusRow(detail.current);
}

/** As if it had been clicked; the focus then returns to it. */
function press(selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  button?.focus();
  button?.click();
}
