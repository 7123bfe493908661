import type { AuditSubjectKind } from '#features/audit/contract/audit.ts';
import type { AttentionItem } from '#features/overview/contract/overview.ts';
import type { Right } from '#features/permissions/contract/permissions.ts';
import type { Formats } from './platform/i18n/formats.ts';
import type { IconName } from './ui/icon.tsx';

/** One of the installation's own rights, by its name in the catalogue. */
type OwnRight = string & Record<never, never>;

/** The headings of the console's navigation, in their order. */
export const consoleGroups = ['work', 'access', 'system'] as const;

export type Screen = {
  /** The address of the screen; `$name` is a parameter. */
  path: string;
  /** The address in earlier releases, which still leads to the screen. */
  formerly?: string;
  /** The catalogue key of the screen's name, for the navigation and the title of the window. */
  title: string;
  /** The catalogue key of one line about the screen, for the list of settings. */
  description?: string;
  /**
   * The right, or any of several rights, that shows the screen to a person; left out: every signed-in person sees
   * it. The server still checks each request (RIGHT-8).
   */
  right?: Right | OwnRight | readonly Right[];
  /** The letter that opens the screen after `g`. */
  letter?: string;
  /** Where the screen is linked: top bar, side navigation of the console, settings, or nowhere. */
  nav: 'main' | 'console' | 'settings' | 'none';
  /** The heading of the console's navigation above the link; left out: the link is above all headings. */
  group?: (typeof consoleGroups)[number];
  icon?: IconName;
  /** The file of the component that shows a number next to the link in the console's navigation, as `file`. */
  badge?: string | undefined;
  /** `reading` for forms and prose, which are narrower than lists. */
  width?: 'reading';
  /** The file in the folder of the feature, without the extension. It exports the screen and nothing else. */
  file: string;
  /** The prefixes of the keys of the screen's texts; left out: the first word of the key `title`. */
  texts?: string | readonly string[];
};

/** What the first page knows of a feature: keys and paths only. */
export type Feature = {
  /** The name of the folder of the feature. */
  name: string;
  screens: readonly Screen[];
};

/** The tools that make the words of a row. */
type AttentionTools = {
  /** Returns a text whose key is below the key of the row. */
  part: (key: string, values?: Record<string, unknown>) => string;
  formats: Formats;
  now: number;
  /** Lists the first of `count` names, and says how many more there are. */
  named: (names: readonly string[], count: number) => string;
};

export type AttentionLine<Item> = {
  look: 'high' | 'medium' | 'info';
  /** Where the row leads: to the thing itself where there is exactly one, else to the list that holds them. */
  link: (item: Item) => { to: string; search?: Record<string, string> };
  /** The values for the title of the row, its text, and the words of its link where there are several things. */
  words: (
    item: Item,
    tools: AttentionTools,
  ) => { title: Record<string, unknown>; text: string; action?: string };
};

/** The rows of a feature in the list of things that need an operator. */
type AttentionLines = {
  readonly [Kind in AttentionItem['kind']]?: AttentionLine<Extract<AttentionItem, { kind: Kind }>>;
};

/** What audit, palette and overview know of a feature (`late.ts` in its folder), downloaded with them. */
export type LateFeature = {
  /**
   * For each kind of subject in the audit, the path of its screen, with a query where it is a part of a screen.
   * The id of the subject replaces `$…`.
   */
  subjects?: Partial<Record<AuditSubjectKind, string>>;
  /** Actions of the palette that open a dialog or a form on a screen; their texts are `PALETTE.DO.<name>`. */
  actions?: readonly {
    name: string;
    icon: IconName;
    right: Right | OwnRight;
    to: string;
    search: Readonly<Record<string, string>>;
  }[];
  attention?: AttentionLines;
};

type Can = (right: string) => boolean;

/** Whether the person may use the screen (RIGHT-8). */
export function mayUse(screen: Screen, can: Can): boolean {
  return screen.right === undefined || [screen.right].flat().some(can);
}

/** The screens of one navigation that the person may use, in order. */
export function visibleScreens(screens: readonly Screen[], nav: Screen['nav'], can: Can): Screen[] {
  return screens.filter((screen) => screen.nav === nav && mayUse(screen, can));
}

/** Whether a path belongs to the navigation entry of a screen, as one flag belongs to the list of flags. */
export function belongsTo(screen: Screen, pathname: string): boolean {
  return screen.path === '/'
    ? pathname === '/'
    : pathname === screen.path || pathname.startsWith(`${screen.path}/`);
}
