import texts from 'virtual:texts/MAINTENANCE.BANNER+MAINTENANCE.RIBBON+MAINTENANCE.SAVE';
import { useEffect, useMemo, useRef } from 'react';
import { createBannerVisibility, closedMessage } from '#features/maintenance/web/banner-visibility.ts';
import { MaintenanceBanner } from '#features/maintenance/web/banner.tsx';
import { watchApproach } from '#features/maintenance/web/member/approach.ts';
import { usePassed } from '#features/maintenance/web/countdown.ts';
import { ProvideFormats, ProvideServerClock, useFormats } from '../platform/contexts.tsx';
import { createFormats, ownTimeZone, regionalLocale } from '../platform/i18n/formats.ts';
import { type Readable, derive } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { createBrowserSessionMemory } from '../platform/tabs/browser-session-memory.ts';
import { Notice } from '../ui/notice.tsx';
import { SavePrompt } from '#features/maintenance/web/member/save-prompt.tsx';
import { drawPart, type PartPlace, useTranslation } from './draw-part.tsx';
import type { Options } from './options.ts';
import type { EmbedPage } from './page.ts';
import type { LoadTexts } from './texts.ts';

/** Loads the texts of the banners above the page, in one language. */
export const loadAboveTexts: LoadTexts = (language) => texts[language]();

type AboveParts = { page: EmbedPage; options: Readable<Options> };

/** Draws the banners above the page while there are any. */
export function drawAbove(place: PartPlace, parts: AboveParts): void {
  drawPart(place, <Above {...parts} view={followBanner(parts.page)} />);
}

type AboveProps = AboveParts & { view: BannerView };

/** The banner above the page that announces or reports maintenance, and the prompt to save before it starts. */
function Above({ page, options, view }: AboveProps) {
  const { banner, notices } = useStore(options);
  const user = useStore(page.user);
  const isWanted = useStore(view.wanted);
  const { language } = useTranslation().i18n;
  const zone = user?.timeZone ?? ownTimeZone();
  const formats = useMemo(
    () => createFormats(regionalLocale(language, navigator.languages), zone),
    [language, zone],
  );
  return (
    <ProvideFormats value={formats}>
      <ProvideServerClock value={page.serverClock}>
        {isWanted && banner !== 'off' ? <Banner page={page} view={view} pushes={banner === 'push'} /> : null}
        {notices ? <SavePrompt maintenance={view} unsaved={page.unsaved} /> : null}
      </ProvideServerClock>
    </ProvideFormats>
  );
}

function Banner({ page, view, pushes }: { page: EmbedPage; view: BannerView; pushes: boolean }) {
  const { mode, text, texts, severity, expectedEnd, upcoming } = useStore(page.maintenance);
  const isVisible = useStore(view.visible);
  const place = useRef<HTMLDivElement>(null);
  usePushing(place, pushes);
  return (
    <div ref={place} className="above-page">
      <MaintenanceBanner
        notice={{ maintenanceText: text, texts, maintenanceTextSeverity: severity }}
        upcoming={upcoming}
        visible={isVisible}
        onClose={view.close}
      />
      {mode === 'off' ? null : <Ribbon page={page} mode={mode} expectedEnd={expectedEnd} />}
    </div>
  );
}

type RibbonProps = { page: EmbedPage; mode: 'read-only' | 'full'; expectedEnd: number | null };

/** Reports read-only mode, or running maintenance to people who bypass it. */
function Ribbon({ page, mode, expectedEnd }: RibbonProps) {
  const { t } = useTranslation();
  const { date, time, dateTime } = useFormats();
  const late = usePassed(expectedEnd, page.serverClock);
  useStore(page.rights);
  const exempt = page.can('MAINTENANCE_BYPASS');
  if (mode === 'full')
    return exempt ? (
      <Notice banner severity="medium" role="status">
        {t('MAINTENANCE.RIBBON.PASSED')}
      </Notice>
    ) : null;
  const end =
    expectedEnd === null || late
      ? null
      : date(expectedEnd) === date(page.serverClock.now())
        ? time(expectedEnd)
        : dateTime(expectedEnd);
  const text = () => {
    if (exempt) return t('MAINTENANCE.RIBBON.READ_ONLY_EXEMPT');
    if (late) return t('MAINTENANCE.RIBBON.READ_ONLY_LATE');
    return end === null
      ? t('MAINTENANCE.RIBBON.READ_ONLY')
      : t('MAINTENANCE.RIBBON.READ_ONLY_UNTIL', { time: end });
  };
  return (
    <Notice banner severity="info" role="status">
      {text()}
    </Notice>
  );
}

const heightName = '--portico-banner-height';

/**
 * Moves the page down by the height of the banner. Elements that the application itself has fixed at the top can
 * follow by the custom property `--portico-banner-height`.
 */
function usePushing(place: { current: HTMLElement | null }, pushes: boolean): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const { style } = document.documentElement;
    const before = style.paddingTop;
    const follow = () => {
      const height = `${element.offsetHeight}px`;
      style.setProperty(heightName, height);
      if (pushes) style.setProperty('padding-top', height, 'important');
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    follow();
    return () => {
      observer.disconnect();
      style.removeProperty(heightName);
      style.paddingTop = before;
    };
  }, [place, pushes]);
}

type BannerView = ReturnType<typeof followBanner>;

/** Whether a banner is above the page; a notice that is closed here is closed in Portico's own pages too. */
function followBanner(page: EmbedPage) {
  const upcoming = derive(
    [page.maintenance],
    (now) => now.upcoming,
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  );
  const approach = watchApproach(upcoming, page);
  const { visible, close } = createBannerVisibility({
    shown: derive([page.maintenance], ({ text, severity, upcoming: next }) => ({
      maintenanceText: text,
      maintenanceTextSeverity: severity,
      upcoming: next,
    })),
    near: derive([approach], (near) => near !== null),
    memory: createBrowserSessionMemory(document, window.location),
    broadcast: openBroadcast(browserChannel, 'notice', closedMessage),
    presence: page.presence,
  });
  return {
    visible,
    close,
    approach,
    mayPass: derive([page.rights], () => page.can('MAINTENANCE_BYPASS')),
    wanted: derive([visible, page.maintenance], (isVisible, { mode }) => isVisible || mode !== 'off'),
  };
}
