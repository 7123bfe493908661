import type { Person } from '@portico/contract/people';
import type { OwnEffect, WhyRight } from '@portico/contract/permissions/administration';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../../platform/calls/ask-again.ts';
import { useApi } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { useRightsWords } from '../../../platform/rights-words.ts';
import { Button } from '../../../ui/button.tsx';
import { LeaveButton } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { SearchInput } from '../../../ui/text-input.tsx';
import { rightsOfPersonQuery } from '../people-queries.ts';
import { OwnRightDialog } from './own-right-dialog.tsx';
import { OwnRights } from './own-rights.tsx';
import { missingWords, ownWords, sourceWords } from './why-words.ts';
import './person-rights.css';

type PersonRightsProps = {
  person: Person;
  gone: boolean;
  mayWrite: boolean;
  onGroup: (name: string) => void;
};

/**
 * What a person may do and why, what is missing, their own grants and denials, and their groups (RIGHT-4).
 */
export function PersonRights({ person, gone, mayWrite, onGroup }: PersonRightsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const [giving, setGiving] = useState<{ right: string; effect: OwnEffect } | null>(null);
  const known = useQuery(rightsOfPersonQuery(api, person.id));
  if (known.isPending) return <Skeleton label={t('PEOPLE.WHY.LOADING')} count={4} />;
  if (known.data === undefined) {
    return (
      <ErrorState title={t('PEOPLE.WHY.FAILED')} retry={askAgain(t, known).retry}>
        {t('PEOPLE.FAILED.TEXT')}
      </ErrorState>
    );
  }
  const { rights, own, groups } = known.data;
  return (
    <>
      <RightsList
        rights={rights}
        onChange={mayWrite ? (right, effect) => setGiving({ right, effect }) : null}
      />
      <OwnRights
        person={person}
        own={own}
        mayWrite={mayWrite}
        onAdd={() => setGiving({ right: '', effect: 'grant' })}
      />
      {groups.length === 0 ? null : <Groups groups={groups} onGroup={onGroup} />}
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

const page = 20;

type RightsListProps = {
  rights: readonly WhyRight[];
  onChange: ((right: string, effect: OwnEffect) => void) | null;
};

function RightsList({ rights, onChange }: RightsListProps) {
  const { t } = useTranslation();
  const names = useRightsWords();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(page);
  const wanted = search.trim().toLowerCase();
  const fits = ({ right }: WhyRight) => `${right}\n${names.right(right)}`.toLowerCase().includes(wanted);
  const held = rights.filter((why) => why.held);
  const found = [...held, ...rights.filter((why) => !why.held)].filter(fits);
  const blocked = rights.some((why) => why.blocked);
  return (
    <section className="section section-divided">
      <div className="rights-head">
        <h3>{t('PEOPLE.WHY.TITLE')}</h3>
        <span className="muted">{t('PEOPLE.WHY.COUNT', { count: held.length, all: rights.length })}</span>
      </div>
      {blocked ? <Notice severity="info">{t('PEOPLE.WHY.BLOCKED')}</Notice> : null}
      <SearchInput
        label={t('PEOPLE.WHY.SEARCH')}
        value={search}
        maxLength={100}
        onValue={(text) => {
          setSearch(text);
          setShown(page);
        }}
      />
      {found.length === 0 ? <p className="muted">{t('PEOPLE.WHY.NOTHING_FOUND')}</p> : null}
      <ul className="rights-list">
        {found.slice(0, shown).map((why) => (
          <RightRow key={why.right} why={why} onChange={onChange} />
        ))}
      </ul>
      {found.length > shown ? (
        <div>
          <Button small onClick={() => setShown(shown + 5 * page)}>
            {t('PEOPLE.MORE')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function RightRow({ why, onChange }: { why: WhyRight; onChange: RightsListProps['onChange'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useRightsWords();
  const words = { t, formats, names };
  const label = names.right(why.right);
  return (
    <li className="right-row" data-right={why.right} data-held={why.held}>
      <div className="right-name">
        <strong>{label}</strong> <code className="muted">{why.right}</code>
      </div>
      <Tag kind={why.held ? 'ok' : why.denial === null ? 'plain' : 'high'}>
        {t(why.held ? 'PEOPLE.WHY.HELD' : why.denial === null ? 'PEOPLE.WHY.NOT_HELD' : 'PEOPLE.WHY.DENIED')}
      </Tag>
      <div className="right-why">
        {why.denial === null ? null : <p>{ownWords(words, 'DENIAL', why.denial)}</p>}
        {why.sources.map((source, index) => (
          <p key={index} className={why.held ? undefined : 'muted'}>
            {sourceWords(words, source)}
          </p>
        ))}
        {why.sources.length > 0 ? null : <p className="muted">{missingWords(words, why)}</p>}
      </div>
      {onChange === null ? null : (
        <div className="right-act">
          {why.sources.length === 0 ? (
            <Button
              small
              aria-label={t('PEOPLE.OWN.GRANT_RIGHT', { right: label })}
              onClick={() => onChange(why.right, 'grant')}
            >
              {t('PEOPLE.OWN.GRANT')}
            </Button>
          ) : null}
          {why.denial === null ? (
            <Button
              small
              aria-label={t('PEOPLE.OWN.DENY_RIGHT', { right: label })}
              onClick={() => onChange(why.right, 'denial')}
            >
              {t('PEOPLE.OWN.DENY')}
            </Button>
          ) : null}
        </div>
      )}
    </li>
  );
}

type GroupsProps = {
  groups: readonly { kind: string; name: string; roles: readonly string[] }[];
  onGroup: (name: string) => void;
};

function Groups({ groups, onGroup }: GroupsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useRightsWords();
  return (
    <section className="section section-divided">
      <h3>{t('PEOPLE.GROUPS.TITLE')}</h3>
      <p className="muted">{t('PEOPLE.GROUPS.TEXT')}</p>
      <ul className="group-list">
        {groups.map(({ kind, name, roles }) => (
          <li key={`${kind}\n${name}`}>
            <LeaveButton small onLeave={() => onGroup(name)}>
              <bdi>{name}</bdi>
            </LeaveButton>{' '}
            <span className="muted">
              {roles.length === 0
                ? t('PEOPLE.GROUPS.NOTHING')
                : t('PEOPLE.GROUPS.GIVES', { roles: formats.list(roles.map((role) => names.role(role))) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
