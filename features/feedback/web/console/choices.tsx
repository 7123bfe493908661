import '#web/ui/face.css';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type Option, OptionList } from '#web/ui/option-list.tsx';
import { hueOf } from '#web/ui/face.tsx';
import { PersonChoice as FoundPersonChoice } from '#features/directory/web/person-choice.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { assigneesQuery, foundReportsQuery, labelsQuery } from './reports-queries.ts';
import type { Change } from './use-report-changes.ts';
import { typedTime } from '#web/platform/time/wall-times.ts';

const dayMs = 86_400_000;

/** 09:00 in a time zone, `days` days from today. */
export function morningIn(now: number, days: number, timeZone: string): number {
  const day = new Date(Date.parse(`${dayIn(now, timeZone)}T12:00Z`) + days * dayMs)
    .toISOString()
    .slice(0, 10);
  return typedTime(`${day}T09:00`, timeZone);
}

/** As `2026-11-27`. */
function dayIn(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(at);
}

/** The usual times until which a report is snoozed, earliest first; `LATER` only if it is still today. */
export function snoozeTimes(now: number, timeZone: string): { key: string; at: number }[] {
  const today = dayIn(now, timeZone);
  const untilMonday = (8 - new Date(`${today}T12:00Z`).getUTCDay()) % 7 || 7;
  const later = Math.ceil((now + 3 * 3_600_000) / 900_000) * 900_000;
  return [
    ...(dayIn(later, timeZone) === today ? [{ key: 'LATER', at: later }] : []),
    { key: 'TOMORROW', at: morningIn(now, 1, timeZone) },
    { key: 'MONDAY', at: morningIn(now, untilMonday, timeZone) },
    { key: 'FORTNIGHT', at: morningIn(now, 14, timeZone) },
    { key: 'MONTH', at: morningIn(now, 30, timeZone) },
  ];
}

type ChoiceProps = { onChange: (change: Change) => void };

/** Finds people to whom reports can be assigned. */
export function PersonChoice({ chosen, onChange }: ChoiceProps & { chosen: string | null | undefined }) {
  return (
    <FoundPersonChoice
      texts="REPORTS.ASSIGNEE"
      find={(words) => assigneesQuery(words)}
      chosen={chosen}
      onChoose={(person) =>
        onChange(person === null ? { assigneeId: null } : { assigneeId: person.id, named: person.name })
      }
    />
  );
}

/** @param labels the labels of each report that is to be changed */
type LabelChoiceProps = ChoiceProps & { labels: readonly (readonly string[])[] };

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** Adds and removes labels; a typed label that does not exist yet is created. */
export function LabelChoice({ labels, onChange }: LabelChoiceProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [typed, setTyped] = useState('');
  const known = useQuery(labelsQuery);
  const wanted = typed.trim();
  const counts = new Map((known.data ?? []).map(({ label, reports }) => [label, reports]));
  for (const label of labels.flat()) if (!counts.has(label)) counts.set(label, 0);
  const checked = (label: string) => {
    const having = labels.filter((one) => one.includes(label)).length;
    return having === 0 ? false : having === labels.length ? true : ('some' as const);
  };
  const options: Option[] = [...counts]
    .filter(([label]) => plain(label).includes(plain(wanted)))
    .map(([label, reports]) => ({
      key: label,
      label,
      hint:
        reports === 0 ? undefined : t('REPORTS.TOTAL', { count: reports, number: formats.number(reports) }),
      mark: <LabelDot label={label} />,
      checked: checked(label),
    }))
    .toSorted((one, other) => Number(other.checked !== false) - Number(one.checked !== false));
  const isNew = wanted !== '' && ![...counts.keys()].some((label) => plain(label) === plain(wanted));
  if (isNew)
    options.push({
      key: wanted,
      label: t('REPORTS.LABELS.NEW', { label: wanted }),
      mark: <Icon name="plus" />,
    });
  return (
    <OptionList
      label={t('REPORTS.LABELS.TITLE')}
      search={t('REPORTS.LABELS.FIND')}
      typed={typed}
      onType={setTyped}
      maxLength={50}
      multiple
      options={options}
      empty={known.isPending ? t('COMMON.LOADING') : t('REPORTS.LABELS.NONE')}
      onPick={(label) => {
        setTyped('');
        onChange(checked(label) === true ? { removeLabels: [label] } : { addLabels: [label] });
      }}
    />
  );
}

/** Chooses until when a report is snoozed; a typed number counts days. */
export function SnoozeChoice({ isSnoozed, onChange }: ChoiceProps & { isSnoozed: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerClock().now();
  const [typed, setTyped] = useState('');
  const days = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0;
  const times =
    days > 0
      ? [{ key: 'DAYS', at: morningIn(now, days, formats.timeZone) }]
      : snoozeTimes(now, formats.timeZone);
  const options: Option[] = [
    ...(isSnoozed && typed === ''
      ? [{ key: 'NOW', label: t('REPORTS.SNOOZE.NOW'), mark: <Icon name="refresh" /> }]
      : []),
    ...times.map(({ key, at }) => ({
      key,
      label: t(`REPORTS.SNOOZE.${key}`, { count: days }),
      hint: formats.dateTime(at),
      mark: <Icon name="clock" />,
    })),
  ];
  return (
    <OptionList
      label={t('REPORTS.SNOOZE.TITLE')}
      search={t('REPORTS.SNOOZE.FIND')}
      typed={typed}
      onType={setTyped}
      maxLength={3}
      options={options}
      empty=""
      onPick={(key) => onChange({ snoozedUntil: times.find((one) => one.key === key)?.at ?? null })}
    />
  );
}

/** Finds the original of the duplicate `without`, by number or by words. */
export function OriginalChoice({ without, onChange }: ChoiceProps & { without: string }) {
  const { t } = useTranslation();
  const status = useStatusWord();
  const [typed, setTyped] = useState('');
  const answer = useQuery(foundReportsQuery(useDeferredValue(typed)));
  const found = (answer.data?.reports ?? []).filter(({ id }) => id !== without);
  return (
    <OptionList
      label={t('REPORTS.DUPLICATE.CHOOSE')}
      search={t('REPORTS.DUPLICATE.FIND')}
      typed={typed}
      onType={setTyped}
      options={found.map((report) => ({
        key: report.id,
        label: report.excerpt,
        hint: `#${report.number} · ${status(report.status)}`,
      }))}
      empty={answer.isPending ? t('COMMON.LOADING') : t('REPORTS.DUPLICATE.NONE')}
      onPick={(key) => {
        const report = found.find(({ id }) => id === key);
        if (report !== undefined) onChange({ duplicateOf: report.id, named: String(report.number) });
      }}
    />
  );
}

/** A dot next to a label's name, in the label's muted colour, which is the same everywhere. */
function LabelDot({ label }: { label: string }) {
  return <span className="label-dot dot" style={{ '--hue': hueOf(label) } as object} aria-hidden="true" />;
}

/** Labels as small marks. */
export function LabelTags({ labels }: { labels: readonly string[] }) {
  return labels.map((label) => (
    <span key={label} className="label-tag inline-row small" dir="auto">
      <LabelDot label={label} />
      <span className="cut" dir="auto">
        {label}
      </span>{' '}
    </span>
  ));
}
