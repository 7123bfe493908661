import type { Right } from '#features/permissions/contract/permissions.ts';

/**
 * A list that browsers load again when it changes.
 *
 * - `list`: its name, in kebab-case. The web's query keys begin with it: `queryKey: [linkList.list, …]`.
 * - `receivers`: whose browsers receive the change: `everyone` who is signed in, those who hold a `right`, or
 *   the one `person` whose list it is.
 */
export type LiveList = {
  readonly list: string;
  readonly receivers: 'everyone' | 'person' | { readonly right: Right };
};

/**
 * Declares a list that browsers follow. The server publishes a change with `publishList(change, list)`, and
 * for a `person` with that person's id as the third argument. The web then loads again each query whose key
 * begins with the list's name. Nothing else is needed (docs/live-events.md).
 */
/* @__NO_SIDE_EFFECTS__ */
export function liveList<const L extends LiveList>(declaration: L): L {
  return declaration;
}
