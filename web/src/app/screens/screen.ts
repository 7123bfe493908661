import type { ComponentType } from 'react';
import type { Right } from '@portico/contract/permissions';
import type { IconName } from '../../ui/icon.tsx';

/** A right of your own, by its name in the catalogue. */
type OwnRight = string & Record<never, never>;

/** The headings of the console's navigation, in their order. */
export const consoleGroups = ['work', 'access', 'system'] as const;
export type ConsoleGroup = (typeof consoleGroups)[number];

export type Screen = {
  /** Its address; `$name` is a parameter. */
  path: string;
  /** Key of its name in the catalogues: in the navigation and in the title of the window. */
  title: string;
  /** Key of one line about it, for the home screen. */
  description?: string;
  /**
   * Who sees it, by a right or one of several; left out: every signed-in person. The server checks each
   * request all the same (RIGHT-8).
   */
  right?: Right | OwnRight | readonly Right[];
  /** Where it stands: in the top bar, in the console's side navigation, or nowhere. */
  nav: 'main' | 'console' | 'none';
  /** Under which heading of the console's navigation it stands; left out: above all of them. */
  group?: ConsoleGroup;
  /** A number beside it in the console's navigation. */
  badge?: 'new-reports';
  icon?: IconName;
  /** `reading` for forms and prose, which are narrower than lists. */
  width?: 'reading';
  /** The folders of features whose texts come with it; left out: those that are always there are enough. */
  texts?: string | readonly string[];
  /** Downloads it when it is first opened. */
  load: () => Promise<ComponentType>;
};
