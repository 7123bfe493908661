import { role, type Role } from '@portico/contract/permissions';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { Checkbox } from '../../ui/text-input.tsx';

type RoleChoiceProps = {
  chosen: readonly Role[];
  onChosen: (roles: Role[]) => void;
  disabled?: boolean;
};

/** Which roles somebody has, each with what it is for. */
export function RoleChoice({ chosen, onChosen, disabled = false }: RoleChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="choice" disabled={disabled}>
      <legend>{t('PEOPLE.ROLES')}</legend>
      {role.options.map((one) => (
        <Checkbox
          key={one}
          label={t(`ROLES.${catalogueKey(one)}.LABEL`)}
          hint={t(`ROLES.${catalogueKey(one)}.DESCRIPTION`)}
          checked={chosen.includes(one)}
          onChecked={(checked) =>
            onChosen(role.options.filter((other) => (other === one ? checked : chosen.includes(other))))
          }
        />
      ))}
    </fieldset>
  );
}
