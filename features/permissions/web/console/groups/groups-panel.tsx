import {
  type GroupKind,
  type GroupMapping,
  listGroupMappings,
  listGroups,
  addGroupMapping,
  changeGroupMapping,
  removeGroupMapping,
} from '#features/permissions/contract/administration.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { spoken } from '#web/platform/i18n/isolated.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { rightsKey, useRightsWords } from '#web/platform/rights-words.ts';
import { useDebounced } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { Checkbox, Select } from '#web/ui/text-input.tsx';
import { AffectedPeople } from '../affected-people.tsx';
import { EditDialog, RemoveDialog, useRightsForm } from '../edit-dialog.tsx';
import { mappingWords, mostOfGroup } from '../problem-words.ts';

export const mappingsQuery = routeQuery([...rightsKey, 'mappings'], listGroupMappings, {});

/** Groups that the provider has named, for suggestions. */
const groupsQuery = (kind: GroupKind, search: string) => ({
  ...routeQuery([...rightsKey, 'groups', kind, search], listGroups, { query: { kind, search } }),
  placeholderData: keepPreviousData,
});

/** Which groups of the identity provider give which roles. */
export function GroupsPanel({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const [editing, setEditing] = useState<GroupMapping | 'new' | null>(null);
  const [removing, setRemoving] = useState<GroupMapping | null>(null);
  const mappings = useQuery(mappingsQuery);
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
          <strong className="lines breaks">
            <bdi>{name}</bdi>
            {match === 'prefix' ? '…' : ''}
          </strong>
          {kind === 'group' ? null : (
            <small className="muted line">{t('ROLES_AND_RIGHTS.GROUP.KINDS.ROLE')}</small>
          )}
          {match === 'exact' ? null : (
            <small className="muted line">{t('ROLES_AND_RIGHTS.GROUP.MATCHES.PREFIX')}</small>
          )}
        </>
      ),
    },
    {
      key: 'roles',
      header: t('ROLES_AND_RIGHTS.GROUP.ROLES'),
      narrow: 'labelled',
      cell: ({ roles }) => (
        <span className="tags">
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
          <div className="panel-head gap-2-4 row wrap between">
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

type MappingDialogProps = {
  /** Null: a new one. */
  mapping: GroupMapping | null;
  onRemove: (mapping: GroupMapping) => void;
  onClose: () => void;
};

type MappingValues = Pick<GroupMapping, 'kind' | 'match' | 'name' | 'roles'>;

const emptyMapping: MappingValues = { kind: 'group', match: 'exact', name: '', roles: [] };

/** Maps a group to roles; shows whom that concerns before it is saved. */
function MappingDialog({ mapping, onRemove, onClose }: MappingDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const form = useRightsForm({
    saved:
      mapping === null
        ? { values: emptyMapping }
        : {
            values: { kind: mapping.kind, match: mapping.match, name: mapping.name, roles: mapping.roles },
            version: mapping.version,
          },
    save: (values, version, _extra, creation): Promise<unknown> =>
      mapping === null
        ? api.call(addGroupMapping, { body: values }, creation)
        : api.call(changeGroupMapping, { params: { mappingId: mapping.id }, body: { ...values, version } }),
    nameOf: (_saved, values) => spoken(values.name),
    onSaved: onClose,
  });
  const draft = form.values;
  const { kind, match, name, roles } = draft;
  const [asked, setAsked] = useState(false);
  const known = useQuery(groupsQuery(kind, useDebounced(name).value.trim().slice(0, 200)));
  const whole = name !== '' && roles.length > 0;
  const problems = problemsOf(t, form.error, mappingWords);
  const rolesMissing = asked && roles.length === 0;

  return (
    <EditDialog
      kind="wide"
      title={t(mapping === null ? 'ROLES_AND_RIGHTS.GROUP.ADD' : 'ROLES_AND_RIGHTS.GROUP.EDIT')}
      form={form}
      problem={problems.general}
      onSubmit={() => {
        setAsked(true);
        if (whole) form.save();
      }}
      onRemove={mapping === null ? null : () => onRemove(mapping)}
      onClose={onClose}
    >
      {mapping === null ? null : <HistoryLink subject={mapping.id} />}
      <Field
        label={t('ROLES_AND_RIGHTS.GROUP.NAME')}
        required
        hint={t('ROLES_AND_RIGHTS.GROUP.NAME_HINT')}
        error={
          problems.name ??
          (asked && name === '' ? t('ROLES_AND_RIGHTS.ERRORS.TEXT', { most: mostOfGroup }) : null)
        }
      >
        {(control) => (
          <SuggestInput
            {...control}
            maxLength={500}
            value={name}
            onValue={(value) => form.set({ name: value })}
            options={(known.data?.groups ?? []).map((group) => ({
              key: group.name,
              label: group.name,
              hint: t('ROLES_AND_RIGHTS.GROUP.PEOPLE', { count: group.people }),
            }))}
          />
        )}
      </Field>
      <div className="field-row">
        <Field label={t('ROLES_AND_RIGHTS.GROUP.MATCH')}>
          {({ id }) => (
            <Select
              id={id}
              value={match}
              onValue={(value) => form.set({ match: value })}
              options={[
                { value: 'exact', label: t('ROLES_AND_RIGHTS.GROUP.MATCHES.EXACT') },
                { value: 'prefix', label: t('ROLES_AND_RIGHTS.GROUP.MATCHES.PREFIX') },
              ]}
            />
          )}
        </Field>
        <Field label={t('ROLES_AND_RIGHTS.GROUP.KIND')}>
          {({ id }) => (
            <Select
              id={id}
              value={kind}
              onValue={(value) => form.set({ kind: value })}
              options={[
                { value: 'group', label: t('ROLES_AND_RIGHTS.GROUP.KINDS.GROUP') },
                { value: 'role', label: t('ROLES_AND_RIGHTS.GROUP.KINDS.ROLE') },
              ]}
            />
          )}
        </Field>
      </div>
      <fieldset className="choice">
        <legend>{t('ROLES_AND_RIGHTS.GROUP.ROLES')}</legend>
        <Problem>{rolesMissing ? t('ROLES_AND_RIGHTS.GROUP.NO_ROLES') : null}</Problem>
        <div className="right-choice stack gap-2">
          {words.roles.map(({ role }) => (
            <Checkbox
              key={role}
              label={words.role(role)}
              hint={words.roleHint(role)}
              checked={roles.includes(role)}
              onChecked={(checked) =>
                form.set({ roles: checked ? [...roles, role] : roles.filter((one) => one !== role) })
              }
            />
          ))}
        </div>
      </fieldset>
      {whole ? (
        <AffectedPeople
          change={
            mapping === null
              ? { change: 'add-mapping', mapping: draft }
              : { change: 'set-mapping', mappingId: mapping.id, mapping: draft }
          }
        />
      ) : (
        <p className="muted">{t('ROLES_AND_RIGHTS.TOUCHED.NOT_YET')}</p>
      )}
    </EditDialog>
  );
}
