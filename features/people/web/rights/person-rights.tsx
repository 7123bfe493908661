import type { Person } from '#features/people/contract/people.ts';
import type { OwnEffect } from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { retryProps } from '#web/platform/calls/retry-props.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { rightsOfPersonQuery } from '../people-queries.ts';
import { AccessTable } from './access-table.tsx';
import { OwnRightDialog } from './own-right-dialog.tsx';
import { OwnRights } from './own-rights.tsx';
import './person-rights.css';

type PersonRightsProps = { person: Person; gone: boolean; mayWrite: boolean };

/**
 * What a person may do and why, what is missing, their own grants and denials, and their groups (RIGHT-4).
 */
export function PersonRights({ person, gone, mayWrite }: PersonRightsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const [giving, setGiving] = useState<{ right: string; effect: OwnEffect } | null>(null);
  const known = useQuery({ ...rightsOfPersonQuery(api, person.id), enabled: !gone });
  if (known.data === undefined) {
    return known.isPending && !gone ? (
      <Skeleton label={t('PEOPLE.WHY.LOADING')} count={4} />
    ) : (
      <ErrorState title={t('PEOPLE.WHY.FAILED')} retry={retryProps(t, known).retry}>
        {t('PEOPLE.FAILED.TEXT')}
      </ErrorState>
    );
  }
  const { rights, own, groups } = known.data;
  return (
    <>
      <OwnRights
        person={person}
        own={own}
        mayWrite={mayWrite}
        onAdd={() => setGiving({ right: '', effect: 'grant' })}
      />
      {groups.length === 0 ? null : <Groups groups={groups} />}
      <AccessTable
        rights={rights}
        onChange={mayWrite ? (right, effect) => setGiving({ right, effect }) : null}
      />
      {giving === null ? null : (
        <OwnRightDialog
          person={person}
          gone={gone}
          first={giving}
          own={own}
          onClose={() => setGiving(null)}
        />
      )}
    </>
  );
}

type GroupsProps = { groups: readonly { kind: string; name: string; roles: readonly string[] }[] };

/** Groups of one person that are shown at first; a provider may name hundreds. */
const page = 20;

function Groups({ groups }: GroupsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useRightsWords();
  const [shown, setShown] = useState(page);
  return (
    <section className="person-card" aria-labelledby="person-groups">
      <div className="person-card-head">
        <h2 id="person-groups">{t('PEOPLE.GROUPS.TITLE')}</h2>
      </div>
      <div className="person-card-body">
        <p className="muted">{t('PEOPLE.GROUPS.TEXT')}</p>
        <ul className="group-list">
          {groups.slice(0, shown).map(({ kind, name, roles }) => (
            <li key={`${kind}\n${name}`}>
              <Link to="/people" search={{ group: name }}>
                <bdi>{name}</bdi>
              </Link>{' '}
              <span className="muted">
                {roles.length === 0
                  ? t('PEOPLE.GROUPS.NOTHING')
                  : t('PEOPLE.GROUPS.GIVES', { roles: formats.list(roles.map((role) => names.role(role))) })}
              </span>
            </li>
          ))}
        </ul>
        {groups.length > shown ? (
          <div>
            <button type="button" className="button button-small" onClick={() => setShown(groups.length)}>
              {t('PEOPLE.MORE')}
            </button>
          </div>
        ) : null}
      </div>
    </section>
  );
}
