import type { FlagRule, FlagType } from '#features/flags/contract/flags.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#web/ui/button.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { Checkbox, Select } from '#web/ui/text-input.tsx';
import { ConditionBuilder, Row } from './condition-builder.tsx';
import { emptyRow, isObject, type ConditionRow } from './condition-model.ts';
import { emptyValue } from './flag-form.ts';
import { flagsQuery } from './flags-query.ts';
import { JsonPart } from './json-part.tsx';
import { distributing } from './known-values.ts';
import {
  equalWeights,
  partsOf,
  ruleOf,
  withoutVariation,
  withVariation,
  withWeight,
  type Prerequisite,
  type RuleParts,
} from './rule-parts.ts';
import { percent } from './describe-rule.ts';
import { Steps, When } from './rule-timing.tsx';
import { SplitBar } from './who-gets-what.tsx';
import { NumberInput, ValueInput } from './value-input.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type RuleEditorProps = {
  flagKey: string;
  type: FlagType;
  rule: FlagRule;
  onRule: (rule: FlagRule) => void;
};

type PartProps = { type: FlagType; parts: RuleParts; onParts: (parts: RuleParts) => void };

/** The fields of a rule: whom it is for, which value they get, and which share of them gets it. */
export function RuleEditor({ flagKey, type, rule, onRule }: RuleEditorProps) {
  const { t } = useTranslation();
  const parts = partsOf(rule);
  const onParts = (next: RuleParts) => onRule(ruleOf(next));
  const { condition, prerequisites = [], rest } = parts;
  return (
    <div className="rule-editor stack gap-5">
      <Part title={t('FLAGS.RULE.WHO')}>
        {condition === undefined ? null : (
          <ConditionBuilder
            label={t('FLAGS.RULE.WHO')}
            node={condition}
            onNode={(next) => onParts({ ...parts, condition: next ?? undefined })}
          />
        )}
        {prerequisites.map((prerequisite, index) => (
          <PrerequisiteRow
            key={index}
            flagKey={flagKey}
            prerequisite={prerequisite}
            onChange={(next) =>
              onParts({
                ...parts,
                prerequisites:
                  next === null && prerequisites.length === 1
                    ? undefined
                    : prerequisites.flatMap((each, at) => (at === index ? (next ?? []) : each)),
              })
            }
          />
        ))}
        <div className="row wrap gap-1">
          {condition !== undefined || 'condition' in rest ? null : (
            <Button
              small
              tone="quiet"
              icon="plus"
              onClick={() =>
                onParts({ ...parts, condition: { kind: 'group', join: 'fields', children: [emptyRow] } })
              }
            >
              {t('FLAGS.RULE.ADD_CONDITION')}
            </Button>
          )}
          {'parentConditions' in rest ? null : (
            <Button
              small
              tone="quiet"
              icon="plus"
              onClick={() => onParts({ ...parts, prerequisites: [...prerequisites, newPrerequisite] })}
            >
              {t('FLAGS.RULE.ADD_PREREQUISITE')}
            </Button>
          )}
        </div>
      </Part>
      <Share type={type} parts={parts} onParts={onParts} />
      <Part title={t('FLAGS.RULE.WHEN')}>
        <When parts={parts} onParts={onParts} />
      </Part>
      <Given type={type} parts={parts} onParts={onParts} />
      {/* An id alone tells a rule from others to programs; it is no setting. */}
      {Object.keys(rest).every((name) => name === 'id') ? null : (
        <Part title={t('FLAGS.RULE.FURTHER')} hint={t('FLAGS.RULE.FURTHER_HINT')}>
          <JsonPart
            aria-label={t('FLAGS.RULE.FURTHER')}
            rows={10}
            value={rest}
            accepts={isObject}
            onValue={(next) => onRule(ruleOf({ ...parts, rest: next as Record<string, unknown> }))}
          />
        </Part>
      )}
    </div>
  );
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="stack gap-2" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint === undefined ? null : <p className="muted small">{hint}</p>}
      {children}
    </section>
  );
}

/** The share of people that the rule is for. */
function Share({ parts, onParts }: PartProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const { coverage, hashAttribute, ramp, result, rest } = parts;
  if (
    result.kind === 'nothing' ||
    'ramp' in rest ||
    ['coverage', 'range', 'ranges', 'hashAttribute'].some((name) => name in rest)
  )
    return null;
  const isSplit = result.kind === 'split';
  const isPart = coverage !== undefined || ramp !== undefined;
  const by = hashAttribute === undefined || hashAttribute === '' ? 'id' : hashAttribute;
  const share = Math.round((coverage ?? 1) * 10_000) / 100;
  const set = (next: number) => onParts({ ...parts, coverage: Math.min(1, Math.max(0, next / 100)) });
  return (
    <Part title={t('FLAGS.RULE.SHARE')}>
      <Checkbox
        label={t('FLAGS.RULE.SHARE_PART')}
        hint={t('FLAGS.RULE.SHARE_HINT')}
        checked={isPart}
        onChecked={(checked) =>
          onParts({
            ...parts,
            coverage: checked ? 0.2 : undefined,
            ramp: undefined,
            hashAttribute: checked || isSplit ? (hashAttribute ?? 'id') : undefined,
          })
        }
      />
      {coverage !== undefined && ramp === undefined ? (
        <div className="row">
          <input
            type="range"
            className="grow"
            aria-label={t('FLAGS.RULE.SHARE')}
            aria-valuetext={percent(coverage, locale)}
            min={0}
            max={100}
            step={1}
            value={share}
            onChange={(event) => set(Number(event.currentTarget.value))}
          />
          <span className="share-number row">
            <NumberInput
              label={t('FLAGS.RULE.SHARE')}
              value={share}
              minimum={0}
              maximum={100}
              onValue={set}
            />
            <span aria-hidden="true">{'%'}</span>
          </span>
        </div>
      ) : null}
      {isPart && result.kind === 'value' ? <Steps parts={parts} onParts={onParts} /> : null}
      {isPart || isSplit ? <By by={by} onBy={(next) => onParts({ ...parts, hashAttribute: next })} /> : null}
    </Part>
  );
}

function By({ by, onBy }: { by: string; onBy: (by: string) => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="rule-by row">
      <label htmlFor={id}>{t('FLAGS.RULE.BY')}</label>
      <SuggestInput
        id={id}
        autoCapitalize="none"
        maxLength={200}
        value={by}
        onValue={onBy}
        options={distributing.map((name) => ({ key: name, label: name }))}
      />
    </div>
  );
}

/** The result of the rule: one value, or several values with weights. */
function Given({ type, parts, onParts }: PartProps) {
  const { t } = useTranslation();
  const { result, hashAttribute, coverage, rest } = parts;
  if (
    ['variations', 'contextualVariations', 'weights', 'ranges'].some((name) => name in rest) &&
    result.kind !== 'split'
  )
    return result.kind === 'value' ? (
      <Part title={t('FLAGS.RULE.GIVES')}>
        <ValueInput
          type={type}
          aria-label={t('FLAGS.RULE.GIVES')}
          value={result.value}
          onValue={(value) => onParts({ ...parts, result: { kind: 'value', value } })}
        />
      </Part>
    ) : null;
  const first: unknown =
    result.kind === 'value' ? result.value : result.kind === 'split' ? result.variations[0] : undefined;
  const value = first === undefined ? emptyValue(type) : first;
  // A rule with several values has a fixed share, so its ramp is removed.
  const withoutRamp = parts.ramp === undefined ? {} : { ramp: undefined, coverage: 1 };
  function choose(kind: string): void {
    const other = type === 'boolean' ? value !== true : value;
    if (kind === 'value')
      onParts({
        ...parts,
        result: { kind, value },
        hashAttribute: coverage === undefined && parts.ramp === undefined ? undefined : hashAttribute,
      });
    else if (kind === 'split')
      onParts({
        ...parts,
        result: { kind, variations: [value, other], weights: equalWeights(2) },
        hashAttribute: hashAttribute ?? 'id',
        ...withoutRamp,
      });
    else onParts({ ...parts, result: { kind: 'nothing' }, coverage: undefined, ramp: undefined });
  }
  const isGate = (parts.prerequisites ?? []).some(({ gate }) => gate === true);
  return (
    <Part title={t('FLAGS.RULE.GIVES')}>
      <div className="rule-gives row wrap">
        <Select
          aria-label={t('FLAGS.RULE.GIVES_WHAT')}
          value={result.kind}
          onValue={choose}
          options={[
            { value: 'value', label: t('FLAGS.RULE.ONE_VALUE') },
            { value: 'split', label: t('FLAGS.RULE.SEVERAL_VALUES') },
            ...(result.kind === 'nothing' || isGate
              ? [{ value: 'nothing' as const, label: t('FLAGS.RULE.NO_VALUE') }]
              : []),
          ]}
        />
        {result.kind === 'value' ? (
          <ValueInput
            type={type}
            aria-label={t('FLAGS.RULE.VALUE')}
            value={result.value}
            onValue={(next) => onParts({ ...parts, result: { kind: 'value', value: next } })}
          />
        ) : null}
      </div>
      {result.kind === 'split' ? <Variations type={type} parts={parts} onParts={onParts} /> : null}
    </Part>
  );
}

function Variations({ type, parts, onParts }: PartProps) {
  const { t } = useTranslation();
  const { result, coverage = 1, rest } = parts;
  if (result.kind !== 'split') return null;
  const { variations } = result;
  const weights = result.weights ?? equalWeights(Math.max(1, variations.length));
  const isFixed = 'ranges' in rest || 'weights' in rest;
  return (
    <>
      <SplitBar
        parts={weights.map((weight, index) => ({ value: variations[index], share: weight * coverage }))}
      />
      <ol className="variations stack gap-2">
        {variations.map((value, index) => (
          <li key={index} className="row">
            <i className="variation-mark round rigid" data-part={index % 6} aria-hidden="true" />
            <ValueInput
              type={type}
              aria-label={t('FLAGS.RULE.VARIATION', { number: index + 1 })}
              value={value}
              onValue={(next) =>
                onParts({
                  ...parts,
                  result: {
                    ...result,
                    variations: variations.map((each, at) => (at === index ? next : each)),
                  },
                })
              }
            />
            {isFixed ? null : (
              <span className="share-number row">
                <NumberInput
                  label={t('FLAGS.RULE.WEIGHT', { number: index + 1 })}
                  value={Math.round((weights[index] ?? 0) * 10_000) / 100}
                  minimum={0}
                  maximum={100}
                  disabled={variations.length < 2}
                  onValue={(next) =>
                    onParts({
                      ...parts,
                      result: { ...result, weights: withWeight(weights, index, next / 100) },
                    })
                  }
                />
                <span aria-hidden="true">{'%'}</span>
              </span>
            )}
            {variations.length <= 2 ? null : (
              <IconButton
                icon="close"
                small
                label={t('FLAGS.RULE.REMOVE_VARIATION', { number: index + 1 })}
                onClick={() => onParts(withoutVariation(parts, index))}
              />
            )}
          </li>
        ))}
      </ol>
      {variations.length >= 100 ? null : (
        <div>
          <Button
            small
            tone="quiet"
            icon="plus"
            onClick={() => onParts(withVariation(parts, emptyValue(type)))}
          >
            {t('FLAGS.RULE.ADD_VARIATION')}
          </Button>
        </div>
      )}
    </>
  );
}

const isTrue: ConditionRow = { kind: 'row', attribute: 'value', operator: 'is', operand: true };
const newPrerequisite: Prerequisite = { id: '', condition: isTrue, gate: undefined, rest: {} };

type PrerequisiteRowProps = {
  flagKey: string;
  prerequisite: Prerequisite;
  /** Null: it is removed. */
  onChange: (next: Prerequisite | null) => void;
};

/** The fields for a prerequisite: another flag, and the value that it must have. */
function PrerequisiteRow({ flagKey, prerequisite, onChange }: PrerequisiteRowProps) {
  const { t } = useTranslation();
  const flags = useQuery(flagsQuery);
  const { condition, gate = false } = prerequisite;
  const row = valueRow(prerequisite);
  return (
    <div className="inset stack gap-2" role="group" aria-label={t('FLAGS.RULE.PREREQUISITE')}>
      <div className="condition-row row wrap">
        <span>{t('FLAGS.RULE.FLAG')}</span>
        <SuggestInput
          aria-label={t('FLAGS.RULE.PREREQUISITE')}
          maxLength={101}
          value={prerequisite.id}
          onValue={(next) => onChange({ ...prerequisite, id: next })}
          options={(flags.data?.flags ?? [])
            .filter(({ key }) => key !== flagKey)
            .map(({ key, description }) => ({ key, label: key, hint: description }))}
        />
        {row === null ? null : (
          <Row
            subject="value"
            node={row}
            onNode={(next) => onChange({ ...prerequisite, condition: { ...next, attribute: 'value' } })}
          />
        )}
        <IconButton
          icon="close"
          small
          label={t('FLAGS.RULE.REMOVE_PREREQUISITE')}
          onClick={() => onChange(null)}
        />
      </div>
      {row !== null || condition === undefined ? null : (
        <ConditionBuilder
          label={t('FLAGS.RULE.PREREQUISITE')}
          node={condition}
          onNode={(next) => onChange({ ...prerequisite, condition: next ?? isTrue })}
        />
      )}
      <Checkbox
        label={t('FLAGS.RULE.GATE')}
        hint={t('FLAGS.RULE.GATE_HINT')}
        checked={gate}
        onChecked={(checked) => onChange({ ...prerequisite, gate: checked ? true : undefined })}
      />
    </div>
  );
}

/** The row of a condition that only compares the other flag's value once; null for any other condition. */
function valueRow({ condition }: Prerequisite): ConditionRow | null {
  if (condition === undefined) return null;
  const children =
    condition.kind === 'group' && condition.join === 'fields' ? condition.children : [condition];
  const [only, ...more] = children;
  return only?.kind === 'row' && only.attribute === 'value' && more.length === 0 ? only : null;
}
