import type { Person } from '#features/people/contract/people.ts';
import {
  type OwnEffect,
  type OwnRight,
  removeOwnRight,
} from '#features/permissions/contract/administration.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { isFirstLoad, retryProps } from '#web/platform/lists/list-state.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { peopleKey, rightsOfPersonQuery } from '../people-queries.ts';
import { AccessTable } from './access-table.tsx';
import { OwnRightDialog } from './own-right-dialog.tsx';
import { ownWords } from './why-words.ts';
import './person-rights.css';

type PersonRightsProps = { person: Person; gone: boolean; mayWrite: boolean };

/**
 * What a person may do and why, what is missing, their own grants and denials, and their groups (RIGHT-4).
 */
export function PersonRights({ person, gone, mayWrite }: PersonRightsProps) {
  const { t } = useTranslation();
  const [giving, setGiving] = useState<{ right: string; effect: OwnEffect } | null>(null);
  const known = useQuery({ ...rightsOfPersonQuery(person.id), enabled: !gone });
  if (known.data === undefined) {
    return isFirstLoad(known) && !gone ? (
      <Skeleton label={t('COMMON.LOADING')} count={4} />
    ) : (
      <ErrorState title={t('PEOPLE.WHY.FAILED')} retry={retryProps(t, known).retry}>
        {t('COMMON.FAILED.TEXT')}
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

/** Groups of one person that are shown at first; a provider may name hundreds. */
const page = 20;

function Groups({ groups }: { groups: readonly { kind: string; name: string; roles: readonly string[] }[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useRightsWords();
  const [shown, setShown] = useState(page);
  return (
    <section className="panel shrinks" aria-labelledby="person-groups">
      <div className="person-card-head gap-2-4 row wrap between">
        <h2 id="person-groups">{t('PEOPLE.GROUPS.TITLE')}</h2>
      </div>
      <div className="person-card-body stack">
        <p className="muted">{t('PEOPLE.GROUPS.TEXT')}</p>
        <ul className="group-list stack gap-2 breaks">
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
              {t('COMMON.MORE')}
            </button>
          </div>
        ) : null}
      </div>
    </section>
  );
}

type OwnRightsProps = {
  person: Person;
  own: readonly OwnRight[];
  mayWrite: boolean;
  onAdd: () => void;
};

/** The single rights granted or denied to a person, including expired ones. */
function OwnRights({ person, own, mayWrite, onAdd }: OwnRightsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useRightsWords();
  const clock = useServerClock();
  const api = useApi();
  const queries = useQueryClient();
  const [shown, setShown] = useState(page);
  const takeBack = useMutation({
    mutationFn: ({ right, effect }: OwnRight) =>
      api.call(removeOwnRight, { params: { personId: person.id, right, effect } }),
    onSettled: () => queries.invalidateQueries({ queryKey: peopleKey }),
  });
  if (own.length === 0 && !mayWrite) return null;
  return (
    <section className="panel shrinks" aria-labelledby="person-exceptions">
      <div className="person-card-head gap-2-4 row wrap between">
        <h2 id="person-exceptions">{t('PEOPLE.OWN.TITLE')}</h2>
        {mayWrite ? (
          <Button small icon="plus" onClick={onAdd}>
            {t('PEOPLE.OWN.ADD')}
          </Button>
        ) : null}
      </div>
      {own.length === 0 || takeBack.isError ? (
        <div className="person-card-body stack">
          {own.length === 0 ? <p className="muted">{t('PEOPLE.OWN.NONE')}</p> : null}
          {takeBack.isError ? (
            <Notice severity="high" role="alert">
              {isProblem(takeBack.error, 'LAST_ADMINISTRATOR')
                ? t('PEOPLE.PERSON.LAST_ADMINISTRATOR')
                : problemText(t, takeBack.error)}
            </Notice>
          ) : null}
        </div>
      ) : null}
      <ul className="rights-list">
        {own.slice(0, shown).map((one) => {
          const { right, effect, expiresAt } = one;
          const ended = expiresAt !== null && expiresAt <= clock.now();
          const label = names.right(right);
          return (
            <li className="right-row grid middle gap-1-4 ruled" key={`${effect} ${right}`}>
              <div className="right-name breaks">
                <strong dir="auto">{label}</strong> <code className="muted">{right}</code>
              </div>
              <Tag kind={ended ? 'plain' : effect === 'grant' ? 'ok' : 'high'}>
                {t(
                  ended
                    ? 'PEOPLE.OWN.ENDED'
                    : effect === 'grant'
                      ? 'PEOPLE.OWN.GRANTED'
                      : 'PEOPLE.WHY.DENIED',
                )}
              </Tag>
              <div className="right-why breaks">
                <p className={ended ? 'muted' : undefined}>
                  {ownWords({ t, formats, names }, effect === 'grant' ? 'GRANT' : 'DENIAL', one)}
                </p>
              </div>
              {mayWrite ? (
                <div className="right-act row gap-1 to-end">
                  <Button
                    small
                    busy={
                      takeBack.isPending &&
                      takeBack.variables.right === right &&
                      takeBack.variables.effect === effect
                    }
                    aria-label={t(
                      effect === 'grant' ? 'PEOPLE.OWN.TAKE_BACK_GRANT' : 'PEOPLE.OWN.TAKE_BACK_DENIAL',
                      { right: label },
                    )}
                    onClick={() => takeBack.mutate(one)}
                  >
                    {t('PEOPLE.OWN.TAKE_BACK')}
                  </Button>
                </div>
              ) : null}
            </li>
          );
        })}
      </ul>
      {own.length > shown ? (
        <div className="list-more">
          <Button onClick={() => setShown(shown + 5 * page)}>{t('COMMON.MORE')}</Button>
        </div>
      ) : null}
    </section>
  );
}
