import { createContext, type ReactNode, useContext } from 'react';
import type { LiveEvents } from '#features/events/web/live-events.ts';
import type { NewsOfReports } from '#features/feedback/web/member/report-news.ts';
import type { BannerVisibility } from '#features/maintenance/web/banner-visibility.ts';
import type { Maintenance } from '#features/maintenance/web/member/maintenance.ts';
import type { LanguageChoice } from '#features/profile/web/language-choice.ts';
import type { Permissions } from '#features/permissions/web/permissions.ts';
import type { OwnProfile } from '#features/profile/web/profile.ts';
import type { SigningOut } from '#features/session/web/sign-out/signing-out.ts';
import type { ErrorRecord } from '../platform/record-error.ts';
import type { Store } from '../platform/state/store.ts';
import type { Texts } from '../platform/i18n/i18n.ts';
import type { ReportBug } from './report-bug/report-bug.ts';
import type { Screen } from '../feature.ts';

/** What the application is made of, for its frame and for screens: types alone, so that features may import it. */
export type AppContext = {
  screens: readonly Screen[];
  texts: Texts;
  live: LiveEvents;
  reportNews: NewsOfReports;
  maintenance: Maintenance;
  permissions: Pick<Permissions, 'state' | 'refresh'>;
  profile: OwnProfile;
  languageChoice: LanguageChoice;
  errors: ErrorRecord;
  banner: BannerVisibility;
  reportBug: ReportBug;
  signingOut: SigningOut;
  /** The name of the thing whose page is open; empty: none. */
  openedName: Store<string>;
};

const context = createContext<AppContext | null>(null);

export function ProvideApp({ services, children }: { services: AppContext; children: ReactNode }) {
  return <context.Provider value={services}>{children}</context.Provider>;
}

export function useApp(): AppContext {
  const services = useContext(context);
  if (services === null) throw new Error('The application is not provided here.');
  return services;
}
