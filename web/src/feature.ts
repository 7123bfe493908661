import type { AuditSubjectKind } from '#features/audit/contract/audit.ts';
import type { AttentionItem } from '#features/overview/contract/overview.ts';
import type { Right } from '#features/permissions/contract/permissions.ts';
import type { Formats } from './platform/i18n/formats.ts';
import type { IconName } from './ui/icon.tsx';

/** A right of your own, by its name in the catalogue. */
type OwnRight = string & Record<never, never>;

/** The headings of the console's navigation, in their order. */
export const consoleGroups = ['work', 'access', 'system'] as const;

export type Screen = {
  /** Its address; `$name` is a parameter. */
  path: string;
  /** Its address in earlier releases, which leads to it. */
  formerly?: string;
  /** Key of its name in the catalogues: in the navigation and in the title of the window. */
  title: string;
  /** Key of one line about it, for the list of the settings. */
  description?: string;
  /**
   * Who sees it, by a right or one of several; left out: every signed-in person. The server checks each
   * request all the same (RIGHT-8).
   */
  right?: Right | OwnRight | readonly Right[];
  /** The letter that opens it after `g`. */
  letter?: string;
  /** Where it stands: in the top bar, in the console's side navigation, among the settings, or nowhere. */
  nav: 'main' | 'console' | 'settings' | 'none';
  /** Under which heading of the console's navigation it stands; left out: above all of them. */
  group?: (typeof consoleGroups)[number];
  icon?: IconName;
  /** The file of a number next to it in the console's navigation, as `file`. */
  badge?: string | undefined;
  /** `reading` for forms and prose, which are narrower than lists. */
  width?: 'reading';
  /** Its file in the folder of the feature, without the extension. The screen is all that it exports. */
  file: string;
  /** What the keys of its texts begin with; left out: the first word of its title's key. */
  texts?: string | readonly string[];
};

/** What the first page knows of a feature: keys and paths only. */
export type Feature = {
  /** The name of its folder. */
  name: string;
  screens: readonly Screen[];
};

/** What the words of a row are made of. */
type AttentionTools = {
  /** A text below the key of the row. */
  part: (key: string, values?: Record<string, unknown>) => string;
  formats: Formats;
  now: number;
  /** The first names of `count`, and how many more there are. */
  named: (names: readonly string[], count: number) => string;
};

export type AttentionLine<Item> = {
  look: 'high' | 'medium' | 'info';
  /** Where the row leads: to the thing itself where there is exactly one, else to the list that holds them. */
  link: (item: Item) => { to: string; search?: Record<string, string> };
  /** The values of its title, its text, and the words of its link where there are several. */
  words: (
    item: Item,
    tools: AttentionTools,
  ) => { title: Record<string, unknown>; text: string; action?: string };
};

/** What a feature has among the things that need an operator. */
type AttentionLines = {
  readonly [Kind in AttentionItem['kind']]?: AttentionLine<Extract<AttentionItem, { kind: Kind }>>;
};

/** What audit, palette and overview know of a feature (`late.ts` in its folder), downloaded with them. */
export type LateFeature = {
  /**
   * The screen of each kind of subject in the audit: its path, and the query of its part. The subject's id
   * stands in the place of `$…`.
   */
  subjects?: Partial<Record<AuditSubjectKind, string>>;
  /** What opens a dialog or a form on a screen; its words are `PALETTE.DO.<name>`. */
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

/** Screens below it, such as one flag below the list of flags, belong to the same entry of the navigation. */
export function belongsTo(screen: Screen, pathname: string): boolean {
  return screen.path === '/'
    ? pathname === '/'
    : pathname === screen.path || pathname.startsWith(`${screen.path}/`);
}
