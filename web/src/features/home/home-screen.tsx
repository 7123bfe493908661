import type { MaintenanceMode, Notice as PublishedNotice, Severity } from '@portico/contract/maintenance';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan, useCurrentUser, useServerClock } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Notice, type NoticeSeverity } from '../../ui/notice.tsx';
import { partOfDay } from './greeting.ts';
import { rightsByArea } from './rights-by-area.ts';
import './home.css';

/** A screen that the person may open, in words. */
export type Destination = { path: string; title: string; description: string | null; icon: IconName };

export type HomeProps = {
  destinations: readonly Destination[];
  maintenance: PublishedNotice & { mode: MaintenanceMode; on: boolean; expectedEnd: number | null };
};

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

/** What is going on, where one can go, what one may do. */
export function HomeScreen({ destinations, maintenance }: HomeProps) {
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
      <p className="home-lead">
        <Status maintenance={maintenance} />
      </p>
      <div className="home-columns">
        <section className="home-section" aria-labelledby="home-screens">
          <h2 id="home-screens">{t('HOME.SCREENS.TITLE')}</h2>
          <Destinations destinations={destinations} />
        </section>
        <div className="home-aside">
          {maintenance.maintenanceText === '' ? null : (
            <section className="home-section" aria-labelledby="home-notice">
              <h2 id="home-notice">{t('HOME.NOTICE')}</h2>
              <Notice severity={looks[maintenance.maintenanceTextSeverity]}>
                {maintenance.maintenanceText}
              </Notice>
            </section>
          )}
          <Rights />
        </div>
      </div>
    </div>
  );
}

function Status({ maintenance: { on, mode, expectedEnd } }: Pick<HomeProps, 'maintenance'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  if (!on && mode !== 'read-only') return t('HOME.STATUS.RUNNING');
  const what = on ? t('HOME.STATUS.FULL') : t('HOME.STATUS.READ_ONLY');
  if (expectedEnd === null || expectedEnd <= clock.now()) return what;
  const until = t('HOME.STATUS.UNTIL', {
    relative: formats.relative(expectedEnd, clock.now()),
    time: formats.time(expectedEnd),
  });
  return [what, until].join(' ');
}

function Destinations({ destinations }: Pick<HomeProps, 'destinations'>) {
  const { t } = useTranslation();
  if (destinations.length === 0) {
    return (
      <div className="home-empty">
        <h3>{t('HOME.SCREENS.EMPTY_TITLE')}</h3>
        <p>{t('HOME.SCREENS.EMPTY')}</p>
      </div>
    );
  }
  return (
    <ul className="home-rows">
      {destinations.map((one) => (
        <li key={one.path}>
          <Link to={one.path} className="home-row">
            <span className="home-row-icon">
              <Icon name={one.icon} size={18} />
            </span>
            <span>
              <span className="home-row-title">{one.title}</span>
              {one.description === null ? null : (
                <>
                  <br />
                  <span className="home-row-text">{one.description}</span>
                </>
              )}
            </span>
            <Icon name="chevron-right" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Rights() {
  const { t } = useTranslation();
  const formats = useFormats();
  const areas = rightsByArea(useCan());
  return (
    <section className="home-section" aria-labelledby="home-rights">
      <h2 id="home-rights">{t('HOME.RIGHTS.TITLE')}</h2>
      {areas.length === 0 ? (
        <p className="muted">{t('HOME.RIGHTS.NONE')}</p>
      ) : (
        <>
          <dl className="home-rights">
            {areas.map(({ area, rights }) => (
              <div key={area} className="home-rights-area">
                <dt>{t(`HOME.AREAS.${area.toUpperCase()}`)}</dt>
                <dd>{formats.list(rights.map((right) => t(`RIGHTS.${right}.LABEL`)))}</dd>
              </div>
            ))}
          </dl>
          <details className="home-explain">
            <summary>{t('HOME.RIGHTS.EXPLAIN')}</summary>
            <dl>
              {areas
                .flatMap(({ rights }) => rights)
                .map((right) => (
                  <div key={right}>
                    <dt>{t(`RIGHTS.${right}.LABEL`)}</dt>
                    <dd>{t(`RIGHTS.${right}.DESCRIPTION`)}</dd>
                  </div>
                ))}
            </dl>
          </details>
        </>
      )}
    </section>
  );
}
