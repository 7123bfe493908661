import { type PeopleOrder, peopleOrder, personState } from '#features/people/contract/people.ts';
import { RightInput } from '#features/permissions/web/right-input.tsx';
import { rightName, roleName } from '#features/permissions/contract/administration.ts';
import { ViewMenu } from '#features/views/web/view-menu.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey, spoken } from '#web/platform/i18n/isolated.ts';
import { listState, useAddressFilter, useAskedAction } from '#web/platform/lists/list-state.ts';
import { useCan } from '#web/platform/contexts.tsx';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { noSelection, shownSelection } from '#web/platform/lists/selection.ts';
import { Select } from '#web/ui/text-input.tsx';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import type { BulkTask } from './bulk/bulk-effect.ts';
import { invitationWork, InviteDialog } from './invite-dialog.tsx';
import { type PeopleFilter, peopleQuery } from './people-queries.ts';
import { PeopleTable } from './people-table.tsx';
import './people.css';

/** All people: search, sort, invite, and change many at once. A row leads to the person's page. */
export function PeopleScreen() {
  const { t } = useTranslation();
  const can = useCan();
  const filter = usePeopleFilter();
  const navigate = useNavigate();
  const [selection, setSelection] = useState(noSelection);
  const [task, setTask] = useState<BulkTask | null>(null);
  const [inviting, setInviting] = useState(useHasStoredWork(invitationWork) && can('PEOPLE_WRITE'));
  useAskedAction('invite', can('PEOPLE_WRITE'), () => setInviting(true));
  const people = useInfiniteQuery(peopleQuery(filter.query));
  const found = people.data?.pages.flatMap((page) => page.people) ?? [];
  const selected = shownSelection(
    selection,
    found.map(({ id }) => id),
  );
  const chosen = found.filter(({ id }) => selected.ids.has(id));
  const mayWrite = can('PEOPLE_WRITE');
  // Older links open a person in a dialog of this screen; persons have a page of their own now.
  const { person } = filter.address;
  if (person !== '') return <Navigate to="/people/$personId" params={{ personId: person }} replace />;
  const invite = (
    <Button tone="primary" icon="plus" onClick={() => setInviting(true)}>
      {t('PEOPLE.INVITE')}
    </Button>
  );

  return (
    <>
      <ScreenHead title={t('PEOPLE.TITLE')} lead={t('PEOPLE.LEAD')}>
        {mayWrite ? invite : null}
      </ScreenHead>

      <PeopleFilterBar
        filter={filter}
        total={people.data === undefined ? undefined : (people.data.pages[0]?.total ?? 0)}
      />

      <ListFrame
        texts="PEOPLE"
        {...listState(t, people)}
        skeletonRows={8}
        count={found.length}
        empty={{ icon: 'people', action: mayWrite ? invite : undefined }}
        onClear={filter.isNarrowed ? filter.clear : undefined}
      >
        <PeopleTable
          people={found}
          order={filter.query.order}
          direction={filter.query.direction}
          onSort={filter.sort}
          selection={mayWrite ? { value: selected, onChange: setSelection } : null}
          onOpen={({ id }) => void navigate({ to: '/people/$personId', params: { personId: id } })}
        />
      </ListFrame>

      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      {chosen.length === 0 ? null : (
        <BulkBar
          count={chosen.length}
          total={found.length}
          onTask={setTask}
          onAll={() => setSelection({ ids: new Set(found.map(({ id }) => id)), anchor: null })}
          onClear={() => setSelection(noSelection)}
        />
      )}
      {task === null || chosen.length === 0 ? null : (
        <BulkDialog
          task={task}
          people={chosen}
          onClose={() => setTask(null)}
          onDone={() => {
            setTask(null);
            setSelection(noSelection);
          }}
        />
      )}
    </>
  );
}

/** The choices for narrow windows, in which the column heads are hidden. */
const sorts = peopleOrder.options.flatMap((by) => [`${by} ascending`, `${by} descending`]);

type PeopleFilterBarProps = {
  filter: PeopleFilterInAddress;
  /** People found; undefined while they are loading. */
  total: number | undefined;
};

function PeopleFilterBar({ filter: { address, set, query }, total }: PeopleFilterBarProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const { state, role: chosenRole, group, order, direction } = query;
  return (
    <FilterBar
      count={total === undefined ? '' : t('PEOPLE.TOTAL', { count: total })}
      search={{
        label: t('PEOPLE.SEARCH'),
        value: address.search,
        maxLength: 200,
        onValue: (text) => set({ search: text }),
      }}
      chosen={[state, chosenRole, address.right, group]}
      onClear={() => set({ state: '', role: '', right: '', group: '' })}
      foldsAt={1100}
    >
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
      <span className="right-input">
        <RightInput
          aria-label={t('PEOPLE.RIGHT')}
          placeholder={t('PEOPLE.ANY_RIGHT')}
          value={address.right}
          onValue={(value) => set({ right: value })}
        />
      </span>
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
      <ViewMenu list="people" fields={viewFields} />
      {group === '' ? null : (
        <Button small icon="close" className="group-filter" onClick={() => set({ group: '' })}>
          {t('PEOPLE.IN_GROUP', { group: spoken(group) })}
        </Button>
      )}
    </FilterBar>
  );
}

type BulkBarProps = {
  count: number;
  /** How many are shown. */
  total: number;
  onTask: (task: BulkTask) => void;
  onAll: () => void;
  onClear: () => void;
};

/** What can be done to the selected people; it floats above the list. Each choice asks first. */
function BulkBar({ count, total, onTask, onAll, onClear }: BulkBarProps) {
  const { t } = useTranslation();
  const menu = (icon: IconName, label: string, items: MenuAction[]) => (
    <Menu
      label={label}
      align="start"
      buttonClassName="button button-small"
      button={
        <>
          <Icon name={icon} />
          {label}
        </>
      }
      items={items}
    />
  );
  return (
    <div className="bulk-bar people-bulk" role="toolbar" aria-label={t('PEOPLE.SELECT.TOOLS')}>
      <strong role="status">{t('PEOPLE.SELECT.COUNT', { count })}</strong>
      {count < total ? (
        <Button small tone="quiet" onClick={onAll}>
          {t('PEOPLE.SELECT.ALL_SHOWN', { count: total })}
        </Button>
      ) : null}
      {menu('shield', t('PEOPLE.ROLES'), [
        { label: t('PEOPLE.BULK.GIVE_ROLE.OPEN'), icon: 'plus', onSelect: () => onTask('give-role') },
        { label: t('PEOPLE.BULK.TAKE_ROLE.OPEN'), icon: 'minus', onSelect: () => onTask('take-role') },
      ])}
      {menu('lock', t('PEOPLE.PERSON.ACTIONS'), [
        { label: t('PEOPLE.BULK.SIGN_OUT.OPEN'), icon: 'sign-out', onSelect: () => onTask('sign-out') },
        { label: t('PEOPLE.BULK.UNBLOCK.OPEN'), icon: 'check', onSelect: () => onTask('unblock') },
        { label: t('PEOPLE.BULK.BLOCK.OPEN'), icon: 'lock', danger: true, onSelect: () => onTask('block') },
      ])}
      <IconButton small icon="close" label={t('PEOPLE.SELECT.CLEAR')} onClick={onClear} />
    </div>
  );
}

const viewFields = ['search', 'state', 'role', 'right', 'group', 'order', 'direction'] as const;
const fields = [...viewFields, 'person'] as const;

/** Search, filters and order of the list of people, which are stored in the address. */
function usePeopleFilter() {
  const [address, set] = useAddressFilter(fields);
  const { group } = address;
  const state = personState.safeParse(address.state).data ?? '';
  const role = roleName.safeParse(address.role).data ?? '';
  const right = rightName.safeParse(address.right).data ?? '';
  const order = peopleOrder.safeParse(address.order).data ?? 'name';
  const direction: 'ascending' | 'descending' =
    address.direction === 'descending' ? 'descending' : 'ascending';
  const search = useDeferredValue(address.search);
  const query: PeopleFilter = { search, state, role, right, group, order, direction };
  return {
    address,
    set,
    query,
    isNarrowed: address.search !== '' || state !== '' || role !== '' || right !== '' || group !== '',
    clear: () => set({ search: '', state: '', role: '', right: '', group: '' }),
    /** Sorts by a column; a second call reverses the direction. Times begin with the latest. */
    sort(by: PeopleOrder): void {
      const first = by === 'name' ? '' : 'descending';
      const reversed = direction === 'ascending' ? 'descending' : '';
      set({ order: by === 'name' ? '' : by, direction: by === order ? reversed : first });
    },
  };
}

type PeopleFilterInAddress = ReturnType<typeof usePeopleFilter>;
