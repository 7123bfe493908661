import type { FieldProblem } from '#contract/problem.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Field } from '#web/ui/field.tsx';
import { JsonInput } from '#web/ui/json-input.tsx';
import { FlagDetailFields } from './flag-detail-fields.tsx';
import { definitionForType, jsonOf, type Definition, type FlagForm } from './flag-form.ts';
import type { FlagProblems } from './flag-words.ts';
import { useMistakes } from './json-part.tsx';
import { RulesList } from './rules-list.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { getFlagUsage, type FlagUsage as Usage } from '#features/flags/contract/usage.ts';
import { useQuery } from '@tanstack/react-query';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { CountBars } from '#web/ui/count-bars.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PeriodChoice } from '#web/ui/period-choice.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { flagsKey } from './flags-query.ts';
import { useFormats } from '#web/platform/contexts.tsx';

const tabs = ['rules', 'json', 'details', 'use', 'history'] as const;

type FlagTabsProps = {
  flagKey: string;
  /** The content of the history tab. */
  history: ReactNode;
  form: { values: FlagForm; set: (change: Partial<FlagForm>) => void };
  /** Null: the JSON is not a definition. */
  definition: Definition | null;
  mayWrite: boolean;
  /** The flag's version if the form equals the saved flag; null: it differs, or may not be changed. */
  version: number | null;
  problems: FlagProblems;
  /** The problems in the current definition. */
  ofRules: readonly FieldProblem[];
  decisive: number | null | undefined;
};

/** The tabs of a flag. Three of them edit the same form: the rules, the same rules as JSON, and the details. */
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
          copyLabel={t('FLAGS.JSON.COPY')}
          mistakeIn={mistakeIn}
          disabled={!mayWrite}
        />
      )}
    </Field>
  );
}

/** Whether code still reads a flag, and how often each value was given (FLAG-16). */
function FlagUsage({ flagKey }: { flagKey: string }) {
  const { t } = useTranslation();
  const answer = useQuery({
    ...routeQuery([...flagsKey, 'usage', flagKey], getFlagUsage, { params: { flagKey } }),
    refetchInterval: 60_000,
  });
  const usage = answer.data;
  return (
    <ListFrame
      texts="FLAGS.USE"
      {...listState(t, answer)}
      skeletonRows={4}
      count={usage === undefined ? 0 : 1}
    >
      {usage === undefined ? null : (
        <div className="stack gap-4">
          <Verdict usage={usage} />
          <Course usage={usage} />
          <Parts usage={usage} />
        </div>
      )}
    </ListFrame>
  );
}

function Verdict({ usage: { verdict, lastRead, silent, safeToRemove } }: { usage: Usage }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const why =
    verdict !== 'not-known'
      ? t(`FLAGS.USE.WHY.${catalogueKey(verdict)}`)
      : silent.length === 0
        ? t('FLAGS.USE.WHY.TOO_SHORT')
        : t('FLAGS.USE.WHY.SILENT', { count: silent.length, names: formats.list(silent) });
  return (
    <div className="stack gap-2">
      <p className="row wrap gap-2">
        <Tag>{t(`FLAGS.USE.VERDICTS.${catalogueKey(verdict)}`)}</Tag>
        {lastRead === null ? null : (
          <span className="muted">
            {t('FLAGS.USE.LAST')} <Time at={lastRead} formats={formats} />
          </span>
        )}
      </p>
      {safeToRemove ? (
        <Notice severity="info" title={t('FLAGS.USE.SAFE')}>
          {t('FLAGS.USE.SAFE_TEXT')}
        </Notice>
      ) : (
        <p className="muted">{why}</p>
      )}
    </div>
  );
}

const halfDay = 43_200_000;

/** The evaluations of 30 days or of 24 hours, and the results seen above them. */
function Course({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const countsOf = useCounts();
  const [period, setPeriod] = useState<'days' | 'hours'>('days');
  const steps = usage[period];
  // Days are in UTC; noon in UTC falls on the same date for most readers.
  const timeOf = (at: number) => (period === 'hours' ? formats.dateTime(at) : formats.date(at + halfDay));
  const sum = (of: 'evaluations' | 'seen') => steps.reduce((all, step) => all + step[of], 0);
  const all = { evaluations: sum('evaluations'), seen: sum('seen') };
  const long = t(`FLAGS.USE.PERIODS.${period.toUpperCase()}.LONG`);
  return (
    <div className="stack gap-2">
      <PeriodChoice
        label={t('FLAGS.USE.PERIOD')}
        value={period}
        onValue={setPeriod}
        periods={(['hours', 'days'] as const).map((value) => ({
          value,
          short: t(`FLAGS.USE.PERIODS.${value.toUpperCase()}.SHORT`),
          long: t(`FLAGS.USE.PERIODS.${value.toUpperCase()}.LONG`),
        }))}
      />
      <CountBars
        label={t('FLAGS.USE.COUNTED', { time: long, counts: countsOf(all) })}
        bars={steps.map(({ at, evaluations, seen }) => ({
          text: t('FLAGS.USE.COUNTED', { time: timeOf(at), counts: countsOf({ evaluations, seen }) }),
          value: evaluations,
          above: seen,
        }))}
        top={formats.number}
        ends={[steps[0], steps[Math.floor(steps.length / 2)], steps.at(-1)].map((step) =>
          period === 'hours' ? formats.time(step?.at ?? 0) : formats.date((step?.at ?? 0) + halfDay),
        )}
        legend={{ value: t('FLAGS.USE.EVALUATIONS'), above: t('FLAGS.USE.SEEN') }}
      />
      <p className="muted small">{t('FLAGS.USE.HINT')}</p>
    </div>
  );
}

/** The counts of 30 days by value and by client key. */
function Parts({ usage: { values, keys } }: { usage: Usage }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const countsOf = useCounts();
  if (values.length === 0) return null;
  return (
    <>
      <section className="stack gap-2">
        <h2>{t('FLAGS.USE.VALUES')}</h2>
        <ul className="flag-clients rows">
          {values.map(({ value, ...counts }) => (
            <li key={value}>
              {value === '' ? <span>{t('FLAGS.USE.OTHER')}</span> : <code dir="auto">{value}</code>}
              <small className="muted">{countsOf(counts)}</small>
            </li>
          ))}
        </ul>
      </section>
      <section className="stack gap-2">
        <h2>{t('FLAGS.USE.KEYS')}</h2>
        <ul className="flag-clients rows">
          {keys.map(({ name, lastAt, sdks, ...counts }) => (
            <li key={name}>
              <span dir="auto">{[name, ...sdks].join(' · ')}</span>
              <small className="muted">
                {countsOf(counts)}
                {' · '}
                <Time at={lastAt} formats={formats} />
              </small>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function useCounts() {
  const { t } = useTranslation();
  const { number } = useFormats();
  return ({ evaluations, seen }: { evaluations: number; seen: number }) =>
    [
      ...(evaluations > 0 || seen === 0
        ? [t('FLAGS.USE.EVALUATED', { count: evaluations, number: number(evaluations) })]
        : []),
      ...(seen > 0 ? [t('FLAGS.USE.RESULTS', { count: seen, number: number(seen) })] : []),
    ].join(', ');
}
