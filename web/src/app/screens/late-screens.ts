import type { ComponentType } from 'react';

/** All that the files export is the screen. Those of features that `composed` puts together come with it. */
const files = import.meta.glob<Record<string, ComponentType>>([
  '../../features/**/*-screen.tsx',
  './composed/*.tsx',
  '!../../features/{feedback,home,maintenance/member,profile}/**',
]);

/**
 * Downloads a screen, and what stores lists, since nearly every screen but the home screen has one.
 *
 * @param file as in `screens.ts`, without its ending
 */
export async function loadScreen(file: string): Promise<ComponentType> {
  const load = files[file.startsWith('composed/') ? `./${file}.tsx` : `../../features/${file}.tsx`];
  if (load === undefined) throw new Error(`There is no web/src/features/${file}.tsx, or it is no screen.`);
  const [{ withQueries }, exported] = await Promise.all([import('../with-queries.tsx'), load()]);
  const [screen, ...others] = Object.values(exported);
  if (screen === undefined || others.length > 0) throw new Error(`${file} exports more than its screen.`);
  return withQueries(screen);
}
