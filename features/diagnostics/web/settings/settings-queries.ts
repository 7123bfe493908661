import { listProjects, projectList } from '#features/diagnostics/contract/projects.ts';
import { getDiagnosticSettings } from '#features/diagnostics/contract/settings.ts';
import { listSourceMaps } from '#features/diagnostics/contract/source-maps.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';

export const projectsKey = [projectList.list] as const;
export const settingsKey = ['diagnostic-settings'] as const;
export const sourceMapsKey = ['source-maps'] as const;

export const projectsQuery = routeQuery(projectsKey, listProjects, {});

export const settingsQuery = {
  ...routeQuery(settingsKey, getDiagnosticSettings, {}),
  staleTime: 0,
};

export const sourceMapsQuery = routeQuery(sourceMapsKey, listSourceMaps, {});
