import { peopleOrder, personState } from '#features/people/contract/people.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { spoken } from '#web/platform/i18n/isolated.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterBar } from '#web/ui/list-frame.tsx';
import { SearchInput, Select } from '#web/ui/text-input.tsx';
import { RightInput } from './right-input.tsx';
import type { PeopleFilterInAddress } from './use-people-filter.ts';

/** The choices for narrow windows, in which the column heads are hidden. */
const sorts = peopleOrder.options.flatMap((by) => [`${by} ascending`, `${by} descending`]);

type PeopleFilterBarProps = {
  filter: PeopleFilterInAddress;
  /** People found; undefined while they are loading. */
  total: number | undefined;
};

export function PeopleFilterBar({ filter: { address, set, query }, total }: PeopleFilterBarProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const { state, role: chosenRole, group, order, direction } = query;
  return (
    <FilterBar count={total === undefined ? '' : t('PEOPLE.TOTAL', { count: total })}>
      <SearchInput
        label={t('PEOPLE.SEARCH')}
        value={address.search}
        maxLength={200}
        onValue={(text) => set({ search: text })}
      />
      <Select
        aria-label={t('PEOPLE.STATE')}
        value={state}
        onValue={(value) => set({ state: value })}
        options={[
          { value: '', label: t('PEOPLE.ANY_STATE') },
          ...personState.options.map((value) => ({
            value,
            label: t(`PEOPLE.STATES.${catalogueKey(value)}`),
          })),
        ]}
      />
      <Select
        aria-label={t('PEOPLE.ROLES')}
        value={chosenRole}
        onValue={(value) => set({ role: value })}
        options={[
          { value: '', label: t('PEOPLE.ANY_ROLE') },
          ...words.roles.map(({ role }) => ({ value: role, label: words.role(role) })),
        ]}
      />
      <RightInput
        aria-label={t('PEOPLE.RIGHT')}
        placeholder={t('PEOPLE.ANY_RIGHT')}
        value={address.right}
        onValue={(value) => set({ right: value })}
      />
      <span className="people-order">
        <Select
          aria-label={t('PEOPLE.SORT.LABEL')}
          value={`${order} ${direction}`}
          onValue={(value) => {
            const [by = '', way = ''] = value.split(' ');
            set({ order: by === 'name' ? '' : by, direction: way === 'ascending' ? '' : way });
          }}
          options={sorts.map((value) => ({
            value,
            label: t(`PEOPLE.SORT.${catalogueKey(value.replace(' ', '-'))}`),
          }))}
        />
      </span>
      {group === '' ? null : (
        <Button small icon="close" className="group-filter" onClick={() => set({ group: '' })}>
          {t('PEOPLE.IN_GROUP', { group: spoken(group) })}
        </Button>
      )}
    </FilterBar>
  );
}
