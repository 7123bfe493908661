import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { type KeyRow, letterKeys, takesLetters } from '#web/platform/keys/keys.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Key } from '#web/ui/key.tsx';
import { uppermostModal } from '#web/ui/modal-stack.ts';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { type InboxAction, type KeyPlace, inboxAction } from './inbox-keys.ts';
import { reportQuery } from './reports-queries.ts';
import type { Inbox } from './use-inbox.ts';
import type { ReportChanges } from './use-report-changes.ts';

/** The element that each key presses in the open report. */
const pressed = {
  status: '.report-status',
  picture: '.picture-thumbnail',
  reply: '.composer-mode[data-mode=reply]',
  note: '.composer-mode[data-mode=note]',
  assign: '.report-assignee',
  label: '.report-labels',
  duplicate: '.report-duplicate',
  snooze: '.report-snooze',
} as const;

/** Runs the actions of the inbox's keys. */
export function useInboxActions(inbox: Inbox, changes: ReportChanges): void {
  const queries = useQueryClient();
  const mayWrite = useCan()('REPORTS_WRITE');
  const { rows, open, selected } = inbox;
  const { current, focusRow, close } = inbox.detail;

  function act(action: InboxAction, place: KeyPlace): void {
    // In the list a key applies to the focused row, which need not be the open report.
    const meant = place !== 'list' || current === open;
    switch (action.do) {
      case 'go': {
        const next = inbox.beside(action.by);
        if (next !== undefined) return inbox.detail.openOne(next.id);
        return open === '' || place === 'list' ? move(inbox, action.by, place) : undefined;
      }
      case 'move':
        return move(inbox, action.by, place);
      case 'first':
        return focusRow(rows[0]?.id);
      case 'last':
        return focusRow(rows.at(-1)?.id);
      case 'search': {
        const search = document.querySelector<HTMLInputElement>('.inbox .filter-bar input[type=search]');
        search?.focus();
        return search?.select();
      }
      case 'back':
        if (selected.length > 0 && place === 'list') return inbox.deselect();
        return open === '' ? undefined : close();
      case 'undo':
        return mayWrite ? changes.undo() : undefined;
      case 'select': {
        const id = place === 'list' ? focusedRow() : open;
        return mayWrite && id !== undefined && id !== '' ? inbox.toggle(id, action.range) : undefined;
      }
      case 'set-status': {
        if (!mayWrite) return undefined;
        if (selected.length > 0) {
          changes.run(selected, { status: action.status });
          return inbox.deselect();
        }
        // While the report is loading, its row has the fields that are needed here.
        const report = queries.getQueryData(reportQuery(open).queryKey) ?? rows.find(({ id }) => id === open);
        if (meant && report !== undefined && report.status !== action.status)
          changes.run([report], { status: action.status });
        return undefined;
      }
      default:
        if (
          selected.length > 0 &&
          (action.do === 'assign' || action.do === 'label' || action.do === 'snooze')
        )
          return press(`.inbox-bulk-${action.do}`);
        return meant ? press(`.inbox-pane ${pressed[action.do]}`) : undefined;
    }
  }

  useInboxKeys(useStore(letterKeys), act);
}

function focusedRow(): string | undefined {
  return rowOf(document.activeElement)?.dataset['row'];
}

/** The row that contains a link or its checkbox. */
function rowOf(element: Element | null): HTMLElement | null {
  return element?.closest('li')?.querySelector<HTMLElement>('[data-row]') ?? null;
}

/** Moves the focus in the list, or to the list. */
function move({ rows, detail, more }: Inbox, by: 1 | -1, place: KeyPlace): void {
  if (place !== 'list') return detail.focusRow(detail.current);
  const focused = focusedRow();
  const at = rows.findIndex(({ id }) => id === focused);
  const next = focused === undefined ? (by < 0 ? rows.at(-1) : undefined) : rows[at + by];
  if (next !== undefined) detail.focusRow(next.id);
  else if (by > 0) more.current?.focus();
}

/** Clicks an element, with the focus on it, so that the focus returns to it later. */
function press(selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  button?.focus();
  button?.click();
}

/**
 * Handles the keys of the inbox wherever the focus is on its page, but not in a dialog, a menu or a field.
 *
 * @param letters whether single letters, digits and signs do something
 */
function useInboxKeys(letters: boolean, act: (action: InboxAction, place: KeyPlace) => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || uppermostModal() !== null) return;
    const place = placeOf(event.target);
    const action = inboxAction(event, place, letters);
    if (action === null) return;
    // Escape is passed on, since it closes other things as well.
    if (action.do !== 'back') event.preventDefault();
    act(action, place);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function placeOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) return 'elsewhere';
  if (target.closest('.inbox input[type=search]') !== null) return 'search';
  if (takesLetters(target)) return 'typing';
  return target.closest('.list-beside-column') === null ? 'elsewhere' : 'list';
}

/** The keys of the inbox, for the list of all keys. */
export function useInboxKeyRows(): () => readonly KeyRow[] {
  const { t } = useTranslation();
  const mayWrite = useCan()('REPORTS_WRITE');
  const word = useStatusWord();
  const statuses = (
    <>
      {t('REPORTS.KEYS.SET')}
      <ul className="row wrap gap-1-3 above-1">
        {reportStatus.options.map((status, index) => (
          <li key={status} className="flex gap-1">
            <Key name={String(index + 1)} />
            <span>{word(status)}</span>
          </li>
        ))}
      </ul>
    </>
  );
  const reading: readonly KeyRow[] = [
    [['j', 'k', '↓', '↑'], t('REPORTS.KEYS.MOVE')],
    [['↵'], t('REPORTS.KEYS.ENTER')],
    [['Esc'], t('REPORTS.KEYS.BACK')],
  ];
  const writing: readonly KeyRow[] = [
    [['r'], t('REPORTS.KEYS.REPLY')],
    [['n'], t('REPORTS.KEYS.NOTE')],
    [['Ctrl/⌘ ↵'], t('REPORTS.KEYS.SEND')],
    [['Ctrl/⌘ ⇧ ↵'], t('REPORTS.KEYS.SEND_RESOLVE')],
    [['a'], t('REPORTS.KEYS.ASSIGN')],
    [['l'], t('REPORTS.KEYS.LABEL')],
    [['d'], t('REPORTS.KEYS.DUPLICATE')],
    [['h'], t('REPORTS.KEYS.SNOOZE')],
    [['e'], t('REPORTS.KEYS.RESOLVE')],
    [['s'], t('REPORTS.KEYS.STATUS')],
    [[`1 … ${reportStatus.options.length}`], statuses],
    [['x', '⇧ x'], t('REPORTS.KEYS.SELECT')],
    [['z'], t('REPORTS.KEYS.UNDO')],
  ];
  return () => [...reading, ...(mayWrite ? writing : []), [['p'], t('REPORTS.KEYS.PICTURE')]];
}
