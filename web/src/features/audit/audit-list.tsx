import type { AuditEntry } from '@portico/contract/audit';
import type { KeyboardEvent, MouseEvent, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useSays } from './says.ts';

type AuditListProps = {
  list: RefObject<HTMLUListElement | null>;
  entries: readonly AuditEntry[];
  /** The one that is open, or ''. */
  open: string;
  /** The one that Tab leads to: the list is one stop, arrows move in it. */
  current: string;
  now: number;
  onCurrent: (entryId: string) => void;
  onOpen: (entryId: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** What was done, the latest first; each row is a link to its entry. */
export function AuditList(props: AuditListProps) {
  const { list, entries, open, current, now, onCurrent, onOpen, onKeyDown } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const { sentence } = useSays();
  return (
    <ul ref={list} className="audit-list" aria-label={t('AUDIT.COLUMN')}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <a
            className="audit-row"
            href={`?${new URLSearchParams({ entry: entry.id })}`}
            data-entry={entry.id}
            tabIndex={entry.id === current ? 0 : -1}
            aria-current={entry.id === open ? 'true' : undefined}
            onKeyDown={onKeyDown}
            onFocus={() => onCurrent(entry.id)}
            onClick={(event: MouseEvent) => {
              // A new tab or window stays the browser's.
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              onOpen(entry.id);
            }}
          >
            <span className="audit-row-text" dir="auto">
              {sentence(entry)}
            </span>
            <span className="audit-row-facts">
              <time dateTime={new Date(entry.at).toISOString()} title={formats.exact(entry.at)}>
                {formats.relative(entry.at, now)}
              </time>
              <span>{t(`AUDIT.WAYS.${catalogueKey(entry.through)}`)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
