import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams, useNavigate } from '@tanstack/react-router';
import { useCan, useCurrentUser, useFormats, useSignInPlace } from '#web/platform/contexts.tsx';
import { activityQuery, PersonActivity } from '#features/audit/web/recent-changes.tsx';
import {
  ReportsOfPerson,
  reportsOfPersonQuery,
} from '#features/feedback/web/of-person/reports-of-person.tsx';
import { peopleKey, personQuery, sessionsOfPersonQuery } from '../people-queries.ts';
import type { Person } from '#features/people/contract/people.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { detailOf, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useFileAddress } from '#web/platform/files/files.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { Face } from '#web/ui/face.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { DetailPage } from '#web/app/detail-page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Time } from '#web/ui/time.tsx';
import { initials, personName } from '#web/platform/named-person.ts';
import { EmailDoubt, PersonStateTag } from '../person-tags.tsx';
import { PersonRights } from '../rights/person-rights.tsx';
import { type Doing, PersonDialogs } from './person-dialogs.tsx';
import { PersonOverview } from './person-overview.tsx';
import { PersonRoles } from './person-roles.tsx';
import { PersonSessions } from './person-sessions.tsx';
import './person-page.css';

/** A person, with their reports and their audit entries for people who may read these. */
export function PersonScreen() {
  const { personId = '' }: { personId?: string } = useParams({ strict: false });
  const can = useCan();
  const reports = useInfiniteQuery({ ...reportsOfPersonQuery(personId), enabled: can('REPORTS_READ') });
  const activity = useInfiniteQuery({
    ...activityQuery(personId, peopleKey),
    enabled: can('AUDIT_READ'),
  });
  return (
    <PersonPage
      personId={personId}
      reports={
        can('REPORTS_READ')
          ? {
              count: reports.data?.pages[0]?.total,
              first: <ReportsOfPerson reports={reports} most={3} />,
              all: <ReportsOfPerson reports={reports} />,
            }
          : null
      }
      activity={
        can('AUDIT_READ')
          ? {
              first: <PersonActivity activity={activity} most={5} />,
              all: <PersonActivity activity={activity} personId={personId} />,
            }
          : null
      }
    />
  );
}

/** A tab that another feature fills: what it shows, and the first lines of it for the overview. */
type PersonPart = { count?: number | undefined; first: ReactNode; all: ReactNode };

type PersonPageProps = {
  personId: string;
  /** Null for people who may not see them. */
  reports: PersonPart | null;
  activity: PersonPart | null;
};

/** One person: who they are, what they may do and why, where they are signed in, what they sent and did. */
function PersonPage({ personId, ...parts }: PersonPageProps) {
  const { t } = useTranslation();
  const query = useQuery(personQuery(personId));
  const { thing: person, gone, frame } = detailOf(t, query, (data) => data, useCan()('PEOPLE_WRITE'));
  return (
    <DetailPage
      up="/people"
      upTitle={t('PEOPLE.TITLE')}
      heading={person === undefined ? t('PEOPLE.ONE') : personName(t, person)}
      className="person-page"
      texts="PEOPLE.PERSON"
      {...frame}
    >
      {person === undefined ? null : <PersonContent key={personId} person={person} gone={gone} {...parts} />}
    </DetailPage>
  );
}

const tabs = ['overview', 'access', 'sessions', 'reports', 'activity'] as const;

type PersonContentProps = Omit<PersonPageProps, 'personId'> & {
  person: Person;
  /** Whether the person is erased: the page stays as it was, with what is typed. */
  gone: boolean;
};

function PersonContent({ person, gone, reports, activity }: PersonContentProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { outsideProvider } = useSignInPlace();
  const mayWrite = useCan()('PEOPLE_WRITE') && !gone;
  const [address, setAddress] = useAddressFilter(['tab']);
  const [doing, setDoing] = useState<Doing | null>(null);
  const sessions = useQuery({ ...sessionsOfPersonQuery(person.id), enabled: !gone });
  const shown = tabs.filter(
    (tab) => (tab !== 'reports' || reports !== null) && (tab !== 'activity' || activity !== null),
  );
  const tab = shown.find((one) => one === address.tab) ?? 'overview';
  const counts: Partial<Record<(typeof tabs)[number], number | undefined>> = {
    sessions: sessions.data?.sessions.length,
    reports: reports?.count,
  };
  return (
    <>
      <PersonHead person={person} mayWrite={mayWrite} onDo={setDoing} />
      {gone ? (
        <Notice severity="medium" role="alert">
          {t('COMMON.GONE')}
        </Notice>
      ) : mayWrite ? null : (
        <Notice severity="info">{t('PEOPLE.PERSON.READ_ONLY')}</Notice>
      )}
      {outsideProvider !== null && person.state === 'invited' ? (
        <Notice severity="info">{t('PEOPLE.PERSON.AWAITED', { provider: outsideProvider })}</Notice>
      ) : null}
      <EmailDoubt person={person} />
      <Tabs
        label={personName(t, person)}
        tabs={shown.map((key) => {
          const count = counts[key];
          return {
            key,
            label: t(`PEOPLE.TABS.${catalogueKey(key)}`),
            count: count === undefined ? undefined : formats.number(count),
          };
        })}
        chosen={tab}
        onChoose={(key) => setAddress({ tab: key === 'overview' ? '' : key })}
      >
        {tab === 'access' ? (
          <>
            <PersonRoles person={person} />
            <PersonRights person={person} gone={gone} mayWrite={mayWrite} />
          </>
        ) : tab === 'sessions' ? (
          <PersonSessions mayWrite={mayWrite} sessions={sessions} onDo={setDoing} />
        ) : tab === 'reports' ? (
          reports?.all
        ) : tab === 'activity' ? (
          activity?.all
        ) : (
          <PersonOverview
            person={person}
            gone={gone}
            reports={reports?.first}
            reportCount={reports?.count}
            activity={activity?.first}
            onTab={(key) => setAddress({ tab: key })}
          />
        )}
      </Tabs>
      {doing === null ? null : <PersonDialogs person={person} doing={doing} onClose={() => setDoing(null)} />}
    </>
  );
}

type PersonHeadProps = { person: Person; mayWrite: boolean; onDo: (doing: Doing) => void };

/** Picture, name, status, and what can be done to the whole person. */
function PersonHead({ person, mayWrite, onDo }: PersonHeadProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const me = useCurrentUser();
  const name = personName(t, person);
  return (
    <header className="person-head grid middle">
      <PersonFace fileId={person.avatar} name={name} />
      <div className="shrinks">
        <div className="row wrap gap-1-3">
          <h1 className="breaks" tabIndex={-1} dir="auto">
            {name}
          </h1>
          {person.id === me?.id ? <span className="muted">{t('PEOPLE.YOU')}</span> : null}
          {person.state === 'active' ? null : <PersonStateTag state={person.state} />}
        </div>
        <p className="person-head-facts row wrap muted small">
          {person.state === 'active' ? (
            <span>
              <span className="person-dot dot" aria-hidden="true" />
              {t('PEOPLE.STATES.ACTIVE')}
            </span>
          ) : null}
          <span className="person-email breaks">{person.email}</span>
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
        ? [{ label: t('PEOPLE.PERSON.OPEN_LINK'), icon: 'key', onSelect: () => onDo('invitation') }]
        : [
            { label: t('PEOPLE.PASSWORD_LINK.OPEN'), icon: 'key', onSelect: () => onDo('password') },
            { label: t('PEOPLE.FACTORS.OPEN'), icon: 'shield', onSelect: () => onDo('factors') },
          ];
  return (
    <div className="screen-actions person-actions to-end">
      <Button icon="edit" onClick={() => onDo('roles')}>
        {t('PEOPLE.PERSON.CHANGE_ROLES')}
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
          { label: t('PEOPLE.SIGN_OUT.ACTION'), icon: 'sign-out', onSelect: () => onDo('sign-out') },
          {
            label: t(blocked ? 'PEOPLE.BULK.UNBLOCK.OPEN' : 'PEOPLE.BULK.BLOCK.OPEN'),
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

/** The picture of a person, or their initials until it is loaded, or where there is none. */
function PersonFace({ fileId, name }: { fileId: string | null; name: string }) {
  const { address } = useFileAddress(fileId);
  const [broken, setBroken] = useState<string | null>(null);
  if (address === null || address === broken) return <Face letters={initials(name)} of={name} size="large" />;
  return <img className="person-picture round" src={address} alt="" onError={() => setBroken(address)} />;
}
