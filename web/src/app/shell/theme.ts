export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

// index.html reads it too, before the first paint.
const themeKey = 'portico.theme';

/** What was chosen in this browser; the device's where nothing was. */
export function savedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(themeKey)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Shows a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // Storage is switched off or full: the choice holds for this page.
  }
}
