import { type Home, type HomeApp, getHome } from '#features/home/contract/home.ts';
import { type Severity, textFor } from '#features/maintenance/contract/maintenance.ts';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '@tanstack/react-router';
import { useApp } from '#web/app/app-context.tsx';
import { type Screen, visibleScreens } from '#web/feature.ts';
import { useApi, useCan, useCurrentUser, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { DeferredPart } from '#web/platform/deferred-part.tsx';
import { useLoaded, useStore } from '#web/platform/state/use-store.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Notice, type NoticeSeverity } from '#web/ui/notice.tsx';
import { RetryNotice } from '#web/ui/states.tsx';
import type { MaintenanceState } from '#features/maintenance/web/member/maintenance.ts';
import { AppPicture, inLanguage, partOfDay } from './app-picture.tsx';
import './home.css';

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

/** The home screen: the state of the application, what the person may open, the next maintenance. */
export function HomeScreen() {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const user = useCurrentUser();
  const can = useCan();
  const { screens, maintenance: shown, banner, texts } = useApp();
  const maintenance = useStore(shown.state);
  // The banner shows the notice; this screen shows it once the banner is closed.
  const inBanner = useStore(banner.visible);
  const api = useApi();
  const load = useCallback((signal: AbortSignal) => api.call(getHome, {}, { signal }), [api]);
  const { known: home, retry } = useLoaded(load, useHomeChanges());
  const loadLate = useCallback(async () => {
    const [late] = await Promise.all([import('./home-late.tsx'), texts.add('HOME_CHANGES')]);
    return late.HomeLate;
  }, [texts]);
  const greeting = t(`HOME.GREETING.${partOfDay(formats.hour(clock.now()))}`);
  const { maintenanceText: text, maintenanceTextSeverity, texts: translations } = maintenance;

  return (
    <div className="home stack gap-6">
      <div>
        <h1>
          {user === null || user.firstName === ''
            ? greeting
            : t('HOME.GREETING.NAMED', { greeting, name: user.firstName })}
        </h1>
        <Status maintenance={maintenance} />
      </div>
      {text === '' || inBanner ? null : (
        <Notice severity={looks[maintenanceTextSeverity]}>
          {textFor({ text, texts: translations }, i18n.language)}
        </Notice>
      )}
      <section className="stack" aria-labelledby="home-apps">
        <h2 id="home-apps">{t('HOME.APPS.TITLE')}</h2>
        <Tiles screens={visibleScreens(screens, 'main', can)} apps={home?.apps ?? []} />
        {retry === null ? null : (
          <RetryNotice retry={{ label: t('COMMON.RETRY'), ...retry }}>{t('HOME.APPS.FAILED')}</RetryNotice>
        )}
      </section>
      {/* What is below the tiles waits for them, so that nothing moves. */}
      <div className="home-below gap-6" hidden={home === null && retry === null}>
        {home?.nextMaintenance == null ? null : <NextMaintenance next={home.nextMaintenance} />}
        <DeferredPart wanted load={loadLate} given={{}} />
      </div>
    </div>
  );
}

/** A count that grows when operators change the applications, and when the person's rights or maintenance change. */
function useHomeChanges(): number {
  const { live, maintenance, permissions } = useApp();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const grow = () => setCount((now) => now + 1);
    const stops = [
      live.on('changed', ({ list, within }) => {
        if (list === 'home' || list === null) setTimeout(grow, Math.random() * within);
      }),
      maintenance.state.subscribe(grow),
      permissions.state.subscribe(grow),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [live, maintenance, permissions]);
  return count;
}

function Status({ maintenance: { on, mode, expectedEnd } }: { maintenance: MaintenanceState }) {
  const { t } = useTranslation();
  const formats = useFormats();
  // Updated regularly: the expected end may have passed.
  const now = useNow(10_000);
  if (!on && mode !== 'read-only') {
    return (
      <p className="home-status home-status-ok flex gap-2 muted prose">
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
    <p className="home-status home-status-medium flex gap-2 muted prose">
      <Icon name="warning" />
      <span>
        {on ? t('HOME.STATUS.FULL') : t('HOME.STATUS.READ_ONLY')} {until}
      </span>
    </p>
  );
}

type TilesProps = {
  /** Portico's own screens that the person may open. */
  screens: readonly Screen[];
  apps: readonly HomeApp[];
};

/** Portico's screens, then the applications, each as a tile. */
function Tiles({ screens, apps }: TilesProps) {
  const { t } = useTranslation();
  return (
    <ul className="home-tiles gap-4">
      {screens.map(({ path, title, description, icon = 'chevron-right' }) =>
        path === '/' ? null : (
          <li key={path}>
            <Link to={path} className="home-tile tile stack panel pad-4">
              <span className="home-icon centered">
                <Icon name={icon} size={20} />
              </span>
              <TileWords title={t(title)} text={description === undefined ? null : t(description)} />
            </Link>
          </li>
        ),
      )}
      <AppTiles apps={apps} />
    </ul>
  );
}

/** The applications that the person may open, each as a tile. */
function AppTiles({ apps }: { apps: readonly HomeApp[] }) {
  const { i18n } = useTranslation();
  return (
    <>
      {apps.map((app) => {
        const name = inLanguage(app.name, app.names, i18n.language);
        const text = inLanguage(app.description, app.descriptions, i18n.language) || hostOf(app.address);
        return (
          <li key={app.key}>
            {/* Where one application of several sends its people is nothing for another site to know. */}
            <a
              href={app.address}
              className="home-tile tile stack panel pad-4"
              rel={app.behindGateway ? undefined : 'noreferrer'}
            >
              <AppPicture name={name} of={app.key} picture={app.picture} />
              <TileWords title={name} text={text} />
            </a>
          </li>
        );
      })}
    </>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

type NextMaintenanceProps = { next: NonNullable<Home['nextMaintenance']> };

/** When the next maintenance is, and what it limits. */
function NextMaintenance({ next: { mode, startsAt, endsAt } }: NextMaintenanceProps) {
  const { t } = useTranslation();
  const { locale, timeZone, relative } = useFormats();
  const now = useNow(10_000);
  if (startsAt <= now) return null;
  const span = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).formatRange(startsAt, endsAt);
  return (
    <section className="stack" aria-labelledby="home-next">
      <h2 id="home-next">{t('HOME.NEXT.TITLE')}</h2>
      <div className="home-next flex panel gap-3 pad-4">
        <Icon name="wrench" size={18} />
        <div>
          <strong>
            <time dateTime={new Date(startsAt).toISOString()}>{span}</time>
          </strong>
          <p className="muted">
            {t(mode === 'full' ? 'HOME.NEXT.FULL' : 'HOME.NEXT.READ_ONLY', {
              relative: relative(startsAt, now),
            })}
          </p>
        </div>
      </div>
    </section>
  );
}

/** The words of a tile. */
function TileWords({ title, text }: { title: string; text: string | null }) {
  return (
    <span className="grid shrinks breaks" dir="auto">
      <strong className="two-lines" dir="auto">
        {title}
      </strong>
      {text === null ? null : (
        <small className="two-lines muted" dir="auto">
          {text}
        </small>
      )}
    </span>
  );
}
