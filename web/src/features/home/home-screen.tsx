import type { MaintenanceMode, Notice as NoticeText, Severity } from '@portico/contract/maintenance';
import type { Profile } from '@portico/contract/profile';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useCurrentUser, useServerClock } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useNow } from '../../platform/time/use-now.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Notice, type NoticeSeverity } from '../../ui/notice.tsx';
import { RetryNotice, Skeleton } from '../../ui/states.tsx';
import { partOfDay } from './greeting.ts';
import { ownRights, rightsByArea } from './rights-by-area.ts';
import './home.css';

/** A screen that the person may open. */
export type Destination = { path: string; title: string; description: string | null; icon: IconName };

export type HomeProps = {
  destinations: readonly Destination[];
  rights: {
    readonly status: 'pending' | 'success' | 'error';
    /** Every right that is held, by name; empty also where they could not be loaded. */
    readonly rights: readonly string[];
    readonly reload: () => void;
    readonly loading: boolean;
  };
  /** At the end, since it may load later than the rest and must not move it. */
  last: ReactNode;
  maintenance: NoticeText & { mode: MaintenanceMode; on: boolean; expectedEnd: number | null };
};

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

/** The home screen: the state of the application, links to screens, the person's rights. */
export function HomeScreen({ destinations, rights, maintenance, last }: HomeProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const user = useCurrentUser();
  const greeting = t(`HOME.GREETING.${partOfDay(formats.hour(clock.now()))}`);

  return (
    <div>
      <h1>
        {user === null || user.firstName === ''
          ? greeting
          : t('HOME.GREETING.NAMED', { greeting, name: user.firstName })}
      </h1>
      <Status maintenance={maintenance} />
      <div className="home-columns">
        <div className="home-main">
          {destinations.length === 0 ? null : <Destinations destinations={destinations} />}
          <Rights {...rights} />
        </div>
        <div className="home-aside">
          <PublishedNotice maintenance={maintenance} />
          {user === null ? null : <Account user={user} />}
          {last}
        </div>
      </div>
    </div>
  );
}

function Status({ maintenance: { on, mode, expectedEnd } }: Pick<HomeProps, 'maintenance'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  // Updated regularly: the expected end may have passed.
  const now = useNow(10_000);
  if (!on && mode !== 'read-only') {
    return (
      <p className="home-status home-status-ok">
        <Icon name="check-circle" />
        <span>{t('HOME.STATUS.RUNNING')}</span>
      </p>
    );
  }
  const until =
    expectedEnd === null || expectedEnd <= now
      ? null
      : t('HOME.STATUS.UNTIL', {
          relative: formats.relative(expectedEnd, now),
          time: formats.time(expectedEnd),
        });
  return (
    <p className="home-status home-status-medium">
      <Icon name="warning" />
      <span>
        {on ? t('HOME.STATUS.FULL') : t('HOME.STATUS.READ_ONLY')} {until}
      </span>
    </p>
  );
}

function PublishedNotice({ maintenance }: Pick<HomeProps, 'maintenance'>) {
  const { t } = useTranslation();
  const { maintenanceText, maintenanceTextSeverity } = maintenance;
  if (maintenanceText === '') return null;
  return (
    <section className="home-section" aria-labelledby="home-notice">
      <h2 id="home-notice">{t('HOME.NOTICE')}</h2>
      <Notice severity={looks[maintenanceTextSeverity]}>{maintenanceText}</Notice>
    </section>
  );
}

function Account({ user }: { user: Profile }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="home-section" aria-labelledby="home-account">
      <h2 id="home-account">{t('HOME.ACCOUNT.TITLE')}</h2>
      <dl className="home-facts">
        <dt>{t('HOME.ACCOUNT.EMAIL')}</dt>
        <dd>{user.email}</dd>
        <dt>{t('HOME.ACCOUNT.TIME_ZONE')}</dt>
        <dd>{formats.timeZone.replaceAll('_', ' ')}</dd>
        <dt>{t('HOME.ACCOUNT.SINCE')}</dt>
        <dd>{formats.date(user.createdAt)}</dd>
      </dl>
      <Link to="/profile">{t('HOME.ACCOUNT.PROFILE')}</Link>
    </section>
  );
}

function Destinations({ destinations }: Pick<HomeProps, 'destinations'>) {
  const { t } = useTranslation();
  return (
    <section className="home-section" aria-labelledby="home-screens">
      <h2 id="home-screens">{t('HOME.SCREENS.TITLE')}</h2>
      <ul className="home-rows">
        {destinations.map((one) => (
          <li key={one.path}>
            <Link to={one.path} className="home-row">
              <span className="home-row-icon">
                <Icon name={one.icon} size={18} />
              </span>
              <span>
                <span className="home-row-title">{one.title}</span>
                {one.description === null ? null : <span className="home-row-text">{one.description}</span>}
              </span>
              <Icon name="chevron-right" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The rights in words, by area. The installation's own are shown by key to people who may not read their
 * names.
 */
function Rights({ status, rights: held, reload, loading }: HomeProps['rights']) {
  const { t } = useTranslation();
  const areas = rightsByArea(useCan());
  const own = ownRights(held);
  if (status !== 'success') {
    return (
      <section className="home-section" aria-labelledby="home-rights">
        <h2 id="home-rights">{t('HOME.RIGHTS.TITLE')}</h2>
        {status === 'pending' ? (
          <Skeleton label={t('HOME.RIGHTS.LOADING')} kind="rows" count={3} />
        ) : (
          <RetryNotice retry={{ label: t('COMMON.RETRY'), onRetry: reload, busy: loading }}>
            {t('HOME.RIGHTS.FAILED')}
          </RetryNotice>
        )}
      </section>
    );
  }
  return (
    <section className="home-section" aria-labelledby="home-rights">
      <div>
        <h2 id="home-rights">{t('HOME.RIGHTS.TITLE')}</h2>
        <p className="muted">
          {areas.length + own.length === 0 ? t('HOME.RIGHTS.NONE') : t('HOME.RIGHTS.LEAD')}
        </p>
      </div>
      <div className="home-rows">
        {areas.map(({ area, rights }) => (
          <div key={area} className="home-area">
            <h3>{t(`HOME.AREAS.${area.toUpperCase()}`)}</h3>
            <dl>
              {rights.map((right) => (
                <div key={right}>
                  <dt>{t(`RIGHTS.${right}.LABEL`)}</dt>
                  <dd>{t(`RIGHTS.${right}.DESCRIPTION`)}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
        {own.length === 0 ? null : (
          <div className="home-area">
            <h3>{t('HOME.RIGHTS.OWN')}</h3>
            <ul className="home-own-rights">
              {own.map((right) => (
                <li key={right}>
                  <code>{right}</code>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}
