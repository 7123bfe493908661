import {
  type CatalogueRight,
  changeRole,
  type RoleDefinition,
} from '#features/permissions/contract/administration.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { catalogueQuery, rightsKey, rolesQuery, useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { FoundRights } from '../found-rights.tsx';
import { changeOf } from '../affected-people.tsx';
import { RoleSaveBar } from '../own-roles/role-save-bar.tsx';
import { roleWords } from '../problem-words.ts';
import './matrix.css';

/** Roles that are shown at first; there may be 500. */
const columnsAtFirst = 10;

/** By the key of a role, the rights that were chosen for it and are not saved. */
export type Chosen = ReadonlyMap<string, readonly string[]>;

type MatrixPanelProps = {
  mayWrite: boolean;
  chosen: Chosen;
  onChosen: (chosen: Chosen) => void;
};

/** Which role gives which right, at a glance; the installation's own roles are changed here too. */
export function MatrixPanel({ mayWrite, chosen, onChosen }: MatrixPanelProps) {
  const { t } = useTranslation();
  const [columns, setColumns] = useState(columnsAtFirst);
  const roles = useQuery(rolesQuery);
  const catalogue = useQuery(catalogueQuery);
  const all = roles.data?.roles ?? [];
  const changed = all.filter(({ role }) => chosen.has(role));

  function choose(role: string, rights: readonly string[] | null): void {
    const others = [...chosen].filter(([key]) => key !== role);
    onChosen(new Map(rights === null ? others : [...others, [role, rights]]));
  }
  function toggle({ role, rights: saved }: RoleDefinition, right: string): void {
    const now = chosen.get(role) ?? saved;
    const next = now.includes(right) ? now.filter((one) => one !== right) : [...now, right];
    choose(role, changeOf(saved, next) === null ? null : next);
  }
  const failed = [roles, catalogue].find((query) => query.data === undefined);
  return (
    <ListFrame {...listState(t, failed ?? catalogue)} detail={undefined} skeletonRows={8}>
      <div className="panel-head gap-2-4 row wrap between">
        <p className="muted">{t('ROLES_AND_RIGHTS.MATRIX.ABOUT')}</p>
        {all.length > columns ? (
          <Button small onClick={() => setColumns(all.length)}>
            {t('ROLES_AND_RIGHTS.MATRIX.ALL_ROLES', { count: all.length })}
          </Button>
        ) : null}
      </div>
      <FoundRights
        rights={catalogue.data?.rights ?? []}
        first={50}
        about={t('ROLES_AND_RIGHTS.MATRIX.ABOUT')}
      >
        {(rights) => (
          <MatrixTable
            rights={rights}
            roles={all.slice(0, columns)}
            chosen={chosen}
            onToggle={mayWrite ? toggle : null}
          />
        )}
      </FoundRights>
      <div className="save-bars stack gap-2">
        {changed.map((role) => (
          <RoleChange
            key={role.role}
            role={role}
            rights={chosen.get(role.role) ?? role.rights}
            onDone={() => choose(role.role, null)}
          />
        ))}
      </div>
    </ListFrame>
  );
}

type RoleChangeProps = { role: RoleDefinition; rights: readonly string[]; onDone: () => void };

/** What was changed in one role and is not saved, and whom it concerns. */
function RoleChange({ role, rights, onDone }: RoleChangeProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = useRightsWords().role(role.role);
  const write = (all: readonly string[], version: number) =>
    api.call(changeRole, {
      params: { role: role.role },
      body: { name: role.name, description: role.description, rights: [...all], version },
    });
  const save = useMutation({
    mutationFn: () => write(rights, role.version),
    async onSuccess({ version }) {
      await queries.invalidateQueries({ queryKey: rightsKey });
      notifyUndoable(t, {
        key: 'rights',
        title: t('ROLES_AND_RIGHTS.SAVED', { name }),
        undo: () =>
          write(role.rights, version).finally(() => void queries.invalidateQueries({ queryKey: rightsKey })),
        problem: (error) => problemsOf(t, error, roleWords).general ?? undefined,
      });
      onDone();
    },
    // Another operator may have saved first: the next try is against what is stored now.
    onError: () => queries.invalidateQueries({ queryKey: rightsKey }),
  });
  return (
    <RoleSaveBar
      role={role}
      rights={rights}
      busy={save.isPending}
      problem={save.isError ? problemsOf(t, save.error, roleWords).general : null}
      onDiscard={onDone}
      onSave={() => save.mutate()}
    />
  );
}

type MatrixTableProps = {
  rights: readonly CatalogueRight[];
  roles: readonly RoleDefinition[];
  chosen: Chosen;
  /** Null: the person may not change roles. */
  onToggle: ((role: RoleDefinition, right: string) => void) | null;
};

function MatrixTable({ rights, roles, chosen, onToggle }: MatrixTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useRightsWords();
  const given = roles.map((definition) => ({
    definition,
    role: definition.role,
    people: definition.people,
    saved: new Set(definition.rights),
    has: new Set(chosen.get(definition.role) ?? definition.rights),
  }));
  const areas = [...Map.groupBy(rights, (one) => words.area(one))];
  const title = t('ROLES_AND_RIGHTS.MATRIX.TITLE');
  return (
    <div className="matrix-frame relative panel" role="region" aria-label={title}>
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
                {given.map(({ definition, role, has, saved }) => (
                  <td
                    key={role}
                    data-given={has.has(right)}
                    data-changed={has.has(right) !== saved.has(right)}
                  >
                    {onToggle !== null && !definition.builtIn ? (
                      <input
                        type="checkbox"
                        aria-label={`${words.role(role)}: ${words.right(right)}`}
                        checked={has.has(right)}
                        onChange={() => onToggle(definition, right)}
                      />
                    ) : (
                      <>
                        {has.has(right) ? <Icon name="check" size={16} /> : <Icon name="minus" size={12} />}
                        <span className="visually-hidden">
                          {t(`ROLES_AND_RIGHTS.MATRIX.${has.has(right) ? 'GIVES' : 'GIVES_NOT'}`)}
                        </span>
                      </>
                    )}
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
