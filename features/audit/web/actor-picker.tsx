import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { initials } from '#web/platform/initials.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { namedPerson } from '#web/platform/named-person.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Face } from '#web/ui/face.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type Option, OptionList } from '#web/ui/option-list.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { actorsFoundQuery } from './audit-queries.ts';
import { EntryFace } from './entry-face.tsx';
import { useEntryWords } from './entry-words.ts';

type ActorPickerProps = {
  /** An id, or the name that entries have; '' for all. */
  actor: string;
  /** What it is called, where a listed entry has that. */
  name: string | null;
  entries: readonly AuditEntry[];
  onActor: (actor: string) => void;
};

/** Whose entries are listed: of those in the list, and of all people where the operator may read people. */
export function ActorPicker({ actor, name, entries, onActor }: ActorPickerProps) {
  const { t } = useTranslation();
  // The name of a person of whom there are no entries.
  const [picked, setPicked] = useState({ actor: '', name: '' });
  const shown = name ?? (picked.actor === actor ? picked.name : actor);
  const text = actor === '' ? t('AUDIT.FILTERS.ANYBODY') : t('AUDIT.FILTERS.ACTOR', { name: shown });
  return (
    <div className="audit-actor">
      <Popover
        label={text}
        isPrivate={actor !== ''}
        buttonClassName="button audit-actor-button"
        button={
          <>
            <Icon name="person" />
            <span dir="auto">{text}</span>
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

type ActorsProps = { entries: readonly AuditEntry[]; onPick: (option: Option) => void };

function Actors({ entries, onPick }: ActorsProps) {
  const { t } = useTranslation();
  const words = useEntryWords();
  const mayReadPeople = useCan()('PEOPLE_READ');
  const [search, setSearch] = useState('');
  const [typed, type] = useTypedSearch(search, setSearch);
  const people = useQuery({ ...actorsFoundQuery(useApi(), search), enabled: mayReadPeople });
  const wanted = typed.trim().toLocaleLowerCase();
  const listed = entries.map((entry): Option => ({
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
  // Those of the list first, since there are entries of them.
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
