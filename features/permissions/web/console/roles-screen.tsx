import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedWork } from '#web/platform/forms/unsaved-work.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { GroupsPanel } from './groups/groups-panel.tsx';
import { changedRoles, type Chosen, MatrixPanel } from './matrix/matrix-panel.tsx';
import { RightsPanel } from './own-rights/rights-panel.tsx';
import '#web/ui/tabs.css';
import './roles.css';
import type { RoleDefinition } from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { base } from '#web/platform/base.ts';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { rolesQuery, useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { RoleDialog } from './own-roles/role-dialog.tsx';

const parts = ['roles', 'matrix', 'groups', 'rights'] as const;
type Part = (typeof parts)[number];

/** The sources of rights: roles, groups of the identity provider, and the catalogue. */
export function RolesScreen() {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['show']);
  // What was chosen stays while another part is shown.
  const [chosen, setChosen] = useState<Chosen>(new Map());
  useUnsavedWork(changedRoles(useQuery(rolesQuery).data?.roles ?? [], chosen).length > 0);
  const mayWrite = useCan()('PEOPLE_WRITE');
  const part = parts.find((one) => one === address.show) ?? 'roles';
  const names: Record<Part, string> = {
    roles: t('ROLES_AND_RIGHTS.PARTS.ROLES'),
    matrix: t('ROLES_AND_RIGHTS.MATRIX.TITLE'),
    groups: t('ROLES_AND_RIGHTS.PARTS.GROUPS'),
    rights: t('ROLES_AND_RIGHTS.PARTS.RIGHTS'),
  };
  return (
    <>
      <ScreenHead title={t('ROLES_AND_RIGHTS.TITLE')} lead={t('ROLES_AND_RIGHTS.LEAD')} />
      <nav className="parts tabs" aria-label={t('ROLES_AND_RIGHTS.TITLE')}>
        {parts.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === part ? 'page' : undefined}
            onClick={() => setAddress({ show: one === 'roles' ? '' : one })}
          >
            {names[one]}
          </button>
        ))}
      </nav>
      {part === 'roles' ? (
        <RolesPanel mayWrite={mayWrite} />
      ) : part === 'matrix' ? (
        <MatrixPanel mayWrite={mayWrite} chosen={chosen} onChosen={setChosen} />
      ) : part === 'groups' ? (
        <GroupsPanel mayWrite={mayWrite} />
      ) : (
        <RightsPanel mayWrite={mayWrite} />
      )}
    </>
  );
}

/** The roles, each with a page; a new one is added here. */
function RolesPanel({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useRightsWords();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const roles = useQuery(rolesQuery);
  const columns: Column<RoleDefinition>[] = [
    {
      key: 'name',
      header: t('ROLES_AND_RIGHTS.ROLE.NAME'),
      role: 'primary',
      cell: ({ role }) => (
        <>
          <strong>{words.role(role)}</strong>
          <small className="muted line breaks">{words.roleHint(role)}</small>
        </>
      ),
    },
    {
      key: 'kind',
      header: t('ROLES_AND_RIGHTS.ROLE.KIND'),
      role: 'beside',
      tight: true,
      cell: ({ builtIn }) => <Tag>{t(builtIn ? 'ROLES_AND_RIGHTS.BUILT_IN' : 'ROLES_AND_RIGHTS.OWN')}</Tag>,
    },
    {
      key: 'rights',
      header: t('ROLES_AND_RIGHTS.ROLE.RIGHTS'),
      align: 'end',
      tight: true,
      narrow: 'labelled',
      cell: ({ rights }) => formats.number(rights.length),
    },
    {
      key: 'people',
      header: t('ROLES_AND_RIGHTS.ROLE.PEOPLE'),
      align: 'end',
      tight: true,
      narrow: 'labelled',
      cell: ({ people }) => formats.number(people),
    },
  ];
  return (
    <ListFrame texts="ROLES_AND_RIGHTS" {...listState(t, roles)} detail={undefined} skeletonRows={4}>
      <div className="panel-head gap-2-4 row wrap between">
        <p className="muted">{t('ROLES_AND_RIGHTS.ROLE.ABOUT')}</p>
        {mayWrite ? (
          <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
            {t('ROLES_AND_RIGHTS.ROLE.ADD')}
          </Button>
        ) : null}
      </div>
      <Table
        caption={t('ROLES_AND_RIGHTS.PARTS.ROLES')}
        columns={columns}
        rows={roles.data?.roles ?? []}
        rowKey={({ role }) => role}
        open={{
          act: ({ role }) => void navigate({ to: `/roles/${role}` }),
          href: ({ role }) => `${base}/roles/${role}`,
        }}
      />
      {adding ? <RoleDialog from={null} onClose={() => setAdding(false)} /> : null}
    </ListFrame>
  );
}
