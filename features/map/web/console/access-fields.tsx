import { layerAccess, type LayerAccess } from '#features/map/contract/manage.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Field, SelectField } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

export type Access = { access: LayerAccess; right: string };
/** As it is sent: a right only where one is asked for. */
export const sentAccess = ({ access, right }: Access) => ({
  access,
  right: access === 'right' ? right : null,
});

type AccessFieldsProps = {
  values: Access;
  onValues: (values: Partial<Access>) => void;
  /** What `inherited` means here. */
  inherited: string;
  problem: string | undefined;
};

/** There may be 10,000 rights. */
const mostSuggested = 60;

/** The access to a layer, or to the layers of a workspace. */
export function AccessFields({ values, onValues, inherited, problem }: AccessFieldsProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const list = useId();
  const typed = values.right.toLowerCase();
  const suggested = words.rights
    .filter(({ right }) => `${right}\n${words.right(right)}`.toLowerCase().includes(typed))
    .slice(0, mostSuggested);
  return (
    <>
      <SelectField
        label={t('MAP_LAYERS.ACCESS.LABEL')}
        value={values.access}
        onValue={(access) => onValues({ access })}
        options={layerAccess.options.map((value) => ({
          value,
          label: value === 'inherited' ? inherited : t(`MAP_LAYERS.ACCESS.${value.toUpperCase()}`),
        }))}
      />
      {values.access === 'right' ? (
        <Field label={t('MAP_LAYERS.ACCESS.WHICH')} hint={t('MAP_LAYERS.ACCESS.WHICH_HINT')} error={problem}>
          {(control) => (
            <>
              <TextInput
                {...control}
                list={list}
                autoComplete="off"
                spellCheck={false}
                maxLength={100}
                value={values.right}
                onValue={(right) => onValues({ right: right.toUpperCase().replaceAll(/[\s-]+/g, '_') })}
              />
              <datalist id={list}>
                {suggested.map(({ right }) => (
                  <option key={right} value={right}>
                    {words.right(right)}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
      ) : null}
    </>
  );
}
