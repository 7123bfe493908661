import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListState, LoadFailed } from './list-frame.tsx';
import { ErrorState, Skeleton } from './states.tsx';

/** The state of one thing, made by `detailState` of `web/platform/lists` from a query. */
type DetailState = Omit<ListState, 'state' | 'more'> & { state: ListState['state'] | 'missing' };

type DetailFrameProps = DetailState & {
  /** The catalogue key above the texts MISSING.TITLE and, if they differ from COMMON, MISSING.TEXT and FAILED. */
  texts?: string;
  /** The values for the text MISSING.TITLE. */
  values?: Record<string, string>;
  /** Whether the placeholder has a title, since the title of the thing is loaded too. */
  title?: boolean;
  /** The thing. */
  children: ReactNode;
};

/** Shows one thing, or why it is not shown. */
export function DetailFrame(props: DetailFrameProps) {
  const { texts = 'COMMON', values = {}, title = false, state, retry, detail, children } = props;
  const { t } = useTranslation();
  if (state === 'loaded') return children;
  if (state === 'loading') return <Skeleton label={t('COMMON.LOADING')} title={title} count={6} />;
  if (state === 'missing')
    return (
      <ErrorState title={t(`${texts}.MISSING.TITLE`, values)}>
        {t([`${texts}.MISSING.TEXT`, 'COMMON.MISSING.TEXT'])}
      </ErrorState>
    );
  return <LoadFailed {...{ texts, retry, detail }} />;
}
