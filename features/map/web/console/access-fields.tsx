import { RightInput } from '#features/permissions/web/right-input.tsx';
import { layerAccess, type LayerAccess } from '#features/map/contract/manage.ts';
import { useTranslation } from 'react-i18next';
import { Field, SelectField } from '#web/ui/field.tsx';

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

/** The access to a layer, or to the layers of a workspace. */
export function AccessFields({ values, onValues, inherited, problem }: AccessFieldsProps) {
  const { t } = useTranslation();
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
            <RightInput {...control} value={values.right} onValue={(right) => onValues({ right })} />
          )}
        </Field>
      ) : null}
    </>
  );
}
