import { personState, type Person } from '@portico/contract/people';
import { rightName, roleName } from '@portico/contract/permissions/administration';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../platform/lists/address-filter.ts';
import { useAskedAction } from '../../platform/lists/asked-action.ts';
import { listState } from '../../platform/lists/list-state.ts';
import { useApi, useCan, useCurrentUser } from '../../platform/contexts.tsx';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { spoken } from '../../platform/i18n/isolated.ts';
import { useHasStoredWork } from '../../platform/forms/stored-work.ts';
import { useRightsWords } from '../../platform/rights-words.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, ListFrame } from '../../ui/list-frame.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { SearchInput, Select } from '../../ui/text-input.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { emailDoubtWord } from './email-doubt.tsx';
import { invitationWork } from './invitation-draft.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { peopleQuery } from './people-queries.ts';
import { PersonDialog } from './person-dialog.tsx';
import { personName } from './person-name.ts';
import { PersonStateTag, RoleTags } from './person-tags.tsx';
import { RightInput } from './right-input.tsx';
import './people.css';

/** All people and their rights: search, invite, give and take roles, block. */
export function PeopleScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const can = useCan();
  const [address, setAddress] = useAddressFilter(['search', 'state', 'role', 'right', 'group', 'person']);
  const [inviting, setInviting] = useState(useHasStoredWork(invitationWork) && can('PEOPLE_WRITE'));
  useAskedAction('invite', can('PEOPLE_WRITE'), () => setInviting(true));
  const search = useDeferredValue(address.search);
  const state = personState.safeParse(address.state).data ?? '';
  const words = useRightsWords();
  const chosenRole = roleName.safeParse(address.role).data ?? '';
  const right = rightName.safeParse(address.right).data ?? '';
  const { group } = address;
  const people = useInfiniteQuery(peopleQuery(api, { search, state, role: chosenRole, right, group }));
  const found = people.data?.pages.flatMap((page) => page.people) ?? [];
  const narrowed = address.search !== '' || state !== '' || chosenRole !== '' || right !== '' || group !== '';
  const mayWrite = can('PEOPLE_WRITE');
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
        <PeopleTable people={found} onOpen={(person) => setAddress({ person: person.id })} />
      </ListFrame>

      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
      {address.person === '' ? null : (
        <PersonDialog
          key={address.person}
          personId={address.person}
          onGroup={(name) => setAddress({ group: name, person: '' })}
          onClose={() => setAddress({ person: '' })}
        />
      )}
    </>
  );
}

function PeopleTable({ people, onOpen }: { people: readonly Person[]; onOpen: (person: Person) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const me = useCurrentUser();
  const columns: Column<Person>[] = [
    {
      key: 'name',
      header: t('PEOPLE.NAME'),
      role: 'primary',
      cell: (person) => (
        <>
          <strong>{personName(t, person)}</strong>
          {person.id === me?.id ? <small className="muted"> {t('PEOPLE.YOU')}</small> : null}
        </>
      ),
    },
    {
      key: 'email',
      header: t('PEOPLE.EMAIL'),
      cell: (person) => (
        <>
          <span className="person-email">{person.email}</span>
          {person.emailDoubt === null ? null : (
            <>
              {' '}
              <Tag kind="medium">{emailDoubtWord(t, person.emailDoubt)}</Tag>
            </>
          )}
        </>
      ),
    },
    { key: 'roles', header: t('PEOPLE.ROLES'), cell: (person) => <RoleTags {...person} /> },
    {
      key: 'state',
      header: t('PEOPLE.STATE'),
      role: 'beside',
      tight: true,
      cell: (person) => <PersonStateTag state={person.state} />,
    },
    {
      key: 'seen',
      header: t('PEOPLE.LAST_SEEN'),
      align: 'end',
      tight: true,
      cell: (person) =>
        person.lastSeenAt === null ? (
          <span className="muted">{t('PEOPLE.NEVER_SEEN')}</span>
        ) : (
          <Time at={person.lastSeenAt} formats={formats} />
        ),
    },
  ];
  return (
    <Table
      caption={t('PEOPLE.TITLE')}
      columns={columns}
      rows={people}
      rowKey={(person) => person.id}
      open={{ act: onOpen }}
    />
  );
}
