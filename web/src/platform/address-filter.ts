import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Filters that stand in the address (CON-1): what is empty is left out. A change replaces the entry in the history, so
 * that "back" leaves the screen and does not take the filter back letter by letter.
 */
export function useAddressFilter<const Names extends readonly string[]>(
  names: Names,
): [Record<Names[number], string>, (change: Partial<Record<Names[number], string>>) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Record<
    Names[number],
    string
  >;
  return [
    filter,
    (change) => {
      const next = Object.entries<unknown>({ ...search, ...change }).filter(
        ([, value]) => value !== '' && value !== undefined,
      );
      void navigate({
        to: '.',
        search: Object.fromEntries(next),
        replace: true,
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
