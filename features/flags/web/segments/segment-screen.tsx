import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { detailState } from '#web/platform/lists/list-state.ts';
import { DetailPage } from '#web/app/detail-page.tsx';
import { segmentQuery } from '../console/flags-query.ts';
import { SegmentPage } from './segment-page.tsx';
import '../console/flags-screen.css';
import '../console/flag-page.css';

/** One segment: who is in it, and what uses it. */
export function SegmentScreen() {
  const { t } = useTranslation();
  const { segmentId = '' }: { segmentId?: string } = useParams({ strict: false });
  const query = useQuery(segmentQuery(segmentId));
  // What is typed stays when another operator deletes it.
  const segment = query.data?.id === segmentId ? query.data : undefined;
  return (
    <DetailPage
      up="/segments"
      upTitle={t('SEGMENTS.TITLE')}
      heading={segmentId}
      className="stack gap-4"
      texts="SEGMENTS.PAGE"
      {...detailState(t, query, segment)}
    >
      {segment === undefined ? null : (
        <SegmentPage
          key={`${segment.id} ${segment.createdAt}`}
          segment={segment}
          gone={isProblem(query.error, 'NOT_FOUND')}
        />
      )}
    </DetailPage>
  );
}
