import type { Flag } from '#features/flags/contract/flags.ts';
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { type QueryClient, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { findFlags, sortFlags } from '#features/flags/web/console/flag-search.ts';
import { useStatusWord } from '#features/feedback/web/report/report-status-tag.tsx';
import type { Api } from '../../platform/calls/call.ts';
import { useApi, useCan, useFormats } from '../../platform/contexts.tsx';
import { initials, namedPerson } from '../../platform/named-person.ts';
import { Face } from '../../ui/face.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import { distance, typedWords } from './match.ts';
import type { PaletteItem } from './use-screens.tsx';
import {
  everyFlagQuery,
  ownReportsQuery,
  peopleFoundQuery,
  reportsFoundQuery,
  shownOfEach,
  windowsQuery,
} from './palette-queries.ts';

/** Milliseconds without a key before the server is asked. */
const pause = 150;
/** Fewer letters find too much. */
const fewestLetters = 2;

export type Found = {
  items: readonly PaletteItem[];
  /** Something is still being searched. */
  searching: boolean;
  /** What could not be searched, and a function that searches it again; null where nothing failed. */
  failed: { what: readonly string[]; retry: () => void; busy: boolean } | null;
};

type Source = { name: string; query: UseQueryResult; items: readonly PaletteItem[] };

/** Searches the server for the typed words, among what the person may read. */
export function useFound(typed: string): Found {
  const wanted = typed.trim().slice(0, 200);
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pause);
    return () => clearTimeout(timer);
  }, [wanted]);
  const search = isEnough(wanted) && asked === wanted ? wanted : '';
  const sources = [
    ...useFlags(search),
    ...usePeople(search),
    ...useReports(search),
    ...useOwnReports(search),
    ...useWindows(search),
  ];
  const failed = sources.filter(({ query }) => query.isError && query.data === undefined);
  return {
    items: search === '' ? [] : sources.flatMap(({ items }) => items),
    searching: isEnough(wanted) && (asked !== wanted || sources.some(({ query }) => query.isLoading)),
    failed:
      search === '' || failed.length === 0
        ? null
        : {
            what: failed.map(({ name }) => name),
            retry: () => failed.forEach(({ query }) => void query.refetch()),
            busy: failed.some(({ query }) => query.isFetching),
          },
  };
}

/** Whether the text is long enough for a search; one digit is, since it may be the number of a report. */
const isEnough = (text: string) => text.length >= fewestLetters || /^\d$/.test(text);

/** Returns the line that opens the list with all results, where not all of them are shown. */
function useRest() {
  const { t } = useTranslation();
  const formats = useFormats();
  return (name: string, total: number, shown: number, to: string, search: string): PaletteItem[] =>
    total <= shown
      ? []
      : [
          {
            key: `rest ${to}`,
            group: name,
            label: t('PALETTE.ALL', { number: formats.number(total), what: name }),
            mark: <Icon name="search" />,
            to,
            search: { search },
          },
        ];
}

function useFlags(search: string): Source[] {
  const { t } = useTranslation();
  const rest = useRest();
  const can = useCan();
  const parts = { t, api: useApi(), queries: useQueryClient() };
  const flags = useQuery({ ...everyFlagQuery, enabled: search !== '' && can('FLAGS_READ') });
  if (!can('FLAGS_READ')) return [];
  const name = t('FLAGS.TITLE');
  const words = typedWords(search);
  const found = sortFlags(
    findFlags(flags.data?.flags ?? [], { search, enabled: '', tag: '' }),
    'key',
  ).toSorted((one, other) => distance(one.key, words) - distance(other.key, words) || 0);
  const shown = found.slice(0, shownOfEach);
  const item = (flag: Flag): PaletteItem => ({
    key: `flag ${flag.key}`,
    group: name,
    label: flag.key,
    hint: [t(flag.enabled ? 'PALETTE.FLAG.ON' : 'PALETTE.FLAG.OFF'), flag.description]
      .filter((part) => part !== '')
      .join(' · '),
    mark: <Icon name="flag" />,
    to: `/flags/${encodeURIComponent(flag.key)}`,
  });
  const items = shown.flatMap((flag) =>
    // With one or two results it is clear which flag is meant.
    can('FLAGS_WRITE') && found.length <= 2
      ? [item(flag), switchFlagAction(parts, flag, flags.data?.connected ?? 0, name)]
      : [item(flag)],
  );
  const others = rest(name, found.length, shown.length, '/flags', search);
  return [{ name, query: flags, items: [...items, ...others] }];
}

function usePeople(search: string): Source[] {
  const { t } = useTranslation();
  const rest = useRest();
  const can = useCan();
  const people = useQuery({
    ...peopleFoundQuery(search),
    enabled: search !== '' && can('PEOPLE_READ'),
  });
  if (!can('PEOPLE_READ')) return [];
  const name = t('PEOPLE.TITLE');
  const items = (people.data?.people ?? []).map(({ id, firstName, lastName, email }): PaletteItem => {
    const shown = namedPerson(t, { id, name: `${firstName} ${lastName}`, email });
    return {
      key: `person ${id}`,
      group: name,
      label: shown,
      hint: email === shown ? undefined : email,
      mark: <Face letters={initials(shown)} of={shown} />,
      to: `/people/${encodeURIComponent(id)}`,
    };
  });
  const { total = 0 } = people.data ?? {};
  return [{ name, query: people, items: [...items, ...rest(name, total, items.length, '/people', search)] }];
}

function useReports(search: string): Source[] {
  const { t } = useTranslation();
  const rest = useRest();
  const can = useCan();
  const reports = useQuery({
    ...reportsFoundQuery(search),
    enabled: search !== '' && can('REPORTS_READ'),
  });
  const line = useReportLine();
  if (!can('REPORTS_READ')) return [];
  const name = t('REPORTS.TITLE');
  const items = (reports.data?.reports ?? []).map((report): PaletteItem => ({
    ...line(report),
    key: `report ${report.id}`,
    group: name,
    mark: <Icon name="inbox" />,
    to: '/reports',
    search: { report: report.id },
  }));
  const { total = 0 } = reports.data ?? {};
  return [
    { name, query: reports, items: [...items, ...rest(name, total, items.length, '/reports', search)] },
  ];
}

/** Searches the reports that the person wrote; operators have such reports too. */
function useOwnReports(search: string): Source[] {
  const { t } = useTranslation();
  const reports = useQuery({ ...ownReportsQuery, enabled: search !== '' });
  const line = useReportLine();
  const name = t('MY_REPORTS.TITLE');
  const words = typedWords(search.replace(/^#(?=\d)/, ''));
  const items = (reports.data?.reports ?? [])
    .filter(({ message, number }) => distance(message, words, String(number)) !== Number.POSITIVE_INFINITY)
    .slice(0, shownOfEach)
    .map((report): PaletteItem => ({
      ...line(report),
      key: `own ${report.id}`,
      group: name,
      mark: <Icon name="bug" />,
      to: '/my-reports',
      search: { report: report.id },
    }));
  return [{ name, query: reports, items }];
}

function useReportLine() {
  const word = useStatusWord();
  return ({ excerpt, number, status }: { excerpt: string; number: number; status: ReportStatus }) => ({
    label: excerpt,
    hint: `#${number} · ${word(status)}`,
  });
}

function useWindows(search: string): Source[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const windows = useQuery({
    ...windowsQuery(useApi()),
    enabled: search !== '' && can('MAINTENANCE_WRITE'),
  });
  if (!can('MAINTENANCE_WRITE')) return [];
  const name = t('MAINTENANCE.CONSOLE.TITLE');
  const words = typedWords(search);
  const items = (windows.data ?? [])
    .filter(({ title, text }) => distance(title, words, text) !== Number.POSITIVE_INFINITY)
    .slice(0, shownOfEach)
    .map(({ id, title, startsAt }): PaletteItem => ({
      key: `window ${id}`,
      group: name,
      label: title,
      hint: formats.dateTime(startsAt),
      mark: <Icon name="clock" />,
      to: '/maintenance',
      search: { window: id },
    }));
  return [{ name, query: windows, items }];
}

const SwitchFlagQuestion = lazyScreen(
  async () => (await import('#features/flags/web/console/switch-flag.tsx')).SwitchFlagQuestion,
  ['FLAGS', 'EDITING'],
);

/** The line that switches a flag on or off, after a question where one is needed. */
function switchFlagAction(
  parts: { t: TFunction; api: Api; queries: QueryClient },
  flag: Flag,
  connected: number,
  group: string,
): PaletteItem {
  return {
    key: `switch ${flag.key}`,
    group,
    label: parts.t(flag.enabled ? 'PALETTE.TURN_OFF' : 'PALETTE.TURN_ON', { key: flag.key }),
    mark: <Icon name={flag.enabled ? 'minus' : 'check'} />,
    needs: SwitchFlagQuestion,
    async act() {
      const { switchAtOnce } = await import('#features/flags/web/console/switch-flag.tsx');
      const first = await switchAtOnce(parts, flag);
      if (first === 'done') return undefined;
      return (close) => (
        <SwitchFlagQuestion flag={flag} first={first} connected={connected} onClose={close} />
      );
    },
  };
}
