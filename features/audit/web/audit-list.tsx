import type { AuditEntry } from '#features/audit/contract/audit.ts';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import type { ListAndDetail } from '#web/platform/lists/list-and-detail.ts';
import { Icon } from '#web/ui/icon.tsx';
import { areaIcon, areaOf, areas } from './area-icon.ts';
import { byDay, dayWords } from './by-day.ts';
import { EntryFace } from './entry-face.tsx';
import { useEntryWords } from './entry-words.ts';

type AuditListProps = Pick<ListAndDetail, 'list' | 'rowLink'> & {
  entries: readonly AuditEntry[];
  now: number;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** What was done, the latest first, under the day of each; each row is a link to its entry. */
export function AuditList({ list, entries, rowLink, now, onKeyDown }: AuditListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ul ref={list} className="audit-days" aria-label={t('AUDIT.COLUMN')}>
      {byDay(entries, formats.timeZone).map(({ day, entries: made }) => (
        <li key={day}>
          <h2 className="audit-day-head">{dayWords(day, now, formats)}</h2>
          <ul className="list-beside-rows">
            {made.map((entry) => (
              <li key={entry.id}>
                <a
                  className="list-beside-row audit-row"
                  href={`?${new URLSearchParams({ entry: entry.id })}`}
                  {...rowLink(entry.id)}
                  onKeyDown={onKeyDown}
                >
                  <Row entry={entry} />
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sentence, way } = useEntryWords();
  const area = areaOf(entry.action);
  return (
    <>
      <span className="audit-row-text" dir="auto">
        {sentence(entry)}
      </span>
      <span className="list-beside-facts">
        <time dateTime={new Date(entry.at).toISOString()} title={formats.exact(entry.at)}>
          {formats.time(entry.at)}
        </time>
        {areas.includes(area) ? (
          <span className="audit-row-area">
            <Icon name={areaIcon(area)} size={12} />
            {t(`AUDIT.AREAS.${catalogueKey(area)}`)}
          </span>
        ) : null}
        <span className="audit-row-way">{way(entry)}</span>
      </span>
      <EntryFace entry={entry} />
    </>
  );
}
