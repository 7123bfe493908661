import { planWindow } from '#features/maintenance/contract/windows.ts';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { SignedIn } from '#server/testing/signed-in.ts';
import { changeMaintenance } from './change-maintenance.ts';

/** The notice and a planned window. */
export async function createPersonalData(_app: TestApp, person: SignedIn): Promise<void> {
  const { inForce } = await changeMaintenance(person, { text: 'New pumps' });
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
