import type { RoleDefinition } from '#features/permissions/contract/administration.ts';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Problem } from '#web/ui/notice.tsx';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { AffectedPeople, changeOf, usePreview } from '../affected-people.tsx';

type RoleSaveBarProps = {
  role: RoleDefinition;
  /** Those that were chosen and are not saved. */
  rights: readonly string[];
  busy: boolean;
  problem: string | null | undefined;
  onDiscard: () => void;
  onSave: () => void;
};

/** What was changed in a role and is not saved, and whom it concerns. */
export function RoleSaveBar(props: RoleSaveBarProps) {
  const { role, rights, busy, problem, onDiscard, onSave } = props;
  const { t } = useTranslation();
  const name = useRightsWords().role(role.role);
  const change = changeOf(role.rights, rights);
  const preview = usePreview({ change: 'set-role', role: role.role, rights: [...rights] });
  return (
    <SaveBar
      label={t('ROLES_AND_RIGHTS.MATRIX.UNSAVED', { name })}
      typed
      busy={busy}
      action={t('EDITING.SAVE')}
      onSave={onSave}
      onDiscard={onDiscard}
      above={
        <>
          <Problem>{problem}</Problem>
          {change === null ? null : <AffectedPeople {...preview} />}
        </>
      }
    >
      <b>{name}</b> {change === null ? null : t('ROLES_AND_RIGHTS.ROLE.CHANGE', change)}
    </SaveBar>
  );
}
