import { storedChoice } from '../../platform/state/stored-choice.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The theme that was chosen in this browser; index.html reads it too, before the first paint. */
export const theme = storedChoice('portico.theme', themes);

/** Shows a theme and remembers it. */
export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  const root = document.documentElement;
  if (chosen === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = chosen;
}
