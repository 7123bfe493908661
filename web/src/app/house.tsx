import { createContext, type ReactNode, useContext } from 'react';
import type { LiveEvents } from '../features/events/live-events.ts';
import type { NewsOfReports } from '../features/feedback/member/report-news.ts';
import type { BannerVisibility } from '../features/maintenance/banner-visibility.ts';
import type { Maintenance } from '../features/maintenance/member/maintenance.ts';
import type { LanguageChoice } from '../features/profile/language-choice.ts';
import type { Permissions } from '../features/permissions/permissions.ts';
import type { OwnProfile } from '../features/profile/profile.ts';
import type { ErrorRecord } from '../platform/record-error.ts';
import type { Texts } from '../platform/i18n/i18n.ts';
import type { LatePart } from './catalogue.ts';
import type { ReportBug } from './report-bug.ts';
import type { Screen } from './screens.ts';

/** What the frame and the home screen show beyond what features share: they put features together, and nothing else may. */
export type House = {
  screens: readonly Screen[];
  texts: Texts<LatePart>;
  live: LiveEvents;
  reportNews: NewsOfReports;
  maintenance: Maintenance;
  permissions: Pick<Permissions, 'state'>;
  profile: OwnProfile;
  languageChoice: LanguageChoice;
  errors: ErrorRecord;
  banner: BannerVisibility;
  reportBug: ReportBug;
};

const context = createContext<House | null>(null);

export function ProvideHouse({ house, children }: { house: House; children: ReactNode }) {
  return <context.Provider value={house}>{children}</context.Provider>;
}

export function useHouse(): House {
  const house = useContext(context);
  if (house === null) throw new Error('The house is not provided here.');
  return house;
}
