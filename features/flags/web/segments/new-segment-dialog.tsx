import { createSegment, segmentKind, type SegmentKind } from '#features/flags/contract/segments.ts';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { SuggestField } from '#web/ui/suggest-input.tsx';
import { flagsKey } from '../console/flags-query.ts';
import { useAttributeOptions } from '../console/known-values.ts';

export const segmentWords: ProblemWords<'name' | 'description' | 'attribute' | 'values' | 'condition'> = {
  fields: {
    name: 'SEGMENTS.ERRORS.NAME',
    description: 'FLAGS.ERRORS.DESCRIPTION',
    attribute: 'SEGMENTS.ERRORS.ATTRIBUTE',
    values: {
      too_big: 'SEGMENTS.ERRORS.TOO_MANY',
      too_long: 'SEGMENTS.ERRORS.TOO_LONG',
      type: 'SEGMENTS.ERRORS.NUMBERS',
      else: 'SEGMENTS.ERRORS.VALUES',
    },
    condition: (t, { code, message }, place) =>
      code === 'cycle'
        ? t('SEGMENTS.ERRORS.CYCLE')
        : t('FLAGS.ERRORS.RULE_AT', { place: place || '/', message }),
  },
  codes: { VERSION_CONFLICT: 'EDITING.CONFLICT', TOO_LARGE: 'SEGMENTS.ERRORS.TOO_MANY' },
};

const emptyDraft: { name: string; kind: SegmentKind; attribute: string } = {
  name: '',
  kind: 'list',
  attribute: 'id',
};

type NewSegmentDialogProps = { onClose: () => void; onCreated: (id: string) => void };

/** Creates an empty list, or a condition that everyone meets; both are filled on its page. */
export function NewSegmentDialog({ onClose, onCreated }: NewSegmentDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const attributes = useAttributeOptions();
  const form = useVersionedForm({
    saved: { values: emptyDraft },
    save: (values, _version, _extra, creation) =>
      api.call(createSegment, { body: { ...values, description: '', numbers: false } }, creation),
    lists: flagsKey,
    onSaved({ id }) {
      onClose();
      onCreated(id);
    },
  });
  const { kind } = form.values;
  const problems = problemsOf(t, form.error, segmentWords);
  return (
    <FormDialog
      title={t('SEGMENTS.NEW')}
      form={form}
      problem={problems.general}
      action={t('SEGMENTS.CREATE')}
      onClose={onClose}
    >
      <TextField
        label={t('SEGMENTS.NAME')}
        hint={t('SEGMENTS.NAME_HINT')}
        required
        error={problems.name}
        autoComplete="off"
        maxLength={100}
        {...form.field('name')}
      />
      <SelectField
        label={t('SEGMENTS.KIND')}
        hint={t(`SEGMENTS.KINDS.${catalogueKey(kind)}_HINT`)}
        {...form.field('kind')}
        options={segmentKind.options.map((value) => ({
          value,
          label: t(`SEGMENTS.KINDS.${catalogueKey(value)}`),
        }))}
      />
      {kind === 'list' ? (
        <SuggestField
          label={t('SEGMENTS.ATTRIBUTE')}
          hint={t('SEGMENTS.ATTRIBUTE_HINT')}
          required
          error={problems.attribute}
          autoCapitalize="none"
          maxLength={200}
          options={attributes}
          {...form.field('attribute')}
        />
      ) : null}
    </FormDialog>
  );
}
