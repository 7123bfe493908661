import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from './app.ts';
import type { SignedIn } from './signed-in.ts';

type PersonalData = { createPersonalData(app: TestApp, person: SignedIn): Promise<void> };

/**
 * Uses the application as a person does, so that rows of every capability name them: each capability in its own
 * `testing/personal-data.ts`. There has to be another person.
 */
export async function createPersonalData(app: TestApp, person: SignedIn): Promise<void> {
  const features = join(import.meta.dirname, '../../../features');
  for (const file of globSync('*/server/testing/personal-data.ts', { cwd: features }).toSorted()) {
    const capability = (await import(join(features, file))) as PersonalData;
    await capability.createPersonalData(app, person);
  }
}
