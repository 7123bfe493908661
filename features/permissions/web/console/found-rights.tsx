import type { CatalogueRight } from '#features/permissions/contract/administration.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { FilterBar, MoreRows } from '#web/ui/list-frame.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type FoundRightsProps = {
  rights: readonly CatalogueRight[];
  /** How many are shown at first; there may be 10,000. */
  first: number;
  /** What the list is for; shown where nothing was found. */
  about: string;
  children: (shown: readonly CatalogueRight[]) => ReactNode;
};

const page = 100;

/** The rights of the catalogue whose name, label or area has what is typed. */
export function FoundRights({ rights, first, about, children }: FoundRightsProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(first);
  const wanted = search.trim().toLowerCase();
  const found = rights.filter((one) =>
    `${one.right}\n${words.right(one.right)}\n${words.area(one)}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <FilterBar
        count={t('ROLES_AND_RIGHTS.RIGHT.COUNT', { count: found.length })}
        search={{
          label: t('ROLES_AND_RIGHTS.RIGHT.SEARCH'),
          value: search,
          maxLength: 100,
          onValue: (text) => {
            setSearch(text);
            setShown(first);
          },
        }}
      />
      {found.length === 0 ? (
        <EmptyState icon="search" title={t('ROLES_AND_RIGHTS.RIGHT.NOTHING_FOUND')}>
          {about}
        </EmptyState>
      ) : (
        children(found.slice(0, shown))
      )}
      {found.length > shown ? (
        <MoreRows busy={false} onMore={() => setShown(shown + page)}>
          {t('COMMON.MORE')}
        </MoreRows>
      ) : null}
    </>
  );
}
