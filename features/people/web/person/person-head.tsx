import type { Person } from '#features/people/contract/people.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCurrentUser, useSignInPlace } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { Time } from '#web/ui/time.tsx';
import { personName } from '../person-name.ts';
import { PersonStateTag } from '../person-tags.tsx';
import type { Doing } from './person-dialogs.tsx';
import { PersonFace } from './person-face.tsx';

type PersonHeadProps = { person: Person; mayWrite: boolean; onDo: (doing: Doing) => void };

/** Picture, name, status, and what can be done to the whole person. */
export function PersonHead({ person, mayWrite, onDo }: PersonHeadProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const me = useCurrentUser();
  const name = personName(t, person);
  return (
    <header className="person-head">
      <PersonFace fileId={person.avatar} name={name} />
      <div className="person-head-words">
        <div className="person-head-title">
          <h1 tabIndex={-1} dir="auto">
            {name}
          </h1>
          {person.id === me?.id ? <span className="muted">{t('PEOPLE.YOU')}</span> : null}
          {person.state === 'active' ? null : <PersonStateTag state={person.state} />}
        </div>
        <p className="muted person-head-facts">
          {person.state === 'active' ? (
            <span>
              <span className="person-dot" aria-hidden="true" />
              {t('PEOPLE.STATES.ACTIVE')}
            </span>
          ) : null}
          <span className="person-email">{person.email}</span>
          <span>{t('PEOPLE.PERSON.JOINED_ON', { date: formats.date(person.createdAt) })}</span>
          <span>
            {t('PEOPLE.LAST_SEEN')}{' '}
            {person.lastSeenAt === null ? (
              t('PEOPLE.NEVER_SEEN')
            ) : (
              <Time at={person.lastSeenAt} formats={formats} />
            )}
          </span>
        </p>
      </div>
      {mayWrite ? <Actions person={person} isMe={person.id === me?.id} onDo={onDo} /> : null}
    </header>
  );
}

type ActionsProps = Omit<PersonHeadProps, 'mayWrite'> & { isMe: boolean };

function Actions({ person, isMe, onDo }: ActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { outsideProvider } = useSignInPlace();
  const blocked = person.state === 'blocked';
  const toData = (search: Record<string, string>) =>
    void navigate({ to: '/people/$personId/data', params: { personId: person.id }, search });
  const link: MenuAction[] =
    outsideProvider !== null || blocked
      ? []
      : person.state === 'invited'
        ? [{ label: t('PEOPLE.PERSON.NEW_LINK'), icon: 'key', onSelect: () => onDo('invitation') }]
        : [{ label: t('PEOPLE.PASSWORD_LINK.OPEN'), icon: 'key', onSelect: () => onDo('password') }];
  return (
    <div className="screen-actions person-actions">
      <Button icon="sign-out" onClick={() => onDo('sign-out')}>
        {t('PEOPLE.SIGN_OUT.ACTION')}
      </Button>
      <Menu
        label={t('PEOPLE.PERSON.ACTIONS')}
        button={
          <>
            {t('PEOPLE.PERSON.ACTIONS')}
            <Icon name="chevron-down" size={14} />
          </>
        }
        items={[
          ...link,
          {
            label: t(blocked ? 'PEOPLE.PERSON.UNBLOCK' : 'PEOPLE.PERSON.BLOCK'),
            icon: blocked ? 'check' : 'lock',
            disabled: isMe,
            onSelect: () => onDo('block'),
          },
          { label: t('PEOPLE.PERSON.DATA'), icon: 'download', onSelect: () => toData({}) },
          {
            label: t('PEOPLE.PERSON.ERASE'),
            icon: 'trash',
            danger: true,
            disabled: isMe,
            onSelect: () => toData({ erase: 'yes' }),
          },
        ]}
      />
    </div>
  );
}
