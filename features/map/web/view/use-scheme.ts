import { useSyncExternalStore } from 'react';

const query = '(prefers-color-scheme: dark)';

function subscribe(changed: () => void): () => void {
  const device = matchMedia(query);
  const chosen = new MutationObserver(changed);
  device.addEventListener('change', changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    device.removeEventListener('change', changed);
    chosen.disconnect();
  };
}

function present(): 'light' | 'dark' {
  const theme = document.documentElement.dataset['theme'];
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia(query).matches ? 'dark' : 'light';
}

/** The scheme in which the page is shown, for what style sheets cannot reach. */
export function useScheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, present);
}
