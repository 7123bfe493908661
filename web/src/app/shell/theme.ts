import { createStore } from '../../platform/state/store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

// index.html reads it too, before the first paint.
const themeKey = 'portico.theme';

function savedTheme(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(themeKey)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** What was chosen in this browser; the device's where nothing was. */
export const theme = createStore(savedTheme());

/** Shows a theme and remembers it. */
export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  const root = document.documentElement;
  if (chosen === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = chosen;
  try {
    localStorage.setItem(themeKey, chosen);
  } catch {
    // Storage is switched off or full: the choice holds for this page.
  }
}
