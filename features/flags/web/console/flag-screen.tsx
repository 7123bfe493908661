import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { retryProps } from '#web/platform/lists/list-state.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { Icon } from '#web/ui/icon.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { FlagPage } from './flag-page.tsx';
import { flagQuery, flagsQuery } from './flags-query.ts';
import '#web/ui/screen.css';
import './flags-screen.css';
import './flag-page.css';

/** One flag: its rules, what they do, and trying them. */
export function FlagScreen() {
  const { t } = useTranslation();
  const { flagKey = '' }: { flagKey?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const query = useQuery({
    ...flagQuery(flagKey),
    // From the list the page is there at once; what depends on the flag follows.
    placeholderData: () => {
      const listed = queries.getQueryData(flagsQuery.queryKey)?.flags.find(({ key }) => key === flagKey);
      const unknown = { warnings: [], usedBy: [], clients: [], proposal: null, reviewed: false };
      return listed === undefined ? undefined : { ...listed, ...unknown };
    },
  });
  const isGone = query.error instanceof ProblemError && query.error.status === 404;
  // What is typed stays when another operator deletes the flag.
  const flag = query.data?.key === flagKey ? query.data : undefined;
  return (
    <div className="stack gap-4">
      <Link to="/flags" className="screen-up">
        <Icon name="chevron-left" size={14} />
        {t('FLAGS.TITLE')}
      </Link>
      {flag !== undefined ? (
        <FlagPage key={`${flag.key} ${flag.createdAt}`} flag={flag} gone={isGone} />
      ) : query.isPending ? (
        <Skeleton label={t('FLAGS.LOADING_ONE')} title count={6} />
      ) : (
        <>
          <h1 className="visually-hidden">{flagKey}</h1>
          {isGone ? (
            <ErrorState title={t('FLAGS.MISSING.TITLE', { key: flagKey })}>
              {t('FLAGS.MISSING.TEXT')}
            </ErrorState>
          ) : (
            <ErrorState title={t('FLAGS.FAILED.ONE')} {...retryProps(t, query)}>
              {t('FLAGS.FAILED.TEXT')}
            </ErrorState>
          )}
        </>
      )}
    </div>
  );
}
