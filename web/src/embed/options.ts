import { asLanguage, type Language } from '../platform/i18n/language.ts';

export type Theme = 'light' | 'dark' | 'auto';

/** How a page wants `portico.js` to look and behave, from the attributes of its tag (docs/portico-js.md). */
export type Options = {
  /** `data-report="off"`: no button; `portico.report()` works all the same. */
  readonly report: boolean;
  /** `data-banner`: the banner pushes the page down, covers its top, or is not shown. */
  readonly banner: 'push' | 'over' | 'off';
  /** `data-notices="off"`: no warning of rights and no notice that the session has ended. */
  readonly notices: boolean;
  /** `data-maintenance="stay"`: the page stays while maintenance is full. */
  readonly leaves: boolean;
  /** `data-position`: the corner of the button. */
  readonly position: 'right' | 'left';
  /** `data-theme`: `light`, `dark`, or `auto` for the theme of the device; null: the theme of the page. */
  readonly theme: Theme | null;
  /** `data-language`; null: the person's. */
  readonly language: Language | null;
  /** `data-release`: the application's own release, which a report names. */
  readonly release: string;
};

/**
 * The theme that fits a page with this computed `color-scheme`: a page that declares no dark scheme is light even
 * on a dark device.
 */
export function themeOf(colorScheme: string): Theme {
  if (!/\bdark\b/.test(colorScheme)) return 'light';
  return /\blight\b/.test(colorScheme) ? 'auto' : 'dark';
}

/**
 * Makes valid tags of a report from what an application passes: values are cut or written as text, so that the
 * report is not refused.
 */
export function readTags(given: unknown): Record<string, string> {
  const entries = Object.entries(given ?? {}).map(([name, value]: [string, unknown]): [string, string] => [
    name.trim().slice(0, 64),
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 200),
  ]);
  return Object.fromEntries(entries.filter(([name]) => name !== '').slice(0, 50));
}

/** Reads the options; an unknown value counts as left out. */
export function readOptions(attributes: DOMStringMap = {}): Options {
  const { report, banner, notices, maintenance, position, theme, language, release } = attributes;
  return {
    report: report !== 'off',
    banner: banner === 'over' || banner === 'off' ? banner : 'push',
    notices: notices !== 'off',
    leaves: maintenance !== 'stay',
    position: position === 'left' ? position : 'right',
    theme: theme === 'light' || theme === 'dark' || theme === 'auto' ? theme : null,
    language: asLanguage(language),
    release: (release ?? '').slice(0, 200),
  };
}
