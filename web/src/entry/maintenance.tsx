import texts from 'virtual:texts/MAINTENANCE.BANNER+MAINTENANCE.PAGE';
import { login } from '#features/session/contract/session.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MaintenancePage, ReopenedPage } from '#features/maintenance/web/maintenance-page.tsx';
import { returnAddressOf, standsAlone } from '#features/maintenance/web/return-to.ts';
import { browserClock } from '../platform/time/clock.ts';
import type { Language } from '../platform/i18n/language.ts';
import { useStore } from '../platform/state/use-store.ts';
import { type EntryPageProps, openEntry, useWindowTitle } from './entry.tsx';
import { followMaintenance } from './follow-maintenance.ts';
import { LanguageChoice } from './language-choice.tsx';
import { MaintenanceFoot } from './maintenance-foot.tsx';
import '../ui/base.css';
import '../ui/font/font.css';
import { base } from '../platform/base.ts';

function goBack(wayBack: string): void {
  if (standsAlone(window.location)) window.location.replace(wayBack);
  // An address that differs from this one in its fragment alone would load no page.
  else window.location.reload();
}

function MaintenanceEntry({ api, boot, chooseLanguage }: EntryPageProps) {
  const { t, i18n } = useTranslation();
  const [page] = useState(() => followMaintenance(api, boot));
  const { mode, text, texts, severity, expectedEnd, returnWithin } = useStore(page.status);
  const reachable = useStore(page.reachable);
  const reopened = mode !== 'full';
  const [wayBack] = useState(() => returnAddressOf(window.location));
  useWindowTitle(t(reopened ? 'MAINTENANCE.PAGE.REOPENED' : 'MAINTENANCE.PAGE.TITLE'));

  // This browser's random share of the time over which browsers return; otherwise all would return at once.
  const [turn] = useState(Math.random);
  const wait = turn * returnWithin;

  useEffect(() => {
    if (!reopened) return undefined;
    return browserClock.after(wait, () => goBack(wayBack));
  }, [reopened, wait, wayBack]);

  return (
    <>
      <main>
        {reopened ? (
          <ReopenedPage seconds={Math.max(1, Math.ceil(wait / 1000))} onGo={() => goBack(wayBack)} />
        ) : (
          <MaintenancePage
            notice={{ maintenanceText: text, texts, maintenanceTextSeverity: severity }}
            expectedEnd={expectedEnd}
            clock={page.serverClock}
            state={reachable ? 'closed' : 'unreachable'}
          />
        )}
      </main>
      <MaintenanceFoot
        signIn={reopened ? null : `${base}${login.path}?${new URLSearchParams({ returnTo: wayBack })}`}
      >
        <LanguageChoice
          label={t('MAINTENANCE.PAGE.LANGUAGE')}
          current={i18n.language as Language}
          onChoose={chooseLanguage}
        />
      </MaintenanceFoot>
    </>
  );
}

openEntry(MaintenanceEntry, texts, { anywhere: true });
