import { peopleOrder, personState, type PeopleOrder } from '@portico/contract/people';
import { rightName, roleName } from '@portico/contract/permissions/administration';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../platform/lists/address-filter.ts';
import { useAskedAction } from '../../platform/lists/asked-action.ts';
import { listState } from '../../platform/lists/list-state.ts';
import { useApi, useCan } from '../../platform/contexts.tsx';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { spoken } from '../../platform/i18n/isolated.ts';
import { useHasStoredWork } from '../../platform/forms/stored-work.ts';
import { useRightsWords } from '../../platform/rights-words.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, ListFrame } from '../../ui/list-frame.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { SearchInput, Select } from '../../ui/text-input.tsx';
import { noSelection, shownSelection } from '../../platform/lists/selection.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import type { BulkTask } from './bulk/bulk-effect.ts';
import { invitationWork } from './invitation-draft.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { peopleQuery } from './people-queries.ts';
import { PeopleTable } from './people-table.tsx';
import { RightInput } from './right-input.tsx';
import './people.css';

/** For narrow windows, where the heads of the columns are not shown. */
const sorts = peopleOrder.options.flatMap((by) => [`${by} ascending`, `${by} descending`]);

/** All people: search, sort, invite, and change many at once. A row leads to the person's page. */
export function PeopleScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const can = useCan();
  const [address, setAddress] = useAddressFilter([
    'search',
    'state',
    'role',
    'right',
    'group',
    'order',
    'direction',
    'person',
  ]);
  const navigate = useNavigate();
  const [selection, setSelection] = useState(noSelection);
  const [task, setTask] = useState<BulkTask | null>(null);
  const [inviting, setInviting] = useState(useHasStoredWork(invitationWork) && can('PEOPLE_WRITE'));
  useAskedAction('invite', can('PEOPLE_WRITE'), () => setInviting(true));
  const search = useDeferredValue(address.search);
  const state = personState.safeParse(address.state).data ?? '';
  const words = useRightsWords();
  const chosenRole = roleName.safeParse(address.role).data ?? '';
  const right = rightName.safeParse(address.right).data ?? '';
  const { group } = address;
  const order = peopleOrder.safeParse(address.order).data ?? 'name';
  const direction = address.direction === 'descending' ? 'descending' : 'ascending';
  const people = useInfiniteQuery(
    peopleQuery(api, { search, state, role: chosenRole, right, group, order, direction }),
  );
  const found = people.data?.pages.flatMap((page) => page.people) ?? [];
  const selected = shownSelection(
    selection,
    found.map(({ id }) => id),
  );
  const chosen = found.filter(({ id }) => selected.ids.has(id));
  const narrowed = address.search !== '' || state !== '' || chosenRole !== '' || right !== '' || group !== '';
  const mayWrite = can('PEOPLE_WRITE');
  // The times are asked for the latest first.
  const sort = (by: PeopleOrder) =>
    setAddress({
      order: by === 'name' ? '' : by,
      direction:
        by === order ? (direction === 'ascending' ? 'descending' : '') : by === 'name' ? '' : 'descending',
    });
  // An address of the time when a person was shown in a dialog.
  if (address.person !== '')
    return <Navigate to="/people/$personId" params={{ personId: address.person }} replace />;
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

      <FilterBar
        count={
          people.data === undefined ? '' : t('PEOPLE.TOTAL', { count: people.data.pages[0]?.total ?? 0 })
        }
      >
        <SearchInput
          label={t('PEOPLE.SEARCH')}
          value={address.search}
          maxLength={200}
          onValue={(text) => setAddress({ search: text })}
        />
        <Select
          aria-label={t('PEOPLE.STATE')}
          value={state}
          onValue={(value) => setAddress({ state: value })}
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
          onValue={(value) => setAddress({ role: value })}
          options={[
            { value: '', label: t('PEOPLE.ANY_ROLE') },
            ...words.roles.map(({ role }) => ({ value: role, label: words.role(role) })),
          ]}
        />
        <RightInput
          aria-label={t('PEOPLE.RIGHT')}
          placeholder={t('PEOPLE.ANY_RIGHT')}
          value={address.right}
          onValue={(value) => setAddress({ right: value })}
        />
        <span className="people-order">
          <Select
            aria-label={t('PEOPLE.SORT.LABEL')}
            value={`${order} ${direction}`}
            onValue={(value) => {
              const [by = '', way = ''] = value.split(' ');
              setAddress({ order: by === 'name' ? '' : by, direction: way === 'ascending' ? '' : way });
            }}
            options={sorts.map((value) => ({
              value,
              label: t(`PEOPLE.SORT.${catalogueKey(value.replace(' ', '-'))}`),
            }))}
          />
        </span>
        {group === '' ? null : (
          <Button small icon="close" className="group-filter" onClick={() => setAddress({ group: '' })}>
            {t('PEOPLE.IN_GROUP', { group: spoken(group) })}
          </Button>
        )}
      </FilterBar>

      <ListFrame
        texts="PEOPLE"
        {...listState(t, people)}
        skeletonRows={8}
        count={found.length}
        empty={{ icon: 'people', action: mayWrite ? invite : undefined }}
        onClear={
          narrowed ? () => setAddress({ search: '', state: '', role: '', right: '', group: '' }) : undefined
        }
      >
        <PeopleTable
          people={found}
          order={order}
          direction={direction}
          onSort={sort}
          selection={mayWrite ? { value: selected, onChange: setSelection } : null}
          onOpen={({ id }) => void navigate({ to: '/people/$personId', params: { personId: id } })}
        />
      </ListFrame>

      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
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
