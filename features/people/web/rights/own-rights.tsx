import type { Person } from '#features/people/contract/people.ts';
import { type OwnRight, removeOwnRight } from '#features/permissions/contract/administration.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { peopleKey } from '../people-queries.ts';
import { ownWords } from './why-words.ts';

const page = 20;

type OwnRightsProps = {
  person: Person;
  own: readonly OwnRight[];
  mayWrite: boolean;
  onAdd: () => void;
};

/** The single rights granted or denied to a person, including expired ones. */
export function OwnRights({ person, own, mayWrite, onAdd }: OwnRightsProps) {
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
    <section className="person-card" aria-labelledby="person-exceptions">
      <div className="person-card-head">
        <h2 id="person-exceptions">{t('PEOPLE.OWN.TITLE')}</h2>
        {mayWrite ? (
          <Button small icon="plus" onClick={onAdd}>
            {t('PEOPLE.OWN.ADD')}
          </Button>
        ) : null}
      </div>
      {own.length === 0 || takeBack.isError ? (
        <div className="person-card-body">
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
            <li className="right-row" key={`${effect} ${right}`}>
              <div className="right-name">
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
              <div className="right-why">
                <p className={ended ? 'muted' : undefined}>
                  {ownWords({ t, formats, names }, effect === 'grant' ? 'GRANT' : 'DENIAL', one)}
                </p>
              </div>
              {mayWrite ? (
                <div className="right-act">
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
          <Button onClick={() => setShown(shown + 5 * page)}>{t('PEOPLE.MORE')}</Button>
        </div>
      ) : null}
    </section>
  );
}
