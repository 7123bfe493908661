import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import { planWindow } from '#features/maintenance/contract/windows.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';

/** The notice and a planned window. */
export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  const { version, inForce } = (await person.call(getMaintenance, {})).body;
  const notice = { mode: 'off', text: 'New pumps', severity: 'INFO', expectedEnd: null, version } as const;
  expect((await person.call(setMaintenance, { body: notice })).status).toBe(200);
  const startsAt = inForce.serverTime + 7 * 86_400_000;
  const window = {
    title: 'New pumps',
    severity: 'MEDIUM',
    mode: 'full',
    leadMinutes: 60,
    endsByItself: true,
    startsAt,
    endsAt: startsAt + 3_600_000,
  } as const;
  expect((await person.call(planWindow, { body: window })).status).toBe(201);
}
