import type { Screen } from '../screens/screen.ts';

type Can = (right: string) => boolean;

/** Whether the person may use the screen (RIGHT-8). */
export function mayUse(screen: Screen, can: Can): boolean {
  return screen.right === undefined || [screen.right].flat().some(can);
}

/** The screens of one navigation that the person may use, in order. */
export function visibleScreens(screens: readonly Screen[], nav: 'main' | 'console', can: Can): Screen[] {
  return screens.filter((screen) => screen.nav === nav && mayUse(screen, can));
}

/** Screens below it, such as one flag below the list of flags, belong to the same entry of the navigation. */
export function belongsTo(screen: Screen, pathname: string): boolean {
  return screen.path === '/'
    ? pathname === '/'
    : pathname === screen.path || pathname.startsWith(`${screen.path}/`);
}
