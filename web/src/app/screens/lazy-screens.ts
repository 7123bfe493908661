import type { ComponentType } from 'react';

/** A screen's file exports nothing but the screen. Screens that need several features are in `composed`. */
const files = import.meta.glob<Record<string, ComponentType>>([
  '../../features/**/*-screen.tsx',
  './composed/*.tsx',
  '!../../features/{feedback,maintenance/member,profile}/**',
  '!../../features/home/home-screen.tsx',
]);

/**
 * Downloads a screen together with the query client, since nearly every screen but the home screen needs it.
 *
 * @param file as in `screens.ts`, without its extension
 */
export async function loadScreen(file: string): Promise<ComponentType> {
  const load = files[file.startsWith('composed/') ? `./${file}.tsx` : `../../features/${file}.tsx`];
  if (load === undefined) throw new Error(`There is no web/src/features/${file}.tsx, or it is no screen.`);
  const [{ withQueries }, exported] = await Promise.all([import('../with-queries.tsx'), load()]);
  const [screen, ...others] = Object.values(exported);
  if (screen === undefined || others.length > 0) throw new Error(`${file} exports more than its screen.`);
  return withQueries(screen);
}
