import type { CatalogueRight, RoleDefinition } from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { catalogueQuery, rolesQuery, useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FilterBar, ListFrame, MoreRows } from '#web/ui/list-frame.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import './matrix.css';

/** Rights and roles that are shown at first; there may be 10,000 and 500. */
const rowsAtFirst = 50;
const columnsAtFirst = 10;

/** Which role gives which right, at a glance. */
export function MatrixPanel() {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const [search, setSearch] = useState('');
  const [rows, setRows] = useState(rowsAtFirst);
  const [columns, setColumns] = useState(columnsAtFirst);
  const roles = useQuery(rolesQuery(api));
  const catalogue = useQuery(catalogueQuery(api));
  const all = roles.data?.roles ?? [];
  const wanted = search.trim().toLowerCase();
  const found = (catalogue.data?.rights ?? []).filter((one) =>
    `${one.right}\n${words.right(one.right)}\n${words.area(one)}`.toLowerCase().includes(wanted),
  );
  const failed = [roles, catalogue].find((query) => query.data === undefined);
  return (
    <ListFrame
      texts="ROLES_AND_RIGHTS"
      {...listState(t, failed ?? catalogue)}
      detail={undefined}
      skeletonRows={8}
    >
      <div className="panel-head">
        <p className="muted">{t('ROLES_AND_RIGHTS.MATRIX.ABOUT')}</p>
        {all.length > columns ? (
          <Button small onClick={() => setColumns(all.length)}>
            {t('ROLES_AND_RIGHTS.MATRIX.ALL_ROLES', { count: all.length })}
          </Button>
        ) : null}
      </div>
      <FilterBar
        count={t('ROLES_AND_RIGHTS.RIGHT.COUNT', { count: found.length })}
        search={{
          label: t('ROLES_AND_RIGHTS.RIGHT.SEARCH'),
          value: search,
          maxLength: 100,
          onValue: (text) => {
            setSearch(text);
            setRows(rowsAtFirst);
          },
        }}
      />
      {found.length === 0 ? (
        <EmptyState icon="search" title={t('ROLES_AND_RIGHTS.RIGHT.NOTHING_FOUND')}>
          {t('ROLES_AND_RIGHTS.MATRIX.ABOUT')}
        </EmptyState>
      ) : (
        <MatrixTable rights={found.slice(0, rows)} roles={all.slice(0, columns)} />
      )}
      {found.length > rows ? (
        <MoreRows busy={false} onMore={() => setRows(rows + 2 * rowsAtFirst)}>
          {t('ROLES_AND_RIGHTS.MORE')}
        </MoreRows>
      ) : null}
    </ListFrame>
  );
}

type MatrixTableProps = { rights: readonly CatalogueRight[]; roles: readonly RoleDefinition[] };

function MatrixTable({ rights, roles }: MatrixTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useRightsWords();
  const given = roles.map((role) => ({ ...role, has: new Set(role.rights) }));
  const areas = [...Map.groupBy(rights, (one) => words.area(one))];
  const title = t('ROLES_AND_RIGHTS.MATRIX.TITLE');
  return (
    <div className="matrix-frame panel" role="region" aria-label={title}>
      <table className="matrix">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('ROLES_AND_RIGHTS.RIGHT.LABEL')}</th>
            {given.map(({ role, people }) => (
              <th key={role} scope="col">
                <span>{words.role(role)}</span>
                <Link to="/people" search={{ role }}>
                  {t('ROLES_AND_RIGHTS.MATRIX.PEOPLE', { count: people, shown: formats.number(people) })}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        {areas.map(([area, ofArea]) => (
          <tbody key={area}>
            <tr className="matrix-area">
              <th scope="rowgroup" colSpan={given.length + 1}>
                <span>{area}</span>
              </th>
            </tr>
            {ofArea.map(({ right }) => (
              <tr key={right}>
                <th scope="row" title={right}>
                  {words.right(right)}
                </th>
                {given.map(({ role, has }) => (
                  <td key={role} data-given={has.has(right)}>
                    {has.has(right) ? <Icon name="check" size={16} /> : <Icon name="minus" size={12} />}
                    <span className="visually-hidden">
                      {t(`ROLES_AND_RIGHTS.MATRIX.${has.has(right) ? 'GIVES' : 'GIVES_NOT'}`)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
