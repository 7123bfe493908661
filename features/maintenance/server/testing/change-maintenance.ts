import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { SignedIn } from '#server/testing/signed-in.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';

type Draft = Omit<z.input<(typeof setMaintenance)['body']>, 'version'>;

/** Sets what is given as an operator does; the rest is as when there is neither maintenance nor a notice. */
export async function changeMaintenance(by: Pick<SignedIn, 'call'>, draft: Partial<Draft>) {
  const { version } = (await by.call(getMaintenance, {})).body;
  const open = { mode: 'off', text: '', severity: 'INFO', expectedEnd: null } as const;
  const answer = await by.call(setMaintenance, { body: { ...open, ...draft, version } });
  expect(answer.status).toBe(200);
  return answer.body;
}
