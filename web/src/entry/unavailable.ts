import { readyz } from '#features/health/contract/health.ts';
import '../ui/base.css';
import '../ui/font/font.css';
import '../ui/button.css';
import '#features/maintenance/web/maintenance-page.css';
import './maintenance-foot.css';
import { base } from '../platform/base.ts';

/*
 * Shown instead of the requested page while the storage does not work. It polls until the storage works again,
 * and then loads the requested page. Waits grow and are spread, so that not all browsers return at once. The
 * count of tries survives the reload: a storage that can be read but not written would otherwise cause reloads
 * without end.
 */

const key = 'portico.unavailable';
const firstMs = 4_000;
const longestMs = 60_000;
/** Milliseconds since the last failure after which the count starts again. */
const forgottenMs = 5 * 60_000;

function countTry(): number {
  let tries = 0;
  try {
    const [count, at] = (sessionStorage.getItem(key) ?? '').split(' ').map(Number);
    if (count !== undefined && at !== undefined && Date.now() - at < forgottenMs) tries = count;
    sessionStorage.setItem(key, `${tries + 1} ${Date.now()}`);
  } catch {
    // Without storage each page starts with the shortest wait.
  }
  return tries;
}

function nextWait(): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(10, countTry())) * (0.75 + Math.random() / 2);
}

async function tryAgain(): Promise<void> {
  const works = await fetch(base + readyz.path, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (works) goOn();
  else setTimeout(() => void tryAgain(), nextWait());
}

const again = document.querySelector<HTMLAnchorElement>('#again');

/** Loads the requested page with its fragment, which a link to the same address would lose. */
function goOn(): void {
  const to = again?.getAttribute('href') ?? '';
  if (to === '') window.location.reload();
  else window.location.assign(to);
}

again?.addEventListener('click', (event) => {
  event.preventDefault();
  goOn();
});
setTimeout(() => void tryAgain(), nextWait());
