import { listOwnChanges, type OwnChange } from '#features/home/contract/own-changes.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { useOpenReport } from '#features/feedback/web/open-report.ts';
import { BegunReport } from '#features/feedback/web/recent/begun-report.tsx';
import { RecentReports } from '#features/feedback/web/recent/recent-reports.tsx';
import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Time } from '#web/ui/time.tsx';
import './home-late.css';

/** What stands below the rest of the home screen: it is downloaded after that, since it comes with requests of its own. */
export function HomeLate() {
  const { reportBug, reportNews } = useApp();
  const reportView = useStore(reportBug.view);
  const news = useStore(reportNews.changes);
  const openReport = useOpenReport();
  return (
    <>
      <BegunReport open={reportView !== 'trigger'} onContinue={() => void openReport()} />
      <RecentReports justSent={reportView === 'thanks'} changes={news} />
      <OwnChanges />
    </>
  );
}

const icons: Record<OwnChange['kind'], IconName> = {
  roles: 'shield',
  groups: 'people',
  rights: 'shield',
  password: 'lock',
  profile: 'person',
  email: 'person',
  'signed-out': 'sign-out',
};

/** How many are shown. */
const most = 5;

/** What happened to the person's account of late; nothing where nothing did, or while that is not known. */
function OwnChanges() {
  const { t } = useTranslation();
  const formats = useFormats();
  const sentences = useSentences();
  const api = useApi();
  const { permissions } = useApp();
  const [found, setFound] = useState<readonly OwnChange[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const load = () => {
      if (document.visibilityState === 'visible')
        api.call(listOwnChanges, {}, { signal }).then(setFound, () => {
          // What is known stays until the person comes back to the tab.
        });
    };
    load();
    // Not with maintenance, which every browser hears of at once.
    const stop = permissions.state.subscribe(load);
    document.addEventListener('visibilitychange', load, { signal });
    return () => {
      stop();
      leaving.abort();
    };
  }, [api, permissions]);
  if (found.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="home-changes">
      <h2 id="home-changes">{t('HOME_CHANGES.TITLE')}</h2>
      <ul className="home-changes panel">
        {found.slice(0, most).map((change) => (
          <li key={change.id}>
            <Icon name={icons[change.kind]} />
            <span dir="auto">{sentences(change).join(' ')}</span>
            <small className="muted">
              <Time at={change.at} formats={formats} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns what a change is in sentences. */
function useSentences() {
  const { t } = useTranslation();
  const formats = useFormats();
  const isBuiltIn = (key: string) => builtInRole.safeParse(key).success;
  return ({ kind, byCaller, given, taken }: OwnChange): string[] => {
    if (kind !== 'roles' && kind !== 'rights')
      return [t(`HOME_CHANGES.${catalogueKey(kind)}.${byCaller ? 'YOURSELF' : 'OTHERS'}`)];
    const named = (some: OwnChange['given']) =>
      formats.list(
        some.map(({ key, name }) =>
          kind === 'roles'
            ? isBuiltIn(key)
              ? t(`ROLES.${catalogueKey(key)}.LABEL`)
              : (name ?? key)
            : (name ?? t(`RIGHTS.${key}.LABEL`, { defaultValue: key })),
        ),
      );
    const sentence = (what: 'GIVEN' | 'TAKEN', some: OwnChange['given']) =>
      some.length === 0
        ? []
        : [t(`HOME_CHANGES.${catalogueKey(kind)}.${what}`, { count: some.length, names: named(some) })];
    return [...sentence('GIVEN', given), ...sentence('TAKEN', taken)];
  };
}
