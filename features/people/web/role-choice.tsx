import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { RetryNotice } from '#web/ui/states.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import './people.css';

type RoleChoiceProps = {
  chosen: readonly string[];
  onChosen: (roles: string[]) => void;
  disabled?: boolean;
};

/** The roles of a person, each with what it is for. */
export function RoleChoice({ chosen, onChosen, disabled = false }: RoleChoiceProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  return (
    <fieldset className="choice" disabled={disabled}>
      <legend>{t('PEOPLE.ROLES')}</legend>
      {words.missing.roles === null ? null : (
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...words.missing.roles }}>
          {t('PEOPLE.ROLES_FAILED')}
        </RetryNotice>
      )}
      <div className="role-choice scrolls stack gap-2">
        {words.roles.map(({ role }) => (
          <Checkbox
            key={role}
            label={words.role(role)}
            hint={words.roleHint(role)}
            checked={chosen.includes(role)}
            onChecked={(checked) =>
              onChosen(
                checked
                  ? words.roles.map((one) => one.role).filter((one) => one === role || chosen.includes(one))
                  : chosen.filter((one) => one !== role),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
