import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedWork } from '#web/platform/forms/unsaved-work.ts';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { useCan } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { GroupsPanel } from './groups/groups-panel.tsx';
import { type Chosen, MatrixPanel } from './matrix/matrix-panel.tsx';
import { RightsPanel } from './own-rights/rights-panel.tsx';
import { RolesPanel } from './own-roles/roles-panel.tsx';
import './roles.css';

const parts = ['roles', 'matrix', 'groups', 'rights'] as const;
type Part = (typeof parts)[number];

/** The sources of rights: roles, groups of the identity provider, and the catalogue. */
export function RolesScreen() {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['show']);
  // It stays while another part is shown.
  const [chosen, setChosen] = useState<Chosen>(new Map());
  useUnsavedWork(chosen.size > 0);
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
      <nav className="parts" aria-label={t('ROLES_AND_RIGHTS.TITLE')}>
        {parts.map((one) => (
          <button
            key={one}
            type="button"
            className="part"
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
