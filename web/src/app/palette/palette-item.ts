import type { ReactNode } from 'react';

/** The dialog that opens in the place of the palette, given how to close it. */
export type FollowingDialog = (close: () => void) => ReactNode;

/** One line of the palette. */
export type PaletteItem = {
  key: string;
  /** The heading under which it stands. */
  group: string;
  label: string;
  lang?: string;
  hint?: string | undefined;
  mark?: ReactNode;
  /** A key, at the end of the line. */
  end?: ReactNode;
  /** What it can be found by besides its name. */
  words?: string;
} & (
  | { to: string; search?: Readonly<Record<string, string>> }
  /** Does it, and returns the dialog that asks or shows more. */
  | { act: () => void | FollowingDialog | Promise<void | FollowingDialog> }
);
