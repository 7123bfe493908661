import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

type Change<Names extends readonly string[]> = (
  change: Partial<Record<Names[number], string>>,
  /**
   * `push` for what "back" reverts, such as an opened detail; left out: the entry in the history is replaced.
   */
  how?: 'push',
) => void;

/**
 * Filters in the query of the address (CON-1), without empty ones. A change replaces the entry in the
 * history, so that "back" leaves the screen and does not revert the filter letter by letter.
 */
export function useAddressFilter<const Names extends readonly string[]>(
  names: Names,
): [Record<Names[number], string>, Change<Names>] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Record<
    Names[number],
    string
  >;
  return [
    filter,
    (change, how) => {
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) =>
          Object.fromEntries(
            Object.entries<unknown>({ ...now, ...change }).filter(
              ([, value]) => value !== '' && value !== undefined,
            ),
          ),
        replace: how !== 'push',
        resetScroll: false,
      } as never);
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/**
 * Does what the address asks for by `?do=`, such as opening the dialog for a new flag, once; the address is
 * then without it. The command palette leads to such addresses.
 *
 * @param allowed whether the person may do it; otherwise it is only removed
 */
export function useAskedAction(action: string, allowed: boolean, act: () => void): void {
  const [{ do: asked }, setAddress] = useAddressFilter(['do']);
  const answer = useEffectEvent(() => {
    setAddress({ do: '' });
    if (allowed) act();
  });
  useEffect(() => {
    if (asked === action) answer();
  }, [asked, action]);
}
