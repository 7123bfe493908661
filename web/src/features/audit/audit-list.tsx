import type { AuditEntry } from '@portico/contract/audit';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import type { ListAndDetail } from '../../platform/lists/list-and-detail.ts';
import { useEntryWords } from './entry-words.ts';

type AuditListProps = Pick<ListAndDetail, 'list' | 'rowLink'> & {
  entries: readonly AuditEntry[];
  now: number;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** What was done, the latest first; each row is a link to its entry. */
export function AuditList({ list, entries, rowLink, now, onKeyDown }: AuditListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sentence, way } = useEntryWords();
  return (
    <ul ref={list} className="list-beside-rows" aria-label={t('AUDIT.COLUMN')}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <a
            className="list-beside-row"
            href={`?${new URLSearchParams({ entry: entry.id })}`}
            {...rowLink(entry.id)}
            onKeyDown={onKeyDown}
          >
            <span className="audit-row-text" dir="auto">
              {sentence(entry)}
            </span>
            <span className="list-beside-facts">
              <time dateTime={new Date(entry.at).toISOString()} title={formats.exact(entry.at)}>
                {formats.relative(entry.at, now)}
              </time>
              <span>{way(entry)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
