import { auditSubjectKind } from '#features/audit/contract/audit.ts';
import { overviewRights } from '#features/overview/contract/overview.ts';
import { describe, expect, it } from 'vitest';
import { belongsTo, mayUse, type Screen, visibleScreens } from '../../feature.ts';
import { screens as allScreens } from '../../features.ts';
import { paletteActions, subjectScreens } from '../../late.ts';
import { loadPart } from '../catalogue.ts';
import { loadScreen } from '../screens/lazy-screens.ts';

const file = 'flags/console/flags-screen';
const screens: Screen[] = [
  { path: '/', title: 'HOME', nav: 'main', file },
  { path: '/map', title: 'MAP', nav: 'main', right: 'MAP_VIEW', file },
  { path: '/console/flags', title: 'FLAGS', nav: 'console', right: 'FLAGS_READ', file },
  { path: '/console/flags/$flagKey', title: 'FLAG', nav: 'none', right: 'FLAGS_READ', file },
  { path: '/console/people', title: 'PEOPLE', nav: 'console', right: 'PEOPLE_READ', file },
];
const holding = (...rights: string[]) => {
  const held = new Set(rights);
  return (right: string) => held.has(right);
};
const paths = (nav: 'main' | 'console', can: (right: string) => boolean) =>
  visibleScreens(screens, nav, can).map((screen) => screen.path);

describe('RIGHT-8: navigation follows the rights', () => {
  it('RIGHT-8: shows no entry for a screen that the person may not use', () => {
    expect(paths('main', holding())).toEqual(['/']);
    expect(paths('console', holding())).toEqual([]);
    expect(paths('console', holding('FLAGS_WRITE'))).toEqual([]);
    expect(paths('main', holding('MAP_VIEW'))).toEqual(['/', '/map']);
    expect(paths('console', holding('PEOPLE_READ', 'FLAGS_READ'))).toEqual([
      '/console/flags',
      '/console/people',
    ]);
  });

  it('RIGHT-8: every screen of the console names the right that it needs', () => {
    const open = allScreens.filter((screen) => screen.nav === 'console' && screen.right === undefined);
    expect(open).toEqual([]);
  });

  it('RIGHT-8: a screen below another belongs to its entry', () => {
    const [home, , flags] = screens as [Screen, Screen, Screen];
    expect(belongsTo(flags, '/console/flags/A')).toBe(true);
    expect(belongsTo(flags, '/console/flagship')).toBe(false);
    expect(belongsTo(home, '/map')).toBe(false);
    expect(belongsTo(home, '/')).toBe(true);
  });

  it('RIGHT-8: of two entries of the navigation only one is lit', () => {
    const entries = allScreens.filter(({ nav }) => nav === 'main' || nav === 'console');
    const both = entries.flatMap((above) =>
      entries
        .filter((screen) => screen !== above && belongsTo(above, screen.path))
        .map(
          ({ path }) =>
            `${path} lies below ${above.path}, whose entry would be lit too: give one of them another address`,
        ),
    );
    expect(both).toEqual([]);
  });

  it.each(allScreens)(
    'LOOK-4: the screen $path is where its entry says, and downloads its texts',
    async ({ path, file, badge, texts = [] }) => {
      // The home screen is part of the first page.
      const files = [path === '/' ? [] : file, badge ?? []].flat();
      for (const late of files) expect(await loadScreen(late)).toBeTypeOf('function');
      for (const part of [texts].flat()) expect(Object.keys(await loadPart(part, 'en'))).not.toEqual([]);
    },
  );

  it('AUD-1 CON-3: what the audit and the palette link to are screens, and each kind of subject has one', () => {
    const known = new Set(allScreens.map(({ path }) => path));
    const linked = [...Object.values(subjectScreens), ...paletteActions.map(({ to }) => to)];
    expect(linked.filter((address) => !known.has(address.split('?', 1)[0] ?? ''))).toEqual([]);
    const lost = auditSubjectKind.options.filter((kind) => subjectScreens[kind] === undefined);
    // A view belongs to one of several lists.
    const none = ['database', 'signing-keys', 'view'];
    expect(lost.toSorted(), 'add to features/<feature>/web/late.ts').toEqual(none);
  });

  it('CON-2: the overview is for those to whom the server shows a part of it', () => {
    const overview = allScreens.filter(({ path }) => path === '/console');
    expect(overview.map(({ right }) => right)).toEqual([overviewRights]);
    const open = (...rights: string[]) => overview.map((screen) => mayUse(screen, holding(...rights)));
    expect(open('AUDIT_READ')).toEqual([true]);
    expect(open('PEOPLE_READ', 'MAP_VIEW')).toEqual([false]);
  });
});
