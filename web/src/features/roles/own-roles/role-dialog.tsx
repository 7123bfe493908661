import { addRole, changeRole, type RoleDefinition } from '@portico/contract/rights-administration';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { HistoryLink } from '../../../platform/history-link.tsx';
import { useRightsWords } from '../../../platform/rights-words.ts';
import { useUnsavedWork } from '../../../platform/unsaved-work.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { EditDialog } from '../edit-dialog.tsx';
import { rightsProblems } from '../rights-problems.ts';
import { Touched, usePreview } from '../touched.tsx';
import { useRightsSaving } from '../use-rights-saving.ts';
import { RightChoice } from './right-choice.tsx';
import { roleKeyOf } from './role-key.ts';

export type RoleTask =
  | { what: 'look'; role: RoleDefinition }
  | { what: 'edit'; role: RoleDefinition }
  /** `from`: a role that is copied. */
  | { what: 'add'; from: RoleDefinition | null };

type RoleDialogProps = {
  task: RoleTask;
  /** Null: who looks may not write. */
  onCopy: ((role: RoleDefinition) => void) | null;
  onRemove: (role: RoleDefinition) => void;
  onClose: () => void;
};

/** One role: its name and its rights, and whom a change of them touches. */
export function RoleDialog({ task, onCopy, onRemove, onClose }: RoleDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const role = task.what === 'add' ? null : task.role;
  const source = role ?? (task.what === 'add' ? task.from : null);
  const copyOf = task.what === 'add' ? task.from : null;
  const first = {
    name:
      copyOf !== null
        ? t('ROLES_AND_RIGHTS.ROLE.COPY_OF', { name: words.role(copyOf.role) })
        : (source?.name ?? ''),
    description: source === null ? '' : source.builtIn ? words.roleHint(source.role) : source.description,
    rights: source?.rights ?? [],
  };
  const [name, setName] = useState(first.name);
  const [key, setKey] = useState<string | null>(null);
  const [description, setDescription] = useState(first.description);
  const [rights, setRights] = useState<readonly string[]>(first.rights);
  const shownKey = key ?? roleKeyOf(name);
  const looking = task.what === 'look';
  const changed =
    name !== first.name || description !== first.description || rights.join() !== first.rights.join();
  useUnsavedWork(!looking && changed);

  const save = useRightsSaving(
    () => {
      const body = { name, description, rights: [...rights] };
      return role === null
        ? api.call(addRole, { body: { role: shownKey, ...body } })
        : api.call(changeRole, { params: { role: role.role }, body: { ...body, version: role.version } });
    },
    { nameOf: (saved) => saved.name, onClose },
  );
  const taken = t('ROLES_AND_RIGHTS.ERRORS.ROLE_TAKEN');
  const problems = rightsProblems(t, save.error, { '/role': taken, '/name': taken });

  return (
    <EditDialog
      kind="wide"
      title={looking || role !== null ? words.role(role?.role ?? '') : t('ROLES_AND_RIGHTS.ROLE.ADD')}
      busy={save.isPending}
      problem={problems.general}
      onSave={looking ? null : () => save.mutate()}
      onRemove={task.what === 'edit' ? () => onRemove(task.role) : null}
      onClose={onClose}
      withCancel={task.what === 'add'}
      others={
        role === null || onCopy === null ? null : (
          <Button icon="copy" onClick={() => onCopy(role)}>
            {t('ROLES_AND_RIGHTS.ROLE.COPY')}
          </Button>
        )
      }
    >
      {role === null || role.builtIn ? null : <HistoryLink subject={role.role} />}
      {looking && role !== null && !role.builtIn && role.description !== '' ? (
        <p>{role.description}</p>
      ) : null}
      {looking && role?.builtIn === true ? (
        <Notice severity="info">{t('ROLES_AND_RIGHTS.ROLE.IS_BUILT_IN')}</Notice>
      ) : null}
      {looking ? null : (
        <>
          <div className="field-row">
            <Field
              label={t('ROLES_AND_RIGHTS.ROLE.NAME')}
              required
              requiredMark={t('COMMON.REQUIRED')}
              error={problems.field('/name')}
            >
              {(control) => <TextInput {...control} maxLength={60} value={name} onValue={setName} />}
            </Field>
            {role === null ? (
              <Field
                label={t('ROLES_AND_RIGHTS.ROLE.KEY')}
                required
                requiredMark={t('COMMON.REQUIRED')}
                hint={t('ROLES_AND_RIGHTS.ROLE.KEY_HINT')}
                error={problems.field('/role')}
              >
                {(control) => (
                  <TextInput
                    {...control}
                    maxLength={48}
                    spellCheck={false}
                    value={shownKey}
                    onValue={setKey}
                  />
                )}
              </Field>
            ) : null}
          </div>
          <Field label={t('ROLES_AND_RIGHTS.DESCRIPTION')} error={problems.field('/description')}>
            {(control) => (
              <TextInput {...control} maxLength={300} value={description} onValue={setDescription} />
            )}
          </Field>
        </>
      )}
      <RightChoice chosen={rights} onChosen={setRights} readOnly={looking} />
      {task.what === 'edit' ? <RolePreview role={task.role.role} rights={rights} /> : null}
    </EditDialog>
  );
}

function RolePreview({ role, rights }: { role: string; rights: readonly string[] }) {
  return <Touched {...usePreview({ change: 'set-role', role, rights: [...rights] })} />;
}
