import {
  addGroupMapping,
  changeGroupMapping,
  type GroupMapping,
  type ProposedChange,
} from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { spoken } from '#web/platform/i18n/isolated.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Checkbox, Select, TextInput } from '#web/ui/text-input.tsx';
import { EditDialog } from '../edit-dialog.tsx';
import { mappingWords, mostOfGroup } from '../problem-words.ts';
import { groupsQuery } from '../roles-queries.ts';
import { AffectedPeople, usePreview } from '../affected-people.tsx';
import { useRightsForm } from '../use-rights-form.ts';
import { useDebounced } from '#web/platform/state/use-debounced.ts';

type MappingDialogProps = {
  /** Null: a new one. */
  mapping: GroupMapping | null;
  onRemove: (mapping: GroupMapping) => void;
  onClose: () => void;
};

type MappingValues = Pick<GroupMapping, 'kind' | 'match' | 'name' | 'roles'>;

const emptyMapping: MappingValues = { kind: 'group', match: 'exact', name: '', roles: [] };

/** Maps a group to roles; shows whom that concerns before it is saved. */
export function MappingDialog({ mapping, onRemove, onClose }: MappingDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const listId = useId();
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
    onClose,
  });
  const draft = form.values;
  const { kind, match, name, roles } = draft;
  const [asked, setAsked] = useState(false);
  const known = useQuery(groupsQuery(api, kind, useDebounced(name).value.trim().slice(0, 200)));
  const whole = name !== '' && roles.length > 0;
  const problems = problemsOf(t, form.error, mappingWords);
  const rolesMissing = asked && roles.length === 0;

  return (
    <EditDialog
      kind="wide"
      title={t(mapping === null ? 'ROLES_AND_RIGHTS.GROUP.ADD' : 'ROLES_AND_RIGHTS.GROUP.EDIT')}
      form={form}
      problem={problems.general}
      onSave={() => {
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
        requiredMark={t('COMMON.REQUIRED')}
        hint={t('ROLES_AND_RIGHTS.GROUP.NAME_HINT')}
        error={
          problems.name ??
          (asked && name === '' ? t('ROLES_AND_RIGHTS.ERRORS.TEXT', { most: mostOfGroup }) : null)
        }
      >
        {(control) => (
          <>
            <TextInput
              {...control}
              list={listId}
              autoComplete="off"
              spellCheck={false}
              maxLength={500}
              value={name}
              onValue={(value) => form.set({ name: value })}
            />
            <datalist id={listId}>
              {(known.data?.groups ?? []).map((group) => (
                <option key={group.name} value={group.name}>
                  {t('ROLES_AND_RIGHTS.GROUP.PEOPLE', { count: group.people })}
                </option>
              ))}
            </datalist>
          </>
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
        {rolesMissing ? (
          <Notice severity="high" role="alert">
            {t('ROLES_AND_RIGHTS.GROUP.NO_ROLES')}
          </Notice>
        ) : null}
        <div className="right-choice">
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
        <MappingPreview
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

function MappingPreview({ change }: { change: ProposedChange }) {
  return <AffectedPeople {...usePreview(change)} />;
}
