import {
  changeLayer,
  layerAccess,
  type LayerAccess,
  type ManagedLayer,
} from '#features/map/contract/manage.ts';
import { RightInput } from '#features/permissions/web/right-input.tsx';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Field, SelectField, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { Checkbox } from '#web/ui/text-input.tsx';
import { mapLayersKey } from '../layers/layer-tree.ts';

type LayerDialogProps = { layer: ManagedLayer; gone: boolean; onClose: () => void };

const languages = ['en', 'de', 'fr'] as const;
const words = {
  fields: { right: 'MAP_LAYERS.ACCESS.REFUSED', titles: 'MAP_LAYERS.LAYER.TITLE_REFUSED' },
};

/** Edits the decisions about one layer. It saves against the version that was opened. */
export function LayerDialog({ layer, gone, onClose }: LayerDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { name, titles, access, onAtFirst } = layer;
  const isGroup = layer.holds.length > 0;
  const values = { access, right: layer.right ?? '', onAtFirst, titles };
  const form = useVersionedForm({
    saved: layer.version === null ? { values } : { values, version: layer.version },
    storedAs: `map-layer:${name}`,
    save: (now, version) =>
      api.call(changeLayer, {
        body: {
          name,
          ...sentAccess(now),
          onAtFirst: now.onAtFirst,
          titles: now.titles,
          version: layer.version === null ? null : version,
        },
      }),
    lists: mapLayersKey,
    onSaved(_saved, _sent, undo) {
      notifyUndoable(t, {
        key: `map-layer ${name}`,
        title: t('MAP_LAYERS.SAVED'),
        undo,
        problem: (error) => problemsOf(t, error, words).general,
      });
      onClose();
    },
    gone,
  });
  const problems = problemsOf(t, form.error, words);
  return (
    <FormDialog
      title={t('MAP_LAYERS.LAYER.TITLE', { layer: layer.title === '' ? name : layer.title })}
      form={form}
      problem={problems.general}
      onClose={onClose}
    >
      <p className="muted">
        <code dir="auto">{name}</code>
      </p>
      <AccessFields
        values={form.values}
        onValues={form.set}
        inherited={t('MAP_LAYERS.ACCESS.INHERITED')}
        problem={problems.right}
      />
      {isGroup ? (
        <p>{t('MAP_LAYERS.LAYER.GROUP_EXPLAINED')}</p>
      ) : (
        <Checkbox
          label={t('MAP_LAYERS.LAYER.ON_AT_FIRST')}
          hint={t('MAP_LAYERS.LAYER.ON_AT_FIRST_HINT')}
          {...form.check('onAtFirst')}
        />
      )}
      {languages.map((language) => (
        <TextField
          key={language}
          label={t(`MAP_LAYERS.LAYER.NAMES.${language.toUpperCase()}`)}
          error={language === 'en' ? problems.titles : undefined}
          maxLength={200}
          placeholder={layer.title}
          value={form.values.titles[language]}
          onValue={(title) => form.set({ titles: { ...form.values.titles, [language]: title } })}
        />
      ))}
    </FormDialog>
  );
}

type Access = { access: LayerAccess; right: string };
/** The access as it is sent: with a right only where the access asks for one. */
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
