import { type ComponentProps, type ReactNode, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from './screen-head.tsx';
import { Button } from './button.tsx';
import { Dialog, LeaveButton } from './dialog.tsx';
import { SearchInput } from './text-input.tsx';
import { type EmptyPicture, EmptyState, ErrorState, Skeleton } from './states.tsx';
import './screen.css';

type FilterBarProps = {
  search: ComponentProps<typeof SearchInput>;
  /**
   * The chosen values, '' for a filter without a choice; `onClear` resets them all. Left out if the filters are one
   * button, which fits everywhere.
   */
  chosen?: readonly string[];
  onClear?: () => void;
  /**
   * The greatest width of a window, in px, in which the filters do not fit into the line of the search and are in a
   * dialog instead. Left out: the width of a phone.
   */
  foldsAt?: number;
  /**
   * How many rows there are, in words; '' while that is unknown, left out where the screen does not count.
   */
  count?: string;
  className?: string;
  /** The filters. */
  children?: ReactNode;
};

/** The search and the filters above a list, in one line. */
export function FilterBar(props: FilterBarProps) {
  const { search, chosen, onClear, foldsAt = 640, count, className = '', children } = props;
  const { t } = useTranslation();
  const isFolded = useNarrow(foldsAt) && chosen !== undefined;
  const [open, setOpen] = useState(false);
  const narrowing = chosen?.filter((one) => one !== '').length ?? 0;
  return (
    <div className={`filter-bar ${className}`.trimEnd()}>
      <SearchInput {...search} />
      {isFolded ? (
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {narrowing === 0 ? t('COMMON.FILTER.LABEL') : t('COMMON.FILTER.CHOSEN', { chosen: narrowing })}
        </Button>
      ) : (
        children
      )}
      {count === undefined ? null : (
        <span className="end muted small" role="status">
          {count}
        </span>
      )}
      <Dialog
        open={isFolded && open}
        title={t('COMMON.FILTER.LABEL')}
        onClose={() => setOpen(false)}
        className="filter-sheet"
        footer={
          <>
            <Button disabled={narrowing === 0} onClick={onClear}>
              {t('COMMON.FILTER.CLEAR')}
            </Button>
            <LeaveButton tone="primary">{t('COMMON.FILTER.DONE')}</LeaveButton>
          </>
        }
      >
        {children}
      </Dialog>
    </div>
  );
}

/** The state of a list, made by `listState` of `web/platform/lists` from a query. */
export type ListState = {
  state: 'loading' | 'failed' | 'loaded';
  /** The next page, if there is one. */
  more?: { busy: boolean; onMore: () => void } | undefined;
} & Pick<ComponentProps<typeof ErrorState>, 'retry' | 'detail'>;

type ListFrameProps = ListState & {
  /** The catalogue key above the texts EMPTY, NOTHING_FOUND and, if it differs from COMMON, FAILED. */
  texts?: string;
  /** How many placeholder rows are drawn while it loads. */
  skeletonRows: number;
  /** How many rows are shown; left out: the list is never empty. */
  count?: number;
  /** Shown for a list that has no entries even without filters. */
  empty?: { icon: EmptyPicture; action?: ReactNode; values?: Record<string, string> };
  /**
   * Filters may hide rows: an empty list then offers to remove them, with `clearLabel` or the text of
   * NOTHING_FOUND.
   */
  onClear?: (() => void) | undefined;
  clearLabel?: string;
  /** The list. */
  children: ReactNode;
};

/** A list, or why there is none. */
export function ListFrame({
  texts = 'COMMON',
  state,
  retry,
  detail,
  more,
  skeletonRows,
  count = 1,
  empty,
  onClear,
  clearLabel,
  children,
}: ListFrameProps) {
  const { t } = useTranslation();
  if (state === 'loading') return <Skeleton label={t('COMMON.LOADING')} kind="rows" count={skeletonRows} />;
  if (state === 'failed') return <LoadFailed {...{ texts, retry, detail }} />;
  if (count === 0 && onClear !== undefined) {
    return (
      <EmptyState
        icon="search"
        title={t(`${texts}.NOTHING_FOUND.TITLE`)}
        action={<Button onClick={onClear}>{clearLabel ?? t(`${texts}.NOTHING_FOUND.ACTION`)}</Button>}
      >
        {t(`${texts}.NOTHING_FOUND.TEXT`)}
      </EmptyState>
    );
  }
  if (count === 0 && empty !== undefined) {
    return (
      <EmptyState icon={empty.icon} title={t(`${texts}.EMPTY.TITLE`)} action={empty.action}>
        {t(`${texts}.EMPTY.TEXT`, empty.values ?? {})}
      </EmptyState>
    );
  }
  return (
    <>
      {children}
      {more === undefined ? null : <MoreRows {...more} />}
    </>
  );
}

type LoadFailedProps = Pick<ListState, 'retry' | 'detail'> & { texts?: string };

/** Says that something could not be loaded, with the texts of FAILED below `texts`, or else of COMMON. */
export function LoadFailed({ texts = 'COMMON', retry, detail }: LoadFailedProps) {
  const { t } = useTranslation();
  return (
    <ErrorState title={t([`${texts}.FAILED.TITLE`, 'COMMON.FAILED.TITLE'])} {...{ retry, detail }}>
      {t([`${texts}.FAILED.TEXT`, 'COMMON.FAILED.TEXT'])}
    </ErrorState>
  );
}

type MoreRowsProps = NonNullable<ListState['more']> & {
  button?: Ref<HTMLButtonElement>;
  /** Shown above the button. */
  note?: ReactNode;
  /** The label of the button; left out: “Show more”. */
  children?: string;
};

/** The button below a list that shows further rows. */
export function MoreRows({ busy, onMore, button, note, children }: MoreRowsProps) {
  const { t } = useTranslation();
  return (
    <div className="list-more">
      {note}
      <Button ref={button} busy={busy} onClick={onMore}>
        {children ?? t('COMMON.MORE')}
      </Button>
    </div>
  );
}
