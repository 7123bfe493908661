import type { FlagRule, FlagType } from '#features/flags/contract/flags.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useDrag } from '#web/platform/lists/drag.ts';
import { emptyValue, type Definition } from './flag-form.ts';
import { RuleCard } from './rule-card.tsx';
import { ValueInput } from './value-input.tsx';

/** The largest number of rules that the contract accepts. */
const mostRules = 200;

type RulesListProps = {
  flagKey: string;
  type: FlagType;
  definition: Definition;
  onDefinition: (definition: Definition) => void;
  mayWrite: boolean;
  /** The flag's version if the form equals the saved flag; null: it differs, or may not be changed. */
  version: number | null;
  /** Parts that are refused, or evaluated differently from how they read, with their places. */
  problems: readonly FieldProblem[];
  /** The rule that decides the current trial; null: the default value; undefined: unknown. */
  decisive: number | null | undefined;
};

/** The rules in their order, each as a card, and the value for everyone else. */
export function RulesList(props: RulesListProps) {
  const { flagKey, type, definition, onDefinition, mayWrite, problems, decisive } = props;
  const { t } = useTranslation();
  const { rules } = definition;
  const [open, setOpen] = useState<number | null>(null);
  const [told, setTold] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<number | null>(null);
  const setRules = (next: readonly FlagRule[]) => onDefinition({ ...definition, rules: next });

  // The handle of the rule that was moved keeps the focus.
  useEffect(() => {
    if (focused.current === null) return;
    list.current?.querySelectorAll<HTMLElement>('.rule-grip')[focused.current]?.focus();
    focused.current = null;
  });

  function move(from: number, to: number): void {
    const moved = rules[from];
    if (moved === undefined || to < 0 || to >= rules.length || to === from) return;
    const without = rules.filter((_rule, index) => index !== from);
    setRules([...without.slice(0, to), moved, ...without.slice(to)]);
    if (open !== null) setOpen(openAfter(open, from, to));
    setTold(t('FLAGS.RULE.MOVED', { from: from + 1, to: to + 1, count: rules.length }));
    focused.current = to;
  }
  const drag = useDrag(list, move);

  function remove(index: number): void {
    setRules(rules.filter((_rule, at) => at !== index));
    setOpen(null);
  }

  function add(rule: FlagRule, at: number): void {
    setRules([...rules.slice(0, at), rule, ...rules.slice(at)]);
    setOpen(at);
  }

  return (
    <>
      <div className="rules panel">
        <ol ref={list} className="rules-list">
          {rules.map((rule, index) => (
            <RuleCard
              key={index}
              flagKey={flagKey}
              type={type}
              rule={rule}
              number={index + 1}
              count={rules.length}
              mayWrite={mayWrite}
              version={props.version}
              open={open === index}
              decides={decisive === index}
              problems={problems.filter(({ pointer }) => `${pointer}/`.startsWith(`/rules/${index}/`))}
              drag={drag(index)}
              onOpen={(next) => setOpen(next ? index : null)}
              onRule={(next) => setRules(rules.map((each, at) => (at === index ? next : each)))}
              onMove={(by) => move(index, index + by)}
              onDuplicate={() => add(rule, index + 1)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
        <Rest {...props} />
      </div>
      <p className="visually-hidden" role="status">
        {told}
      </p>
      {problems
        .filter(({ pointer }) => pointer === '/rules')
        .map(({ code, message }) => (
          <Notice key={code} severity="medium">
            {t('FLAGS.ERRORS.RULE_AT', { place: t('FLAGS.RULES'), message })}
          </Notice>
        ))}
      {mayWrite && rules.length < mostRules ? (
        <AddRule {...props} onAdd={(rule) => add(rule, rules.length)} />
      ) : null}
    </>
  );
}

/** The index of the open rule after a rule has moved from one index to another. */
function openAfter(open: number, from: number, to: number): number {
  if (open === from) return to;
  const without = open > from ? open - 1 : open;
  return without >= to ? without + 1 : without;
}

/** The value for people to whom no rule gives a value. */
function Rest({ type, definition, onDefinition, mayWrite, problems, decisive }: RulesListProps) {
  const { t } = useTranslation();
  const { rules, defaultValue } = definition;
  return (
    <div className="rule rule-rest middle gap-2-3" data-decides={decisive === null}>
      <span className="rule-number sunk round centered muted small strong" aria-hidden="true">
        <Icon name="people" size={12} />
      </span>
      <span className="rule-sentence row wrap gap-1-2 shrinks breaks">
        {rules.length === 0 ? t('FLAGS.SAY.EVERYONE') : t('FLAGS.SAY.REST')}
        {decisive === null ? <span className="tag tone-ok">{t('FLAGS.TRY.DECIDES')}</span> : null}
      </span>
      <span className="rule-rest-value">
        <ValueInput
          type={type}
          aria-label={t('FLAGS.VALUE')}
          value={defaultValue}
          onValue={(value) => onDefinition({ ...definition, defaultValue: value })}
          disabled={!mayWrite}
          rows={10}
        />
      </span>
      {problems
        .filter(({ pointer }) => pointer.startsWith('/defaultValue'))
        .map(({ code, message }) => (
          <p className="rule-problem row top medium breaks" key={code}>
            {message}
          </p>
        ))}
    </div>
  );
}

type AddRuleProps = Pick<RulesListProps, 'type' | 'definition'> & { onAdd: (rule: FlagRule) => void };

/** Buttons for a new rule: with a condition that matches no one yet, or for a share of everyone. */
function AddRule({ type, definition: { defaultValue }, onAdd }: AddRuleProps) {
  const { t } = useTranslation();
  const force = type === 'boolean' ? defaultValue !== true : emptyValue(type);
  return (
    <div className="row wrap">
      <Button icon="plus" onClick={() => onAdd({ condition: { roles: { $in: [] } }, force })}>
        {t('FLAGS.RULE.ADD')}
      </Button>
      <Button icon="plus" onClick={() => onAdd({ coverage: 0.2, hashAttribute: 'id', force })}>
        {t('FLAGS.RULE.ADD_SHARE')}
      </Button>
    </div>
  );
}
