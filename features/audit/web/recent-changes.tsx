import './recent-changes.css';
import { type AuditEntry, listAudit } from '#features/audit/contract/audit.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EntryFace } from './entry-face.tsx';
import { useEntryWords } from './entry-words.ts';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import type { AnswerOf } from '#contract/route.ts';
import type { InfiniteData, QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { listState } from '#web/platform/lists/list-state.ts';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { routePages } from '#web/platform/calls/route-query.ts';

/**
 * What a person did and what was done to them, the latest first.
 *
 * @param within the beginning of the query key: queries with it are loaded again when the person is changed
 */
export const activityQuery = (personId: string, within: QueryKey) =>
  routePages([...within, 'activity', personId], listAudit, { query: { about: personId, limit: 25 } });

type PersonActivityProps = {
  activity: UseInfiniteQueryResult<InfiniteData<AnswerOf<typeof listAudit>>>;
  /** The number of rows to show. */
  most?: number;
  /** For the links to the audit itself. */
  personId?: string;
};

/** The audit of a person and about them. */
export function PersonActivity({ activity, most, personId }: PersonActivityProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const [now] = useState(() => clock.now());
  const entries = activity.data?.pages.flatMap((page) => page.entries) ?? [];
  const { more, ...state } = listState(t, activity);
  const list = (
    <ListFrame texts="AUDIT" {...state} more={most === undefined ? more : undefined} skeletonRows={most ?? 8}>
      <RecentChanges entries={entries.slice(0, most)} now={now} />
    </ListFrame>
  );
  if (personId === undefined) return list;
  return (
    <>
      <p className="row gap-3 wrap">
        <Link to="/audit" search={{ actor: personId }}>
          {t('AUDIT.OF_PERSON.BY')}
        </Link>
        <Link to="/audit" search={{ subject: personId }}>
          {t('AUDIT.OF_PERSON.ABOUT')}
        </Link>
      </p>
      <div className="panel shrinks">{list}</div>
    </>
  );
}

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
