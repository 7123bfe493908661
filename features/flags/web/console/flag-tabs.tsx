import type { FieldProblem } from '#contract/problem.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { Field } from '#web/ui/field.tsx';
import { JsonInput } from '#web/ui/json-input.tsx';
import { FlagDetailFields } from './flag-detail-fields.tsx';
import { definitionForType, jsonOf, type Definition, type FlagForm } from './flag-form.ts';
import { FlagUsage } from './flag-usage.tsx';
import type { FlagProblems } from './flag-words.ts';
import { useMistakes } from './json-part.tsx';
import { RulesList } from './rules-list.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const tabs = ['rules', 'json', 'details', 'use', 'history'] as const;

type FlagTabsProps = {
  flagKey: string;
  /** What the history tab shows. */
  history: ReactNode;
  form: { values: FlagForm; set: (change: Partial<FlagForm>) => void };
  /** Null: the JSON is none. */
  definition: Definition | null;
  mayWrite: boolean;
  /** Where the form is as it is saved; null: it is not, or may not be changed. */
  version: number | null;
  problems: FlagProblems;
  /** What is refused in the definition as it stands. */
  ofRules: readonly FieldProblem[];
  decisive: number | null | undefined;
};

/** One form in three parts: rules, the same as JSON, and what the flag is for. */
export function FlagTabs(props: FlagTabsProps) {
  const { flagKey, form, definition, mayWrite, problems, ofRules, decisive } = props;
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['tab']);
  const tab = tabs.find((one) => one === address.tab) ?? 'rules';
  return (
    <Tabs
      label={flagKey}
      tabs={tabs.map((key) => ({ key, label: t(`FLAGS.TABS.${catalogueKey(key)}`) }))}
      chosen={tab}
      onChoose={(key) => setAddress({ tab: key === 'rules' ? '' : key })}
    >
      {tab === 'history' ? (
        props.history
      ) : tab === 'use' ? (
        <FlagUsage flagKey={flagKey} />
      ) : tab === 'details' ? (
        <FlagDetailFields
          form={form.values}
          disabled={!mayWrite}
          problems={problems}
          onForm={(change) =>
            form.set({
              ...change,
              ...(change.type === undefined || definition === null
                ? {}
                : { json: jsonOf(definitionForType(change.type, definition)) }),
            })
          }
        />
      ) : tab === 'json' || definition === null ? (
        <DefinitionField
          {...props}
          hint={tab === 'json' ? t('FLAGS.DEFINITION_HINT') : t('FLAGS.ERRORS.DEFINITION')}
        />
      ) : (
        <RulesList
          flagKey={flagKey}
          type={form.values.type}
          definition={definition}
          onDefinition={(next) => form.set({ json: jsonOf(next) })}
          mayWrite={mayWrite}
          version={props.version}
          problems={ofRules}
          decisive={decisive}
        />
      )}
    </Tabs>
  );
}

/** The definition as JSON. */
function DefinitionField({ form, mayWrite, problems, ofRules, hint }: FlagTabsProps & { hint: string }) {
  const { t } = useTranslation();
  const mistakeIn = useMistakes();
  const [refused] = ofRules;
  const place = refused?.pointer ?? '';
  return (
    <Field
      label={t('FLAGS.DEFINITION')}
      hint={hint}
      error={
        problems.rules ??
        problems.defaultValue ??
        (refused === undefined ? undefined : t('FLAGS.ERRORS.RULE_AT', { place, message: refused.message }))
      }
    >
      {(control) => (
        <JsonInput
          {...control}
          rows={22}
          value={form.values.json}
          onValue={(json) => form.set({ json })}
          formatLabel={t('FLAGS.JSON.FORMAT')}
          mistakeIn={mistakeIn}
          disabled={!mayWrite}
        />
      )}
    </Field>
  );
}
