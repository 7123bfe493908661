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

/** The lines that connect a browser application. */
export function sdkLines(dsn: string): string {
  return [
    `import * as Sentry from '@sentry/browser';`,
    `const dsn = '${dsn}';`,
    `Sentry.init({ dsn, release: 'shop@1.0.0' });`,
  ].join('\n');
}
