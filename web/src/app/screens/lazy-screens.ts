import type { ComponentType } from 'react';
import { withQueries } from '../with-queries.tsx';

/** The files of screens and badges; each exports one component and nothing else. */
const files = import.meta.glob<Record<string, ComponentType>>([
  '../../../../features/*/web/**/*-{screen,badge}.tsx',
  '!../../../../features/{home/web/home,maintenance/web/member/maintenance}-screen.tsx',
]);

/**
 * Downloads a screen together with the query client, since nearly every screen but the home screen needs it.
 *
 * @param file path below the folder of the features, without the extension
 */
export async function loadScreen(file: string): Promise<ComponentType> {
  const load = files[`../../../../features/${file}.tsx`];
  if (load === undefined) throw new Error(`There is no features/${file}.tsx, or it is no screen.`);
  const exported = await load();
  const [screen, ...others] = Object.values(exported);
  if (screen === undefined || others.length > 0) throw new Error(`${file} exports more than its screen.`);
  return withQueries(screen);
}
