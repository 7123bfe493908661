import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The lists of capabilities: the manifests that belong into each, and the files whose capability needs a manifest. */
const lists = {
  'server/src/features.ts': ['features/*/server/feature.ts', 'features/*/server/**/*.{routes,store}.ts'],
  'web/src/features.ts': ['features/*/web/feature.ts', 'features/*/web/**/*-screen.tsx'],
} as const;

describe('the lists of capabilities', () => {
  it.each(Object.entries(lists))('API-1: %s has every capability', (list, [manifests, needs]) => {
    const text = readFileSync(join(root, list), 'utf8');
    const found = globSync(manifests, { cwd: root });
    const missing = globSync(needs, { cwd: root })
      .map((file) => manifests.replace('*', file.split('/')[1] ?? ''))
      .filter((manifest) => !existsSync(join(root, manifest)))
      .map((manifest) => `${manifest} is missing`);
    const forgotten = found.flatMap((manifest) => forgottenIn(text, manifest));
    expect(found.length).toBeGreaterThan(5);
    expect([...new Set(missing), ...forgotten.map((what) => `${list} does not have ${what}`)]).toEqual([]);
  });
});

/** What a list lacks of a manifest: the import, or the entry. The web's texts are found by their path. */
function forgottenIn(list: string, manifest: string): string[] {
  const exported = [...readFileSync(join(root, manifest), 'utf8').matchAll(/^export const (\w+)/gm)];
  const entries = exported.map(([, name = '']) => name).filter((name) => name !== 'texts');
  if (entries.length === 0) return [];
  if (!list.includes(` from '#${manifest}';`)) return [`an import of ${manifest}`];
  return entries
    .filter((name) => !new RegExp(`^  ${name},$`, 'm').test(list))
    .map((name) => `the entry ${name}`);
}
