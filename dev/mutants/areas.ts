/** The code of an area, and the tests that have to notice a change there. */
export type Area = { name: string; code: readonly string[]; tests: readonly string[] };

/** The core logic: what decides who may do what, what people could lose, and what they see. */
export const areas: readonly Area[] = [
  feature('session', 'access-token identity session sessions sign-in sign-in-state return-to', [
    'features/outside-provider/server/*.test.ts',
    'server/src/session-edges.test.ts',
  ]),
  feature('outside-provider', 'follow-person outside-provider read-claims session-checks', [
    'server/src/session-edges.test.ts',
  ]),
  feature('identity-provider', 'accounts attempt-wait password-rules set-up'),
  feature(
    'permissions',
    'decide-rights expiry permissions.routes effective-rights last-administrator affected-people',
  ),
  feature(
    'flags',
    'attribute-values compile-condition condition decide-flags evaluate evaluation-request flag-uses live-flags payload regex-cost regex-match rules',
  ),
  feature(
    'maintenance',
    'operations change-windows maintenance-at live-maintenance record-phases window-times hold-file',
    ['server/src/maintenance-gate.test.ts'],
  ),
  feature('feedback', 'change-report conversation own-reports report-filter store-report'),
  feature('files', 'feature filename kind'),
  feature('webhooks', 'addresses deliveries.store publish sender webhooks.store'),
  feature('erasure', 'erase-person erasure.store export-person retention'),
  feature('audit', 'audit-list audit-log audit-scan erase-texts export-lines'),
  feature('backup', 'check-backup copy-content make-backup restore-backup'),
  feature('people', 'administration'),
  area(
    'platform',
    'server/src/platform',
    'database/change-feed database/database database/read-through-cache database/setting database/storage-failure files/clean-png files/file-store http/access-check http/event-stream http/packed-body http/rate-limit http/read-form http/serve time/sliced-work',
    ['server/src/platform/**/*.test.ts'],
  ),
  web(
    'web-platform',
    'web/src/platform',
    'calls/call calls/refresher live/leading-stream live/live-source live/poller state/store tabs/tab-leader tabs/tab-presence',
  ),
  web(
    'web-session',
    'features/session/web',
    'session current-token renewal session-ending session-ends sign-in-page',
  ),
  web('web-permissions', 'features/permissions/web', 'permissions rights-change'),
  web('web-flags', 'features/flags/web', 'flags'),
  web('web-maintenance', 'features/maintenance/web', 'member/maintenance'),
  web('web-feedback', 'features/feedback/web', 'feedback report-store outbox member/report-news'),
  web('web-profile', 'features/profile/web', 'profile'),
];

/** @param others tests in other folders */
function feature(name: string, files: string, others: readonly string[] = []): Area {
  const folder = `features/${name}/server`;
  return area(name, folder, files, [`${folder}/*.test.ts`, ...others]);
}

function web(name: string, folder: string, files: string): Area {
  return area(name, folder, files, [`${folder}/**/*.test.ts?(x)`]);
}

function area(name: string, folder: string, files: string, tests: readonly string[]): Area {
  return { name, code: files.split(' ').map((file) => `${folder}/${file}.ts`), tests };
}
