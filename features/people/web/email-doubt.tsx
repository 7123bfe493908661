import type { Person } from '#features/people/contract/people.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Notice } from '#web/ui/notice.tsx';

type Doubt = NonNullable<Person['emailDoubt']>;

/** Why an address may be misleading, in a few words. */
export function emailDoubtWord(t: TFunction, doubt: Doubt): string {
  return t(doubt.lookAlikes.length > 0 ? 'PEOPLE.DOUBT.LOOK_ALIKE' : 'PEOPLE.DOUBT.MIXED');
}

/** Why an address may be misleading, in a sentence, with the addresses that look the same. */
export function EmailDoubt({ person }: { person: Person }) {
  const { t } = useTranslation();
  const { emailDoubt: doubt } = person;
  if (doubt === null) return null;
  return (
    <Notice severity="medium" title={emailDoubtWord(t, doubt)}>
      {doubt.mixedScripts ? t('PEOPLE.DOUBT.MIXED_TEXT') : null}
      {doubt.lookAlikes.length === 0 ? null : (
        <>
          {' '}
          {t('PEOPLE.DOUBT.LOOK_ALIKE_TEXT')}{' '}
          {doubt.lookAlikes.map(({ id, email }) => (
            <span className="person-email breaks" key={id}>
              {email}{' '}
            </span>
          ))}
        </>
      )}
    </Notice>
  );
}
