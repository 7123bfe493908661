import { listProjects, projectList } from '#features/diagnostics/contract/projects.ts';
import { getDiagnosticSettings } from '#features/diagnostics/contract/settings.ts';
import { listSourceMaps } from '#features/diagnostics/contract/source-maps.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

export const projectsKey = [projectList.list] as const;
export const settingsKey = ['diagnostic-settings'] as const;
export const sourceMapsKey = ['source-maps'] as const;

export function projectsQuery(api: Api) {
  return queryOptions({
    queryKey: projectsKey,
    queryFn: ({ signal }) => api.call(listProjects, {}, { signal }),
  });
}

export function settingsQuery(api: Api) {
  return queryOptions({
    queryKey: settingsKey,
    queryFn: ({ signal }) => api.call(getDiagnosticSettings, {}, { signal }),
    staleTime: 0,
  });
}

export function sourceMapsQuery(api: Api) {
  return queryOptions({
    queryKey: sourceMapsKey,
    queryFn: ({ signal }) => api.call(listSourceMaps, {}, { signal }),
  });
}
