import './ui/base.css';
import './ui/screen-layout.css';
import './ui/font/font.css';
import { createRoot } from 'react-dom/client';
import { App, Frame } from './app/app.tsx';
import { loadCatalogue, loadPart } from './app/catalogue.ts';
import { watchReadiness } from './app/readiness.ts';
import { type AppRouter, createAppRouter } from './app/navigation/router.tsx';
import { composePage } from './app/composition.ts';
import { contentId } from './app/shell/shell.tsx';
import { screens } from './features.ts';
import { readBoot, stayBelowBase } from './platform/boot.ts';
import { showBranding } from './platform/branding.ts';
import { createTexts } from './platform/i18n/i18n.ts';
import { chooseLanguage, savedLanguage } from './platform/i18n/language.ts';
import { base } from './platform/base.ts';

stayBelowBase();
const boot = readBoot();
showBranding(boot.branding);
const texts = createTexts(loadCatalogue, loadPart);
const router = createAppRouter(screens, texts, Frame);
const page = composePage(
  boot,
  () => base + router.latestLocation.href,
  // Matches the routes itself, so that it works before the first screen has loaded.
  (path = base + router.latestLocation.pathname) =>
    String(router.getMatchedRoutes(path.slice(base.length))[2]?.fullPath ?? ''),
);
const { errors, flags, maintenance, permissions, profile, session } = page;
const ready = watchReadiness({
  profile: profile.state,
  permissions: permissions.state,
  texts,
  page: boot.language,
  errors,
});

session.start();
focusAfterNavigation(router, contentId);
maintenance.onReopened(() => {
  // If the session has ended and the sign-in could not be reached, this tries again.
  session.retry();
  void permissions.refresh();
});
// The rules of flags may use roles.
permissions.change.subscribe(() => void flags.refresh());
const spoken = texts.show(chooseLanguage({ ...savedLanguage(), person: null, page: boot.language }));
// The screen's script and texts are downloaded while the session is being checked.
router.load().catch((error: unknown) => errors.record('screen.load', error));
await spoken;

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the application.');
root.hidden = false;
createRoot(root, {
  onCaughtError: (error) => errors.record('screen', error),
  onUncaughtError: (error) => errors.record('application', error),
}).render(<App page={page} texts={texts} screens={screens} router={router} ready={ready} />);

/**
 * After a change of screen: the focus goes to the heading of the new one, so that a screen reader announces
 * it and the keyboard goes on from there. Not after the first screen, which the browser announces itself.
 */
function focusAfterNavigation(router: AppRouter, contentId: string): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    const content = document.getElementById(contentId);
    const target = content?.querySelector<HTMLElement>('h1') ?? content;
    if (target === null || target === undefined) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });
}
