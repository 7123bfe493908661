import { type GroupMapping, removeGroupMapping } from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listState } from '#web/platform/lists/list-state.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { RemoveDialog } from '../remove-dialog.tsx';
import { mappingsQuery } from '../roles-queries.ts';
import { MappingDialog } from './mapping-dialog.tsx';

/** Which groups of the identity provider give which roles. */
export function GroupsPanel({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const [editing, setEditing] = useState<GroupMapping | 'new' | null>(null);
  const [removing, setRemoving] = useState<GroupMapping | null>(null);
  const mappings = useQuery(mappingsQuery(api));
  const add = mayWrite ? (
    <Button tone="primary" icon="plus" onClick={() => setEditing('new')}>
      {t('ROLES_AND_RIGHTS.GROUP.ADD')}
    </Button>
  ) : undefined;
  const columns: Column<GroupMapping>[] = [
    {
      key: 'name',
      header: t('ROLES_AND_RIGHTS.GROUP.NAME'),
      role: 'primary',
      cell: ({ kind, match, name }) => (
        <>
          <strong className="group-name">
            <bdi>{name}</bdi>
            {match === 'prefix' ? '…' : ''}
          </strong>
          <small className="muted name-under">
            {t(kind === 'group' ? 'ROLES_AND_RIGHTS.GROUP.KINDS.GROUP' : 'ROLES_AND_RIGHTS.GROUP.KINDS.ROLE')}
            {', '}
            {t(
              match === 'exact'
                ? 'ROLES_AND_RIGHTS.GROUP.MATCHES.EXACT'
                : 'ROLES_AND_RIGHTS.GROUP.MATCHES.PREFIX',
            )}
          </small>
        </>
      ),
    },
    {
      key: 'roles',
      header: t('ROLES_AND_RIGHTS.GROUP.ROLES'),
      cell: ({ roles }) => (
        <span className="tag-list">
          {roles.map((role) => (
            <Tag key={role}>{words.role(role)}</Tag>
          ))}
        </span>
      ),
    },
  ];
  const rows = mappings.data?.mappings ?? [];
  return (
    <ListFrame texts="ROLES_AND_RIGHTS" {...listState(t, mappings)} detail={undefined} skeletonRows={4}>
      {rows.length === 0 ? (
        <EmptyState icon="people" title={t('ROLES_AND_RIGHTS.GROUP.EMPTY')} action={add}>
          {t('ROLES_AND_RIGHTS.GROUP.ABOUT')}
        </EmptyState>
      ) : (
        <>
          <div className="panel-head">
            <p className="muted">{t('ROLES_AND_RIGHTS.GROUP.ABOUT')}</p>
            {add}
          </div>
          <Table
            caption={t('ROLES_AND_RIGHTS.PARTS.GROUPS')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            {...(mayWrite ? { open: { act: setEditing } } : {})}
          />
        </>
      )}
      {editing === null ? null : (
        <MappingDialog
          mapping={editing === 'new' ? null : editing}
          onRemove={(mapping) => {
            setEditing(null);
            setRemoving(mapping);
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {removing === null ? null : (
        <RemoveDialog
          name={removing.name}
          effect={t('ROLES_AND_RIGHTS.GROUP.REMOVE_EFFECT')}
          change={{ change: 'remove-mapping', mappingId: removing.id }}
          remove={() => api.call(removeGroupMapping, { params: { mappingId: removing.id } })}
          onClose={() => setRemoving(null)}
        />
      )}
    </ListFrame>
  );
}
