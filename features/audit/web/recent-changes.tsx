import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EntryFace } from './entry-face.tsx';
import { useEntryWords } from './entry-words.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import './recent-changes.css';

/** The last entries, one line each; each line links to its entry. */
export function RecentChanges({ entries, now }: { entries: readonly AuditEntry[]; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sentence } = useEntryWords();
  if (entries.length === 0) return <p className="pad-4 muted">{t('AUDIT.RECENT_NONE')}</p>;
  return (
    <ul className="recent-changes divided" data-private>
      {entries.map((entry) => (
        <li key={entry.id} className="opens">
          <EntryFace entry={entry} />
          <Link to="/audit" search={{ entry: entry.id }} className="covers breaks" dir="auto">
            {sentence(entry)}
          </Link>
          <time
            className="muted small nowrap"
            dateTime={new Date(entry.at).toISOString()}
            title={formats.exact(entry.at)}
          >
            {formats.relative(entry.at, now)}
          </time>
        </li>
      ))}
    </ul>
  );
}
