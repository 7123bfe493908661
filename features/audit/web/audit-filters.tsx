import { type AuditEntry, auditThrough } from '#features/audit/contract/audit.ts';
import { ViewMenu } from '#features/views/web/view-menu.tsx';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { initials, namedPerson, personName } from '#web/platform/named-person.ts';
import { formatDay } from '#web/platform/time/wall-times.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { DateInput } from '#web/ui/date-input/date-input.tsx';
import { Face } from '#web/ui/face.tsx';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FilterBar } from '#web/ui/list-frame.tsx';
import { type Option, OptionList } from '#web/ui/option-list.tsx';
import { PeriodChoice } from '#web/ui/period-choice.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Select } from '#web/ui/text-input.tsx';
import { areas, EntryFace } from './entry-face.tsx';
import { type AuditFilter, actorsFoundQuery, filterNames, periods, personQuery } from './audit-queries.ts';
import { useEntryWords } from './entry-words.ts';

type AuditFiltersProps = {
  /** The text of the search field, which the filter follows after a pause. */
  typed: string;
  onType: (text: string) => void;
  filter: AuditFilter;
  /** The listed entries, for the names of filtered people and things; undefined until they are loaded. */
  entries: readonly AuditEntry[] | undefined;
  onFilter: (change: Partial<AuditFilter>) => void;
};

/** The filters that the sheet of a phone counts and clears; the other filters are chips, or the search. */
const choices = ['area', 'through', 'actor', 'last', 'from', 'until'] as const;

export function AuditFilters({ typed, onType, filter, entries: loaded, onFilter }: AuditFiltersProps) {
  const { t } = useTranslation();
  const words = useEntryWords();
  const byName = (one: string, other: string) => one.localeCompare(other);
  const areaOptions = areas
    .map((value) => ({ value, label: t(`AUDIT.AREAS.${catalogueKey(value)}`) }))
    .toSorted((one, other) => byName(one.label, other.label));
  const entries = loaded ?? [];
  const about = entries.find((entry) => entry.subject.id === filter.subject);
  const by = entries.find(({ actor }) => actor.id === filter.actor || actor.name === filter.actor);
  const subjectName = usePersonName(filter.subject, about && words.subject(about), loaded?.length === 0);
  const actorName = usePersonName(filter.actor, by && words.actor(by), loaded?.length === 0);
  return (
    <>
      <FilterBar
        foldsAt={1100}
        search={{ label: t('AUDIT.SEARCH'), value: typed, maxLength: 200, onValue: onType }}
        chosen={choices.map((name) => filter[name])}
        onClear={() => onFilter(Object.fromEntries(choices.map((name) => [name, ''])))}
      >
        <Select
          aria-label={t('AUDIT.FILTERS.AREA')}
          value={areas.includes(filter.area) ? filter.area : ''}
          onValue={(area) => onFilter({ area })}
          options={[{ value: '', label: t('AUDIT.FILTERS.ANY_AREA') }, ...areaOptions]}
        />
        <Select
          aria-label={t('AUDIT.FILTERS.THROUGH')}
          value={auditThrough.safeParse(filter.through).data ?? ''}
          onValue={(through) => onFilter({ through })}
          options={[
            { value: '', label: t('AUDIT.FILTERS.ANY_WAY') },
            ...auditThrough.options.map((value) => ({
              value,
              label: t(`AUDIT.WAYS.${catalogueKey(value)}`),
            })),
          ]}
        />
        <ActorPicker
          actor={filter.actor}
          name={actorName}
          entries={entries}
          onActor={(actor) => onFilter({ actor })}
        />
        <PeriodPicker filter={filter} onFilter={onFilter} />
        <ViewMenu list="audit" fields={filterNames} />
      </FilterBar>
      {filter.subject === '' && filter.action === '' ? null : (
        <ul className="filter-chips row wrap">
          {filter.subject === '' ? null : (
            <Chip onRemove={() => onFilter({ subject: '' })}>
              {t('AUDIT.FILTERS.SUBJECT', { name: subjectName ?? filter.subject })}
            </Chip>
          )}
          {filter.action === '' ? null : (
            <Chip onRemove={() => onFilter({ action: '' })}>
              {t('AUDIT.FILTERS.ACTION', { name: filter.action })}
            </Chip>
          )}
        </ul>
      )}
    </>
  );
}

/**
 * `listed`, the name that a listed entry has. Where no entry is listed, the name of the person with this id, if there
 * is one: an id with entries is named by them, and may be that of a thing.
 */
function usePersonName(id: string, listed: string | undefined, isEmpty: boolean): string | undefined {
  const { t } = useTranslation();
  const may = useCan()('PEOPLE_READ');
  const isAsked = listed === undefined && isEmpty && may && /^[0-9a-f-]{36}$/.test(id);
  const { data } = useQuery({ ...personQuery(id), enabled: isAsked });
  return listed ?? (data && personName(t, data));
}

/** Chooses the days whose entries are listed: the last ones, or from one day to another. */
function PeriodPicker({ filter, onFilter }: Pick<AuditFiltersProps, 'filter' | 'onFilter'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { last, from, until } = filter;
  const known = periods.find(({ period }) => period === last);
  const day = (value: string) => formatDay(value, formats) ?? '…';
  const days = from === '' && until === '' ? null : `${day(from)} – ${day(until)}`;
  const shown =
    known === undefined
      ? (days ?? t('AUDIT.FILTERS.ANY_TIME'))
      : t(`AUDIT.FILTERS.LAST_${known.unit}`, { count: known.count });
  return (
    <Popover
      label={`${t('AUDIT.FILTERS.PERIOD')}: ${shown}`}
      buttonClassName="button audit-choice"
      button={
        <>
          <Icon name="clock" />
          <span className="cut">{shown}</span>
          <Icon name="chevron-down" size={12} />
        </>
      }
    >
      {() => (
        <div className="audit-period stack">
          <PeriodChoice
            label={t('AUDIT.FILTERS.PERIOD')}
            periods={periods.map(({ period, unit, count }) => ({
              value: period as string,
              short: t(`AUDIT.FILTERS.${unit}`, { count }),
              long: t(`AUDIT.FILTERS.LAST_${unit}`, { count }),
            }))}
            value={last}
            onValue={(period) => onFilter({ last: last === period ? '' : period, from: '', until: '' })}
          />
          {(['from', 'until'] as const).map((end) => (
            <Field key={end} label={t(`AUDIT.FILTERS.${catalogueKey(end)}`)}>
              {(control) => (
                <DateInput
                  {...control}
                  label={t(`AUDIT.FILTERS.${catalogueKey(end)}`)}
                  to="day"
                  formats={formats}
                  value={filter[end]}
                  {...(end === 'from' ? { max: until } : { min: from })}
                  onValue={(value) => onFilter({ [end]: value, last: '' })}
                />
              )}
            </Field>
          ))}
        </div>
      )}
    </Popover>
  );
}

/** A filter without a field of its own; a press removes it. */
function Chip({ children, onRemove }: { children: string; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <li>
      <Button small className="filter-chip" title={t('AUDIT.FILTERS.REMOVE')} onClick={onRemove}>
        <span dir="auto">{children}</span>
        <Icon name="close" size={12} />
        <span className="visually-hidden">{t('AUDIT.FILTERS.REMOVE')}</span>
      </Button>
    </li>
  );
}

type ActorPickerProps = {
  /** An id, or the name that entries have; '' for all. */
  actor: string;
  name: string | undefined;
  entries: readonly AuditEntry[];
  onActor: (actor: string) => void;
};

/** Chooses an actor: from the listed entries, and from all people where the operator may read people. */
function ActorPicker({ actor, name, entries, onActor }: ActorPickerProps) {
  const { t } = useTranslation();
  // The name of a chosen person who has no listed entries.
  const [picked, setPicked] = useState({ actor: '', name: '' });
  const shown = name ?? (picked.actor === actor ? picked.name : actor);
  const text = actor === '' ? t('AUDIT.FILTERS.ANYBODY') : t('AUDIT.FILTERS.ACTOR', { name: shown });
  return (
    <div className="audit-actor row gap-1 shrinks">
      <Popover
        label={text}
        isPrivate={actor !== ''}
        buttonClassName="button audit-choice"
        button={
          <>
            <Icon name="person" />
            <span className="cut" dir="auto">
              {text}
            </span>
            <Icon name="chevron-down" size={12} />
          </>
        }
      >
        {(close) => (
          <Actors
            entries={entries}
            onPick={({ key, label }) => {
              setPicked({ actor: key, name: label });
              onActor(key);
              close();
            }}
          />
        )}
      </Popover>
      {actor === '' ? null : (
        <IconButton icon="close" small label={t('AUDIT.FILTERS.REMOVE')} onClick={() => onActor('')} />
      )}
    </div>
  );
}

function Actors({ entries, onPick }: { entries: readonly AuditEntry[]; onPick: (option: Option) => void }) {
  const { t } = useTranslation();
  const words = useEntryWords();
  const mayReadPeople = useCan()('PEOPLE_READ');
  const [search, setSearch] = useState('');
  const [typed, type] = useTypedSearch(search, setSearch);
  const people = useQuery({ ...actorsFoundQuery(search), enabled: mayReadPeople });
  const wanted = typed.trim().toLocaleLowerCase();
  const named = entries.filter((entry) => words.actor(entry) !== '');
  const listed = named.map((entry): Option => ({
    key: entry.actor.id ?? entry.actor.name,
    label: words.actor(entry),
    hint: entry.through === 'person' && entry.actor.nameNow !== null ? entry.actor.name : undefined,
    mark: <EntryFace entry={entry} />,
  }));
  const found = (people.data?.people ?? []).map(({ id, firstName, lastName, email }): Option => {
    const label = namedPerson(t, { id, name: `${firstName} ${lastName}`, email });
    return {
      key: id,
      label,
      hint: email === label ? undefined : email,
      mark: <Face letters={initials(label)} of={id} />,
    };
  });
  const fitting = listed.filter(({ label, hint = '' }) =>
    `${label} ${hint}`.toLocaleLowerCase().includes(wanted),
  );
  const options = [...new Map([...found, ...fitting].map((option) => [option.key, option])).values()];
  // The actors of listed entries come first, since there are entries of them.
  const inList = new Set(listed.map(({ key }) => key));
  const ordered = options.toSorted(
    (one, other) => Number(inList.has(other.key)) - Number(inList.has(one.key)),
  );
  return (
    <OptionList
      label={t('AUDIT.FILTERS.WHO')}
      search={t('AUDIT.FILTERS.FIND_WHO')}
      typed={typed}
      onType={type}
      options={ordered}
      empty={people.isLoading ? t('COMMON.LOADING') : t('AUDIT.FILTERS.FOUND_NOBODY')}
      onPick={(key) => {
        const option = ordered.find((one) => one.key === key);
        if (option !== undefined) onPick(option);
      }}
    />
  );
}
