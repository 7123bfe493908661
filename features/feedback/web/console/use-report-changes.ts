import { changeReports, mostAtOnce } from '#features/feedback/contract/change-reports.ts';
import { getReport } from '#features/feedback/contract/inbox.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { dismiss, notify } from '#web/ui/notifications/notifications.ts';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { reportsKey, type Wanted, type WantedChanges } from './reports-queries.ts';

/** A report that is to be changed, as it was read. */
export type Target = { readonly id: string; readonly number: number; readonly version: number };

/** A change, with a name for its notification that the other fields do not contain. */
export type Change = Wanted & {
  /** The name of the assignee, or the number of the original. */
  readonly named?: string;
};

export type ReportChanges = ReturnType<typeof useReportChanges>;

const noticeKey = 'report-changes';
/** Longer than other notifications, since there is a button to press. */
const duration = 10_000;

/**
 * Changes one or many reports, and shows a notification with an undo button. Of many reports, those that others
 * have changed since are left alone, and counted.
 *
 * @param onChanged is called with the ids of the changed reports, and with the change; an undo passes an empty
 *   change
 */
export function useReportChanges(onChanged: (ids: readonly string[], change: Partial<Change>) => void) {
  const { t } = useTranslation();
  const formats = useFormats();
  const status = useStatusWord();
  const api = useApi();
  const queries = useQueryClient();
  const undoLast = useRef<(() => void) | null>(null);
  const own = useRef(new Map<string, number>());

  function done(changed: readonly { reportId: string; version: number }[], change: Partial<Change>): void {
    for (const { reportId, version } of changed) own.current.set(reportId, version);
    onChanged(
      changed.map(({ reportId }) => reportId),
      change,
    );
    void queries.invalidateQueries({ queryKey: reportsKey });
  }

  function leftAlone(refused: readonly { reportId: string }[], targets: readonly Target[] = []) {
    if (refused.length === 0) return {};
    const numbers = targets.flatMap(({ id, number }) =>
      refused.some(({ reportId }) => reportId === id) ? [`#${number}`] : [],
    );
    const said = t('REPORTS.DID.LEFT_ALONE', { count: refused.length });
    return { content: [said, ...(numbers.length === 0 ? [] : [formats.list(numbers)])].join('\n') };
  }

  function described(targets: readonly Target[], change: Change): string {
    const [only] = targets;
    const reports =
      targets.length === 1 && only !== undefined
        ? t('REPORTS.REPORT.TITLE', { number: only.number })
        : t('REPORTS.TOTAL', { count: targets.length });
    const named = change.named ?? '';
    if (change.duplicateOf === null) return t('REPORTS.DID.NO_DUPLICATE', { reports });
    if (change.duplicateOf !== undefined) return t('REPORTS.DID.DUPLICATE', { reports, number: named });
    if (change.status !== undefined)
      return t('REPORTS.DID.STATUS', { reports, status: status(change.status) });
    if (change.snoozedUntil === null) return t('REPORTS.DID.AWAKE', { reports });
    if (change.snoozedUntil !== undefined)
      return t('REPORTS.DID.SNOOZED', { reports, when: formats.dateTime(change.snoozedUntil) });
    if (change.assigneeId === null) return t('REPORTS.DID.NOBODY', { reports });
    if (change.assigneeId !== undefined) return t('REPORTS.DID.ASSIGNED', { reports, name: named });
    if (change.removeLabels !== undefined)
      return t('REPORTS.DID.UNLABELLED', { reports, label: formats.list(change.removeLabels) });
    return t('REPORTS.DID.LABELLED', { reports, label: formats.list(change.addLabels ?? []) });
  }

  const mutation = useMutation({
    // Changes run one after the other, so that a choice made during another change is not lost.
    scope: { id: noticeKey },
    async mutationFn({ targets, change: { named: _named, ...wanted } }: Request) {
      const changes = targets.map(({ id, version }) => {
        // After the person's own change the page may still hold the version before that change.
        return { reportId: id, version: Math.max(version, own.current.get(id) ?? 0), ...wanted };
      });
      const first = await send(api, changes);
      const retried = canBeRepeated(wanted) ? await sendAgain(api, changes, first.refused) : null;
      return retried === null
        ? first
        : { changed: [...first.changed, ...retried.changed], refused: retried.refused };
    },
    onSuccess({ changed, refused }, { targets, change }) {
      done(changed, change);
      if (changed.length > 0) {
        const reached = targets.filter(({ id }) => changed.some(({ reportId }) => reportId === id));
        const back = changed.map(({ reportId, version, before }) => ({ reportId, version, ...before }));
        undoLast.current = () => undo.mutate(back);
        notify({
          kind: refused.length === 0 ? 'success' : 'warning',
          key: noticeKey,
          duration,
          title: described(reached, change),
          ...leftAlone(refused, targets),
          actions: [{ label: t('REPORTS.DID.UNDO'), act: () => undoLast.current?.() }],
        });
      } else if (targets.length > 1)
        notify({
          kind: 'warning',
          key: noticeKey,
          title: t('REPORTS.DID.NOTHING'),
          ...leftAlone(refused, targets),
        });
    },
    onError(error, { targets }) {
      // If only one report was to be changed, its pane shows the problem.
      if (targets.length > 1)
        notify({ kind: 'error', key: noticeKey, title: problemText(t, error), duration: 0 });
    },
  });

  const undo = useMutation({
    scope: { id: noticeKey },
    mutationFn: (changes: WantedChanges) => send(api, changes),
    onSuccess({ changed, refused }) {
      done(changed, {});
      notify({
        kind: refused.length === 0 ? 'info' : 'warning',
        key: noticeKey,
        title: t('REPORTS.DID.UNDONE', { reports: t('REPORTS.TOTAL', { count: changed.length }) }),
        ...leftAlone(refused),
      });
    },
    onError: (error) => notify({ kind: 'error', key: noticeKey, title: problemText(t, error), duration: 0 }),
    onMutate() {
      undoLast.current = null;
      dismiss(noticeKey);
    },
  });

  const { variables, data, error, isPending } = mutation;
  return {
    run(targets: readonly Target[], change: Change): void {
      if (targets.length > 0) mutation.mutate({ targets, change });
    },
    /** Undoes the last change, while nothing else has been done. */
    undo: () => undoLast.current?.(),
    busy: isPending || undo.isPending,
    /** The latest change, under way or over, if it concerns that report alone; else null. */
    of(reportId: string) {
      const isOwn = variables?.targets.length === 1 && variables.targets[0]?.id === reportId;
      if (!isOwn) return null;
      const refused = data?.refused[0]?.code ?? null;
      return { change: variables.change, isPending, error, refused };
    },
  };
}

type Request = { targets: readonly Target[]; change: Change };

/** A change that only adds or removes labels overwrites no change of others. */
function canBeRepeated({ addLabels, removeLabels, ...others }: Wanted): boolean {
  return (addLabels !== undefined || removeLabels !== undefined) && Object.keys(others).length === 0;
}

async function send(api: Api, changes: WantedChanges) {
  const answers = [];
  for (let at = 0; at < changes.length; at += mostAtOnce) {
    // One after the other: each locks the same rows.
    answers.push(await api.call(changeReports, { body: { changes: changes.slice(at, at + mostAtOnce) } }));
  }
  return {
    changed: answers.flatMap(({ changed }) => changed),
    refused: answers.flatMap(({ refused }) => refused),
  };
}

/** If a single report was changed by others, sends its change again, against its latest version. */
async function sendAgain(
  api: Api,
  changes: WantedChanges,
  refused: readonly { reportId: string; code: string }[],
) {
  const [only] = changes;
  if (changes.length !== 1 || only === undefined || refused[0]?.code !== 'VERSION_CONFLICT') return null;
  const { version } = await api.call(getReport, { params: { reportId: only.reportId } });
  return send(api, [{ ...only, version }]);
}
