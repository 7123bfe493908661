import type { PeopleOrder, Person } from '#features/people/contract/people.ts';
import { useTranslation } from 'react-i18next';
import { base } from '#web/platform/base.ts';
import { useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { type Selection, toggleAll, toggleRow } from '#web/platform/lists/selection.ts';
import { Face } from '#web/ui/face.tsx';
import { useTableView } from '#features/views/web/table-view.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { initials, personName } from '#web/platform/named-person.ts';
import { emailDoubtWord, PersonStateTag, RoleNames } from './person-tags.tsx';

type PeopleTableProps = {
  people: readonly Person[];
  order: PeopleOrder;
  direction: 'ascending' | 'descending';
  onSort: (order: PeopleOrder) => void;
  /** Null for people who may not change others. */
  selection: { value: Selection; onChange: (selection: Selection) => void } | null;
  onOpen: (person: Person) => void;
};

/** One row for each person, with their face; pills mark what is not usual. */
export function PeopleTable({ people, order, direction, onSort, selection, onOpen }: PeopleTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const me = useCurrentUser();
  const sorted = (by: PeopleOrder) => ({
    direction: by === order ? direction : null,
    onSort: () => onSort(by),
  });
  const columns: Column<Person>[] = [
    ...(selection === null ? [] : [selectColumn(t('PEOPLE.SELECT.ALL'), people, selection, rowLabel)]),
    {
      key: 'name',
      header: t('PEOPLE.NAME'),
      role: 'primary',
      sort: sorted('name'),
      cell: (person) => {
        const name = personName(t, person);
        return (
          <span className="inline-row gap-3 shrinks">
            <Face letters={initials(name)} of={name} />
            <span className="person-cell-words grid shrinks">
              <span>
                <strong dir="auto">{name}</strong>
                {person.id === me?.id ? <span className="muted"> {t('PEOPLE.YOU')}</span> : null}
              </span>
              {name === person.email ? null : (
                <small className="muted person-email breaks">{person.email}</small>
              )}
            </span>
          </span>
        );
      },
    },
    {
      key: 'roles',
      header: t('PEOPLE.ROLES'),
      cell: (person) => (
        <span className="people-roles">
          <RoleNames {...person} />
        </span>
      ),
    },
    {
      key: 'state',
      header: t('PEOPLE.STATE'),
      role: 'beside',
      tight: true,
      cell: (person) =>
        person.state === 'active' && person.emailDoubt === null ? null : (
          <span className="row wrap gap-1">
            {person.state === 'active' ? null : <PersonStateTag state={person.state} />}
            {person.emailDoubt === null ? null : (
              <Tag kind="medium">{emailDoubtWord(t, person.emailDoubt)}</Tag>
            )}
          </span>
        ),
    },
    {
      key: 'joined',
      header: t('PEOPLE.PERSON.SINCE'),
      narrow: 'hidden',
      align: 'end',
      tight: true,
      sort: sorted('joined'),
      cell: (person) => formats.date(person.createdAt),
    },
    {
      key: 'seen',
      header: t('PEOPLE.LAST_SEEN'),
      narrow: 'labelled',
      align: 'end',
      tight: true,
      sort: sorted('seen'),
      cell: (person) =>
        person.lastSeenAt === null ? (
          <span className="muted">{t('PEOPLE.NEVER_SEEN')}</span>
        ) : (
          <Time at={person.lastSeenAt} formats={formats} />
        ),
    },
  ];
  return (
    <div className="people-table">
      <Table
        caption={t('PEOPLE.TITLE')}
        {...useTableView('people', columns)}
        rows={people}
        rowKey={(person) => person.id}
        open={{ act: onOpen, href: ({ id }) => `${base}/people/${encodeURIComponent(id)}` }}
        selected={(person) => selection?.value.ids.has(person.id) ?? false}
      />
    </div>
  );

  function rowLabel(person: Person): string {
    return t('PEOPLE.SELECT.ONE', { name: personName(t, person) });
  }
}

/** Boxes that select rows; with Shift, all rows from the box that was pressed last. */
function selectColumn(
  header: string,
  people: readonly Person[],
  { value, onChange }: NonNullable<PeopleTableProps['selection']>,
  label: (person: Person) => string,
): Column<Person> {
  const rows = people.map(({ id }) => id);
  return {
    key: 'select',
    header,
    tight: true,
    role: 'select',
    head: (
      <input
        type="checkbox"
        aria-label={header}
        checked={rows.length > 0 && rows.every((id) => value.ids.has(id))}
        onChange={() => onChange(toggleAll(value, rows))}
      />
    ),
    cell: (person) => (
      <input
        type="checkbox"
        aria-label={label(person)}
        checked={value.ids.has(person.id)}
        onChange={(event) =>
          onChange(
            toggleRow(value, rows, person.id, (event.nativeEvent as MouseEvent | KeyboardEvent).shiftKey),
          )
        }
      />
    ),
  };
}
