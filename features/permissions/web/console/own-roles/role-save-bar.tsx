import type { RoleDefinition } from '#features/permissions/contract/administration.ts';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Problem } from '#web/ui/notice.tsx';
import { FormSaveBar, SaveBar } from '#web/ui/save-bar.tsx';
import { AffectedPeople, changeOf } from '../affected-people.tsx';

type RoleSaveBarProps = {
  role: RoleDefinition;
  /** The rights that were chosen and are not saved. */
  rights: readonly string[];
  problem: string | null | undefined;
  onSave: () => void;
} & (Pick<ComponentProps<typeof FormSaveBar>, 'form'> | { busy: boolean; onDiscard: () => void });

/** What was changed in a role and is not saved, and whom it concerns. */
export function RoleSaveBar({ role, rights, problem, onSave, ...saving }: RoleSaveBarProps) {
  const { t } = useTranslation();
  const name = useRightsWords().role(role.role);
  const change = changeOf(role.rights, rights);
  const label = t('ROLES_AND_RIGHTS.MATRIX.UNSAVED', { name });
  const affected =
    change === null ? null : (
      <AffectedPeople change={{ change: 'set-role', role: role.role, rights: [...rights] }} />
    );
  const what = (
    <>
      <b>{name}</b> {change === null ? null : t('ROLES_AND_RIGHTS.ROLE.CHANGE', change)}
    </>
  );
  return 'form' in saving ? (
    <FormSaveBar form={saving.form} label={label} problem={problem} onSave={onSave} above={affected}>
      {what}
    </FormSaveBar>
  ) : (
    <SaveBar
      {...saving}
      label={label}
      typed
      action={t('EDITING.SAVE')}
      onSave={onSave}
      above={
        <>
          <Problem>{problem}</Problem>
          {affected}
        </>
      }
    >
      {what}
    </SaveBar>
  );
}
