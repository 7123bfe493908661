import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { retryProps } from '#web/platform/lists/list-state.ts';
import { Icon } from '#web/ui/icon.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { segmentQuery } from '../console/flags-query.ts';
import { SegmentPage } from './segment-page.tsx';
import '#web/ui/screen.css';
import '../console/flags-screen.css';
import '../console/flag-page.css';

/** One segment: who is in it, and what uses it. */
export function SegmentScreen() {
  const { t } = useTranslation();
  const { segmentId = '' }: { segmentId?: string } = useParams({ strict: false });
  const query = useQuery(segmentQuery(segmentId));
  const isGone = query.error instanceof ProblemError && query.error.status === 404;
  // What is typed stays when another operator deletes it.
  const segment = query.data?.id === segmentId ? query.data : undefined;
  return (
    <div className="stack gap-4">
      <Link to="/segments" className="screen-up">
        <Icon name="chevron-left" size={14} />
        {t('SEGMENTS.TITLE')}
      </Link>
      {segment !== undefined ? (
        <SegmentPage key={`${segment.id} ${segment.createdAt}`} segment={segment} gone={isGone} />
      ) : query.isPending ? (
        <Skeleton label={t('SEGMENTS.LOADING_ONE')} title count={6} />
      ) : (
        <>
          <h1 className="visually-hidden">{segmentId}</h1>
          {isGone ? (
            <ErrorState title={t('SEGMENTS.MISSING.TITLE')}>{t('FLAGS.MISSING.TEXT')}</ErrorState>
          ) : (
            <ErrorState title={t('SEGMENTS.FAILED.ONE')} {...retryProps(t, query)}>
              {t('FLAGS.FAILED.TEXT')}
            </ErrorState>
          )}
        </>
      )}
    </div>
  );
}
