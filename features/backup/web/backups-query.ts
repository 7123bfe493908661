import { getBackups, type Backups, type BackupRun } from '#features/backup/contract/backups.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

export const backupsKey = ['backups'] as const;

export const isUnderWay = ({ state }: BackupRun): boolean => state === 'running' || state === 'verifying';

/** Asked for again every two seconds while something is under way. */
export function backupsQuery(api: Api) {
  return queryOptions({
    queryKey: backupsKey,
    queryFn: ({ signal }): Promise<Backups> => api.call(getBackups, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.runs.some(isUnderWay) === true ? 2_000 : 30_000),
  });
}
