import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    error: '/diagnostics/$errorId',
    'diagnostics-project': '/settings/diagnostics',
    diagnostics: '/settings/diagnostics',
    'source-maps': '/settings/diagnostics',
  },
};
