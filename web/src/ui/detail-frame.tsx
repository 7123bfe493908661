import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListState } from './list-frame.tsx';
import { ErrorState, Skeleton } from './states.tsx';

/** The state of one thing, made by `detailState` of `web/platform/lists` from a query. */
type DetailState = Omit<ListState, 'state' | 'more'> & { state: ListState['state'] | 'missing' };

type DetailFrameProps = DetailState & {
  /** The catalogue key above its texts: LOADING, FAILED and, where it may be missing, MISSING. */
  texts: string;
  /** For the text MISSING.TITLE. */
  values?: Record<string, string>;
  /** Whether its title is being loaded too. */
  title?: boolean;
  /** The thing. */
  children: ReactNode;
};

/** One thing, or why it is not shown. */
export function DetailFrame({ texts, values, title, state, retry, detail, children }: DetailFrameProps) {
  const { t } = useTranslation();
  if (state === 'loaded') return children;
  if (state === 'loading') return <Skeleton label={t(`${texts}.LOADING`)} title={title ?? false} count={6} />;
  const why = state === 'missing' ? 'MISSING' : 'FAILED';
  return (
    <ErrorState
      title={t(`${texts}.${why}.TITLE`, values ?? {})}
      {...(state === 'missing' || retry === undefined ? {} : { retry, detail })}
    >
      {t(`${texts}.${why}.TEXT`)}
    </ErrorState>
  );
}
