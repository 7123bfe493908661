import { addRole, type RoleDefinition } from '#features/permissions/contract/administration.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { TextField } from '#web/ui/field.tsx';
import { EditDialog, useRightsForm } from '../edit-dialog.tsx';
import { roleWords } from '../problem-words.ts';
import { RightChoice } from './right-choice.tsx';

/** `key` is null until it is typed: until then it is derived from the name. */
type RoleValues = { name: string; key: string | null; description: string; rights: readonly string[] };

/** A new role, empty or as a copy of another one; its page opens once it is saved. */
export function RoleDialog({ from, onClose }: { from: RoleDefinition | null; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const navigate = useNavigate();
  const words = useRightsWords();
  const copied: RoleValues =
    from === null
      ? { name: '', key: null, description: '', rights: [] }
      : {
          name: t('ROLES_AND_RIGHTS.ROLE.COPY_OF', { name: words.role(from.role) }),
          key: null,
          description: words.roleHint(from.role),
          rights: from.rights,
        };
  const form = useRightsForm({
    saved: { values: copied },
    save: ({ name, key, description, rights }, _version, _extra, creation) =>
      api.call(
        addRole,
        { body: { role: key ?? roleKeyOf(name), name, description, rights: [...rights] } },
        creation,
      ),
    nameOf: (saved) => saved.name,
    onSaved({ role }) {
      onClose();
      void navigate({ to: `/roles/${role}` });
    },
  });
  const { name, key, rights } = form.values;
  const problems = problemsOf(t, form.error, roleWords);
  return (
    <EditDialog
      kind="wide"
      title={t('ROLES_AND_RIGHTS.ROLE.ADD')}
      action={t('ROLES_AND_RIGHTS.ROLE.CREATE')}
      form={form}
      problem={problems.general}
      onRemove={null}
      onClose={onClose}
    >
      <TextField
        label={t('ROLES_AND_RIGHTS.ROLE.NAME')}
        required
        error={problems.name}
        maxLength={60}
        {...form.field('name')}
      />
      <TextField
        label={t('ROLES_AND_RIGHTS.ROLE.KEY')}
        required
        hint={t('ROLES_AND_RIGHTS.ROLE.KEY_HINT')}
        error={problems.role}
        maxLength={48}
        spellCheck={false}
        value={key ?? roleKeyOf(name)}
        onValue={(text) => form.set({ key: text })}
      />
      <TextField
        label={t('ROLES_AND_RIGHTS.DESCRIPTION')}
        error={problems.description}
        maxLength={300}
        {...form.field('description')}
      />
      <RightChoice chosen={rights} onChosen={(chosen) => form.set({ rights: chosen })} />
    </EditDialog>
  );
}

/** A key for a role of that name: lower-case letters, digits and `-`. */
export function roleKeyOf(name: string): string {
  const key = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
    .slice(0, 48);
  return key === '' ? '' : key.replace(/-+$/, '');
}
