import type { Person } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isFirstLoad, retryProps } from '#web/platform/lists/list-state.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { peopleKey, rightsOfPersonQuery } from '../people-queries.ts';
import { RoleTags } from '../person-tags.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type Tab = 'access' | 'reports' | 'activity';

type PersonOverviewProps = {
  person: Person;
  /** Whether the person is erased: nothing more can be loaded about them. */
  gone: boolean;
  /** The first reports and the first activity; left out for people who may not see them. */
  reports: ReactNode;
  reportCount: number | undefined;
  activity: ReactNode;
  onTab: (tab: Tab) => void;
};

const profileQuery = (personId: string) =>
  routeQuery([...peopleKey, 'profile', personId], getProfile, { params: { userId: personId } });

/** The most important facts about a person, each with a button that shows the whole tab. */
export function PersonOverview(props: PersonOverviewProps) {
  const { person, gone, reports, reportCount, activity, onTab } = props;
  const { t } = useTranslation();
  const card = (tab: Tab, content: ReactNode) =>
    content === undefined ? null : (
      <section className="panel shrinks" aria-labelledby={`person-${tab}`}>
        <div className="person-card-head gap-2-4 row wrap between">
          <h2 id={`person-${tab}`}>{t(`PEOPLE.OVERVIEW.${catalogueKey(tab)}`)}</h2>
          {tab === 'reports' && reportCount === 0 ? null : (
            <Button small tone="quiet" className="person-more" onClick={() => onTab(tab)}>
              {t(`PEOPLE.OVERVIEW.ALL.${catalogueKey(tab)}`)}
            </Button>
          )}
        </div>
        {content}
      </section>
    );
  return (
    <div className="person-overview stack top gap-4">
      <div className="stack gap-4">
        {card('access', <Access person={person} gone={gone} />)}
        <About person={person} gone={gone} />
      </div>
      {reports === undefined && activity === undefined ? null : (
        <div className="stack gap-4">
          {card('reports', reports)}
          {card('activity', activity)}
        </div>
      )}
    </div>
  );
}

/** What the profile says about the person; shows nothing where all of it is empty. */
function About({ person, gone }: { person: Person; gone: boolean }) {
  const { t } = useTranslation();
  const profile = useQuery({ ...profileQuery(person.id), enabled: !gone });
  const { phone = '', organisation = '', jobTitle = '', timeZone = null } = profile.data ?? {};
  const facts = [
    ['JOB_TITLE', jobTitle],
    ['ORGANISATION', organisation],
    ['PHONE', phone],
    ['TIME_ZONE', timeZone ?? ''],
  ].filter(([, value]) => value !== '');
  const failed = profile.errorUpdateCount > 0 && profile.data === undefined && !gone;
  if (facts.length === 0 && !failed) return null;
  return (
    <section className="panel shrinks" aria-labelledby="person-about">
      <div className="person-card-head gap-2-4 row wrap between">
        <h2 id="person-about">{t('PEOPLE.OVERVIEW.ABOUT')}</h2>
      </div>
      <div className="person-card-body stack">
        <dl className="facts">
          {facts.map(([key = '', value]) => (
            <div key={key}>
              <dt>{t(`PEOPLE.FACTS.${key}`)}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
        {failed ? (
          <RetryNotice retry={retryProps(t, profile).retry}>
            {t('PEOPLE.OVERVIEW.PROFILE_FAILED')}
          </RetryNotice>
        ) : null}
      </div>
    </section>
  );
}

function Access({ person, gone }: { person: Person; gone: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const known = useQuery({ ...rightsOfPersonQuery(person.id), enabled: !gone });
  const { rights, own, groups } = known.data ?? { rights: [], own: [], groups: [] };
  const words = useRightsWords();
  const held = new Set(rights.filter((why) => why.held).map(({ right }) => right));
  const areas = [...new Set(words.rights.filter(({ right }) => held.has(right)).map(words.area))];
  return (
    <div className="person-card-body stack">
      <RoleTags {...person} />
      {isFirstLoad(known) && !gone ? <Skeleton label={t('COMMON.LOADING')} kind="text" count={2} /> : null}
      {!isFirstLoad(known) && known.data === undefined && !gone ? (
        <RetryNotice retry={retryProps(t, known).retry}>{t('PEOPLE.WHY.FAILED')}</RetryNotice>
      ) : null}
      {known.data === undefined ? null : (
        <>
          <p>{formats.list(areas)}</p>
          <p className="muted">
            {[
              t('PEOPLE.WHY.COUNT', { count: held.size, all: formats.number(rights.length) }),
              t('PEOPLE.OVERVIEW.EXCEPTIONS', { count: own.length }),
              ...(groups.length === 0 ? [] : [t('PEOPLE.OVERVIEW.GROUPS', { count: groups.length })]),
            ].join(' · ')}
          </p>
        </>
      )}
    </div>
  );
}
