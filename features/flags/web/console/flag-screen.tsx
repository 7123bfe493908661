import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { detailOf } from '#web/platform/lists/list-state.ts';
import { useCan } from '#web/platform/contexts.tsx';
import { DetailPage } from '#web/app/detail-page.tsx';
import { FlagPage } from './flag-page.tsx';
import { flagQuery, flagsQuery } from './flags-query.ts';
import './flags-screen.css';
import './flag-page.css';

/** The screen of one flag: its rules, their effect, and a form to try them. */
export function FlagScreen() {
  const { t } = useTranslation();
  const { flagKey = '' }: { flagKey?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const query = useQuery({
    ...flagQuery(flagKey),
    // With the data of the list, the page appears at once; dependent flags and other details follow.
    placeholderData: () => {
      const listed = queries.getQueryData(flagsQuery.queryKey)?.flags.find(({ key }) => key === flagKey);
      const unknown = { warnings: [], usedBy: [], clients: [], proposal: null, reviewed: false };
      return listed === undefined ? undefined : { ...listed, ...unknown };
    },
  });
  const mayWrite = useCan()('FLAGS_WRITE');
  const { thing: flag, gone, frame } = detailOf(t, query, (data) => data, mayWrite);
  return (
    <DetailPage
      up="/flags"
      upTitle={t('FLAGS.TITLE')}
      heading={flagKey}
      texts="FLAGS.PAGE"
      values={{ key: flagKey }}
      {...frame}
    >
      {flag === undefined ? null : <FlagPage key={`${flag.key} ${flag.createdAt}`} flag={flag} gone={gone} />}
    </DetailPage>
  );
}
