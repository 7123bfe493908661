import type { Right } from './permissions.ts';

/**
 * A list that browsers load again when it changes.
 *
 * - `list`: its name, in kebab-case. The web's query keys begin with it: `queryKey: [linkList.list, …]`.
 * - `receivers`: whose browsers receive the change: everyone who is signed in, those who hold a right, or the
 * person whose list
 *   it is.
 */
export type LiveList = {
  readonly list: string;
  readonly receivers: 'everyone' | 'person' | { readonly right: Right };
};

/**
 * Declares a list that is followed live. The server publishes a change with `publishList`; the web loads
 * again every query whose key begins with the list's name. Nothing else is needed: docs/live-events.md.
 */
/* @__NO_SIDE_EFFECTS__ */
export function liveList<const L extends LiveList>(declaration: L): L {
  return declaration;
}
