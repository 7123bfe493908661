import { useTranslation } from 'react-i18next';
import { derive, type Readable, type Store } from '#web/platform/state/store.ts';
import { storedChoice } from '#web/platform/state/stored-choice.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Menu } from '#web/ui/menu.tsx';
import type { Column } from '#web/ui/table.tsx';

/** The row density of all tables. */
const density = storedChoice('portico.density', ['comfortable', 'compact']);

type Shown = 'shown' | 'hidden';

/** For each table, which of its columns are shown. */
const tables = new Map<string, { stores: readonly Store<Shown>[]; all: Readable<readonly Shown[]> }>();

function shownOf(name: string, keys: readonly string[]) {
  const id = [name, ...keys].join('.');
  const known = tables.get(id);
  if (known !== undefined) return known;
  const stores = keys.map((key) => storedChoice(`portico.columns.${name}.${key}`, ['shown', 'hidden']));
  const table = { stores, all: derive(stores, (...values: readonly Shown[]) => values) };
  tables.set(id, table);
  return table;
}

/**
 * Returns the properties of a `Table`: the columns that this browser shows, and the menu in the table's head
 * that chooses the columns and the row density (CON-7).
 *
 * @param name the name under which the choice is stored
 */
export function useTableView<Row>(name: string, columns: readonly Column<Row>[]) {
  const { t } = useTranslation();
  const optional = columns.filter(({ role, headerHidden }) => role === undefined && headerHidden !== true);
  const table = shownOf(
    name,
    optional.map(({ key }) => key),
  );
  const shown = useStore(table.all);
  const now = useStore(density);
  const hidden = new Set(optional.filter((_, at) => shown[at] === 'hidden'));
  return {
    columns: columns.filter((column) => !hidden.has(column)),
    compact: now === 'compact',
    corner: (
      <Menu
        label={t('VIEWS.TABLE')}
        buttonClassName="button button-small button-quiet button-icon"
        button={<Icon name="settings" />}
        items={[
          {
            label: t('VIEWS.COLUMNS'),
            multiple: true,
            options: optional.map((column, at) => ({
              label: column.header,
              checked: !hidden.has(column),
              onSelect: () => table.stores[at]?.set(hidden.has(column) ? 'shown' : 'hidden'),
            })),
          },
          {
            label: t('VIEWS.DENSITY.LABEL'),
            options: (['comfortable', 'compact'] as const).map((value) => ({
              label: t(`VIEWS.DENSITY.${value.toUpperCase()}`),
              checked: value === now,
              onSelect: () => density.set(value),
            })),
          },
        ]}
      />
    ),
  };
}
