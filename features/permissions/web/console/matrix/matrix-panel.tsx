import '../roles.css';
import {
  type CatalogueRight,
  changeRole,
  type RoleDefinition,
} from '#features/permissions/contract/administration.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { catalogueQuery, rightsKey, rolesQuery, useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FilterBar, ListFrame, MoreRows } from '#web/ui/list-frame.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { changeOf } from '../affected-people.tsx';
import { RoleSaveBar } from '../own-roles/role-save-bar.tsx';
import { roleWords } from '../problem-words.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Select } from '#web/ui/text-input.tsx';

type FoundRightsProps = {
  rights: readonly CatalogueRight[];
  /** How many are shown at first; there may be 10,000. */
  first: number;
  /** What the list is for; shown where nothing was found. */
  about: string;
  children: (shown: readonly CatalogueRight[]) => ReactNode;
};

const page = 100;

/** The rights of the catalogue whose name, label or area has what is typed. */
export function FoundRights({ rights, first, about, children }: FoundRightsProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(first);
  const wanted = search.trim().toLowerCase();
  const found = rights.filter((one) =>
    `${one.right}\n${words.right(one.right)}\n${words.area(one)}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <FilterBar
        count={t('ROLES_AND_RIGHTS.RIGHT.COUNT', { count: found.length })}
        search={{
          label: t('ROLES_AND_RIGHTS.RIGHT.SEARCH'),
          value: search,
          maxLength: 100,
          onValue: (text) => {
            setSearch(text);
            setShown(first);
          },
        }}
      />
      {found.length === 0 ? (
        <EmptyState icon="search" title={t('ROLES_AND_RIGHTS.RIGHT.NOTHING_FOUND')}>
          {about}
        </EmptyState>
      ) : (
        children(found.slice(0, shown))
      )}
      {found.length > shown ? (
        <MoreRows busy={false} onMore={() => setShown(shown + page)}>
          {t('COMMON.MORE')}
        </MoreRows>
      ) : null}
    </>
  );
}

/** Roles that are shown at first; there may be 500. */
const columnsAtFirst = 10;

/** Whether a role is to give a right. Only what was changed is kept: what another operator saves stays. */
type Wanted = ReadonlyMap<string, boolean>;

/** What was chosen and is not saved, by the key of a role. */
export type Chosen = ReadonlyMap<string, Wanted>;

/** The rights of a role together with what was chosen for it. */
export function rightsWith({ rights }: RoleDefinition, wanted: Wanted = new Map()): string[] {
  return [...new Set([...rights, ...wanted.keys()])].filter((right) => wanted.get(right) ?? true);
}

/** The roles for which something is chosen that is not saved. */
export function changedRoles(roles: readonly RoleDefinition[], chosen: Chosen): RoleDefinition[] {
  return roles.filter((role) => changeOf(role.rights, rightsWith(role, chosen.get(role.role))) !== null);
}

type MatrixPanelProps = {
  mayWrite: boolean;
  chosen: Chosen;
  onChosen: Dispatch<SetStateAction<Chosen>>;
};

/** Which role gives which right, at a glance; the installation's own roles are changed here too. */
export function MatrixPanel({ mayWrite, chosen, onChosen }: MatrixPanelProps) {
  const { t } = useTranslation();
  const [columns, setColumns] = useState(columnsAtFirst);
  const roles = useQuery(rolesQuery);
  const catalogue = useQuery(catalogueQuery);
  const all = roles.data?.roles ?? [];
  const choose = ({ role, rights }: RoleDefinition, right: string, isGiven: boolean) =>
    onChosen((now) => {
      const wanted = new Map(now.get(role)).set(right, isGiven);
      if (rights.includes(right) === isGiven) wanted.delete(right);
      return new Map(now).set(role, wanted);
    });
  const forget = (role: string, saved: Wanted) =>
    onChosen((now) => {
      const left = [...(now.get(role) ?? [])].filter(([right, isGiven]) => saved.get(right) !== isGiven);
      return new Map(now).set(role, new Map(left));
    });
  const failed = [roles, catalogue].find((query) => query.data === undefined);
  return (
    <ListFrame
      texts="ROLES_AND_RIGHTS"
      {...listState(t, failed ?? catalogue)}
      detail={undefined}
      skeletonRows={8}
    >
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
            onChoose={mayWrite ? choose : null}
          />
        )}
      </FoundRights>
      <div className="save-bars stack gap-2">
        {changedRoles(all, chosen).map((role) => (
          <RoleChange
            key={role.role}
            role={role}
            wanted={chosen.get(role.role) ?? new Map()}
            onDone={(saved) => forget(role.role, saved)}
          />
        ))}
      </div>
    </ListFrame>
  );
}

type RoleChangeProps = { role: RoleDefinition; wanted: Wanted; onDone: (saved: Wanted) => void };

/** What was changed in one role and is not saved, and whom it concerns. */
function RoleChange({ role, wanted, onDone }: RoleChangeProps) {
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
    mutationFn: (sent: Wanted) => write(rightsWith(role, sent), role.version),
    async onSuccess({ version }, sent) {
      await queries.invalidateQueries({ queryKey: rightsKey });
      notifyUndoable(t, {
        key: 'rights',
        title: t('ROLES_AND_RIGHTS.SAVED', { name }),
        undo: () =>
          write(role.rights, version).finally(() => void queries.invalidateQueries({ queryKey: rightsKey })),
        problem: (error) => problemsOf(t, error, roleWords).general ?? undefined,
      });
      onDone(sent);
    },
    // Another operator may have saved first: the next try is against what is stored now.
    onError: () => queries.invalidateQueries({ queryKey: rightsKey }),
  });
  return (
    <RoleSaveBar
      role={role}
      rights={rightsWith(role, wanted)}
      busy={save.isPending}
      problem={save.isError ? problemsOf(t, save.error, roleWords).general : null}
      onDiscard={() => onDone(wanted)}
      onSave={() => save.mutate(wanted)}
    />
  );
}

type MatrixTableProps = {
  rights: readonly CatalogueRight[];
  roles: readonly RoleDefinition[];
  chosen: Chosen;
  /** Null: the person may not change roles. */
  onChoose: ((role: RoleDefinition, right: string, isGiven: boolean) => void) | null;
};

function MatrixTable({ rights, roles, chosen, onChoose }: MatrixTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useRightsWords();
  const given = roles.map((definition) => ({
    definition,
    role: definition.role,
    people: definition.people,
    saved: new Set(definition.rights),
    has: new Set(rightsWith(definition, chosen.get(definition.role))),
  }));
  const [only, setOnly] = useState(roles[0]?.role ?? '');
  const areas = [...Map.groupBy(rights, (one) => words.area(one))];
  const title = t('ROLES_AND_RIGHTS.MATRIX.TITLE');
  return (
    <>
      <div className="matrix-only">
        <Select
          aria-label={t('ROLES_AND_RIGHTS.ROLE.NAME')}
          value={only}
          onValue={setOnly}
          options={roles.map(({ role }) => ({ value: role, label: words.role(role) }))}
        />
      </div>
      <div className="matrix-frame relative panel" role="region" aria-label={title}>
        <table className="matrix">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('ROLES_AND_RIGHTS.RIGHT.LABEL')}</th>
              {given.map(({ role, people }) => (
                <th key={role} scope="col" data-only={role === only}>
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
                      data-only={role === only}
                      data-given={has.has(right)}
                      data-changed={has.has(right) !== saved.has(right)}
                    >
                      {onChoose !== null && !definition.builtIn ? (
                        <input
                          type="checkbox"
                          aria-label={`${words.role(role)}: ${words.right(right)}`}
                          checked={has.has(right)}
                          onChange={(event) => onChoose(definition, right, event.target.checked)}
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
    </>
  );
}
