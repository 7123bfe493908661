import { type ArchivedFlag, listArchivedFlags, unarchiveFlag } from '#features/flags/contract/flags.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { findFlags } from './flag-search.ts';
import { flagProblems } from './flag-words.ts';
import { flagsKey } from './flags-query.ts';

type ArchivedFlagsProps = { search: string; tag: string; onClear: () => void };

/** The archived flags, each with an action that takes it back from the archive. */
export function ArchivedFlags({ search, tag, onClear }: ArchivedFlagsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const formats = useFormats();
  const mayWrite = useCan()('FLAGS_WRITE');
  const archived = useQuery(routeQuery([...flagsKey, 'archived'], listArchivedFlags, {}));
  const all = archived.data?.flags ?? [];
  const found = findFlags(all, { search, enabled: '', tag });
  const takeBack = useMutation({
    mutationFn: ({ key, version }: ArchivedFlag) =>
      api.call(unarchiveFlag, { params: { flagKey: key }, body: { version } }),
    onSuccess: ({ key }) => notify({ kind: 'success', title: t('FLAGS.ARCHIVE.TAKEN_BACK', { key }) }),
    onError(error) {
      const { general, rules } = flagProblems(t, error);
      notify({ kind: 'error', title: rules ?? general ?? '' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: flagsKey }),
  });
  const columns: Column<ArchivedFlag>[] = [
    {
      key: 'key',
      header: t('FLAGS.KEY'),
      role: 'primary',
      cell: ({ key, description }) => (
        <>
          <code className="strong">{key}</code>
          <small className="flag-description muted line" dir="auto">
            {description}
          </small>
        </>
      ),
    },
    {
      key: 'archived',
      header: t('FLAGS.ARCHIVE.WHEN'),
      tight: true,
      cell: ({ archivedAt }) => <Time at={archivedAt} formats={formats} />,
    },
    {
      key: 'back',
      header: t('FLAGS.ARCHIVE.TAKE_BACK'),
      headerHidden: true,
      tight: true,
      cell: (flag) => (
        <Button
          small
          disabled={!mayWrite}
          busy={takeBack.isPending && takeBack.variables.key === flag.key}
          aria-label={t('FLAGS.ARCHIVE.TAKE_BACK_ONE', { key: flag.key })}
          onClick={() => takeBack.mutate(flag)}
        >
          {t('FLAGS.ARCHIVE.TAKE_BACK')}
        </Button>
      ),
    },
  ];
  return (
    <ListFrame
      texts="FLAGS.ARCHIVE"
      {...listState(t, archived)}
      skeletonRows={4}
      count={found.length}
      empty={{ icon: 'flag' }}
      onClear={all.length === 0 ? undefined : onClear}
    >
      <Table caption={t('FLAGS.ARCHIVE.LIST')} columns={columns} rows={found} rowKey={({ key }) => key} />
    </ListFrame>
  );
}
