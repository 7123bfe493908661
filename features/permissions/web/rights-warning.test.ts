import { expect, it } from 'vitest';
import { createNotifications } from '#web/ui/notifications/notifications.ts';
import { createManualClock } from '#web/testing/manual-clock.ts';
import { permissionsUpdated } from './rights-warning.tsx';

const t = (key: string, values: Record<string, string> = {}) =>
  [key, ...Object.values(values)].join(' ').trimEnd();

it('§8 Permissions changed: shows COMMON.WARNINGS.PERMISSIONS_UPDATED with title and content (RIGHT-6)', () => {
  const warning = permissionsUpdated(t, { gained: ['OWN_RIGHT', 'FLAGS_READ'], lost: ['AUDIT_READ'] });
  expect(warning).toMatchObject({
    kind: 'warning',
    title: 'COMMON.WARNINGS.PERMISSIONS_UPDATED.TITLE',
    content:
      'COMMON.WARNINGS.PERMISSIONS_UPDATED.CONTENT ' +
      'COMMON.WARNINGS.PERMISSIONS_UPDATED.GAINED RIGHTS.FLAGS_READ.LABEL · OWN_RIGHT ' +
      'COMMON.WARNINGS.PERMISSIONS_UPDATED.LOST RIGHTS.AUDIT_READ.LABEL',
  });
});

it('§8 Permissions changed: the warning is sticky (duration 0) and keyed (RIGHT-6)', async () => {
  const clock = createManualClock();
  const shown = createNotifications(clock);
  shown.notify(permissionsUpdated(t, { gained: ['FLAGS_READ'], lost: [] }));
  await clock.pass(3_600_000);
  const second = permissionsUpdated(t, { gained: [], lost: ['FLAGS_READ'] });
  expect(second.duration).toBe(0);
  shown.notify(second);
  expect(shown.current().map(({ key, content }) => [key, content])).toEqual([[second.key, second.content]]);
});
