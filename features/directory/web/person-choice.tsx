import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Option, OptionList } from '#web/ui/option-list.tsx';
import { useCurrentUser } from '#web/platform/contexts.tsx';
import { Face as NamedFace } from '#web/ui/face.tsx';
import { initials } from '#web/platform/named-person.ts';

type Found = { id: string; name: string; email: string }[];

export type PersonChoiceProps<Key extends QueryKey> = {
  /** The group of texts, such as `REPORTS.ASSIGNEE`: `NOBODY`, `ME`, `CHOOSE`, `FIND`, `NONE`. */
  texts: string;
  /** The query of people by words. */
  find: (words: string) => UseQueryOptions<Found, Error, Found, Key>;
  /** The person who is chosen now; undefined: several, or unknown. */
  chosen: string | null | undefined;
  /** @param person null removes the one who is chosen */
  onChoose: (person: { id: string; name: string } | null) => void;
};

/** Finds people to whom something can be assigned by name; the current person is first. */
export function PersonChoice<Key extends QueryKey>({
  texts,
  find,
  chosen,
  onChoose,
}: PersonChoiceProps<Key>) {
  const { t } = useTranslation();
  const own = useCurrentUser()?.id;
  const [typed, setTyped] = useState('');
  const people = useQuery(find(useDeferredValue(typed.trim())));
  const found = people.data ?? [];
  const ordered = [...found.filter(({ id }) => id === own), ...found.filter(({ id }) => id !== own)];
  const nobody: Option = {
    key: '',
    label: t(`${texts}.NOBODY`),
    mark: <Face name={null} small />,
    checked: chosen === null,
  };
  const options: Option[] = [
    ...(typed === '' ? [nobody] : []),
    ...ordered.map(({ id, name, email }) => ({
      key: id,
      label: id === own ? t(`${texts}.ME`, { name }) : name,
      hint: email === name ? undefined : email,
      mark: <Face name={name} small />,
      checked: id === chosen,
    })),
  ];
  return (
    <OptionList
      label={t(`${texts}.CHOOSE`)}
      search={t(`${texts}.FIND`)}
      typed={typed}
      onType={setTyped}
      options={options}
      empty={people.isPending ? t('COMMON.LOADING') : t(`${texts}.NONE`)}
      onPick={(key) => onChoose(found.find(({ id }) => id === key) ?? null)}
    />
  );
}

/**
 * The face of a person of whom only the name is known.
 *
 * @param name null: a person without a name
 */
export function Face({ name, small = false }: { name: string | null; small?: boolean }) {
  const size = small ? 'small' : 'normal';
  if (name !== null) return <NamedFace letters={initials(name)} of={name} size={size} />;
  return (
    <span
      className={small ? 'face face-unknown face-small' : 'face face-unknown'}
      data-text="?"
      aria-hidden="true"
    />
  );
}
