import type { FlagRule, FlagType } from '#features/flags/contract/flags.ts';
import { ruleAt, timingOf } from '#features/flags/contract/schedules.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { Button } from '#web/ui/button.tsx';
import { Drawing, Icon } from '#web/ui/icon.tsx';
import { MoreMenu } from '#web/ui/menu.tsx';
import type { Drag } from '#web/platform/lists/drag.ts';
import { RuleEditor } from './rule-editor.tsx';
import { RampStatus, useProjects } from './rule-timing.tsx';
import { partsOf } from './rule-parts.ts';
import { useSegmentName } from './segment-input.tsx';
import { describeRule, markedParts, percent, resultValues, shortValue } from './describe-rule.ts';
import { SplitBar } from './who-gets-what.tsx';

const grip = 'M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01';

type RuleCardProps = {
  flagKey: string;
  type: FlagType;
  rule: FlagRule;
  /** From 1. */
  number: number;
  count: number;
  mayWrite: boolean;
  open: boolean;
  /** The flag's version if the form equals the saved flag; null: it differs, or may not be changed. */
  version: number | null;
  /** True: this rule decides the value in the current trial. */
  decides: boolean;
  problems: readonly FieldProblem[];
  drag: Drag;
  onOpen: (open: boolean) => void;
  onRule: (rule: FlagRule) => void;
  onMove: (by: 1 | -1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
};

/** One rule as a sentence, and its fields while it is open. */
export function RuleCard(props: RuleCardProps) {
  const { flagKey, type, rule, number, mayWrite, open, decides, problems, drag, onOpen, onRule, onMove } =
    props;
  const { t } = useTranslation();
  const { locale } = useFormats();
  const id = useId();
  const projects = useProjects(timingOf(rule).ramp?.guard !== undefined);
  const sentence = describeRule(rule, { t, locale, segmentName: useSegmentName(), projects });
  const parts = partsOf(rule);
  const given = resultValues(parts.result);
  const present = ruleAt(rule, useServerClock().now());
  const { coverage = 1 } = present === null ? { coverage: 0 } : partsOf(present);
  const isShared = given.length > 1 || (coverage !== 1 && given.length === 1);
  return (
    <li className="rule top gap-2-3" data-drag={drag.state} data-decides={decides} data-open={open}>
      {mayWrite ? <Grip {...props} /> : null}
      <span className="rule-number sunk round centered muted small strong" aria-hidden="true">
        {number}
      </span>
      <div className="rule-sentence row wrap gap-1-2 shrinks breaks" id={id}>
        <span className="visually-hidden">{t('FLAGS.RULE.NUMBER', { number })} </span>
        <Sentence>{sentence}</Sentence>
        <RampStatus flagKey={flagKey} rule={rule} place={number - 1} version={props.version} />
        {decides ? <span className="tag tone-ok">{t('FLAGS.TRY.DECIDES')}</span> : null}
        {isShared ? (
          <SplitBar parts={given.map(({ value, weight }) => ({ value, share: (weight ?? 1) * coverage }))} />
        ) : null}
      </div>
      <span className="rule-values to-end row gap-1 wrap">
        {given.length === 0 ? <span className="muted">{t('FLAGS.RULE.GIVES_NOTHING')}</span> : null}
        {given.slice(0, 4).map(({ value, weight }, index) => (
          <span
            className="rule-value tone-accent inline-row baseline breaks"
            key={index}
            data-off={value === false}
          >
            {given.length === 1 ? <span className="visually-hidden">{'→ '}</span> : null}
            <code className="strong">{shortValue(value)}</code>
            {weight === null ? null : <small>{percent(weight, locale)}</small>}
          </span>
        ))}
        {given.length > 4 ? (
          <small className="muted">{t('FLAGS.RULE.MORE_VALUES', { count: given.length - 4 })}</small>
        ) : null}
      </span>
      {mayWrite ? (
        <span className="rule-actions row gap-1">
          <Button small tone="quiet" aria-expanded={open} aria-describedby={id} onClick={() => onOpen(!open)}>
            {open ? t('FLAGS.RULE.CLOSE') : t('FLAGS.RULE.EDIT')}
          </Button>
          <MoreMenu
            label={t('FLAGS.RULE.ACTIONS', { number })}
            items={[
              { label: t('FLAGS.RULE.UP'), disabled: number === 1, onSelect: () => onMove(-1) },
              { label: t('FLAGS.RULE.DOWN'), disabled: number === props.count, onSelect: () => onMove(1) },
              { label: t('FLAGS.RULE.DUPLICATE'), icon: 'copy', onSelect: props.onDuplicate },
              { label: t('FLAGS.RULE.REMOVE'), icon: 'trash', danger: true, onSelect: props.onRemove },
            ]}
          />
        </span>
      ) : null}
      {problems.map(({ pointer, code, message }) => (
        <p className="rule-problem row top medium breaks" key={`${pointer} ${code}`}>
          <Icon name="warning" size={14} />
          {t('FLAGS.ERRORS.RULE_AT', {
            place: pointer.replace(/^\/rules\/\d+/, '') || t('FLAGS.RULE.NUMBER', { number }),
            message,
          })}
        </p>
      ))}
      {open && mayWrite ? <RuleEditor flagKey={flagKey} type={type} rule={rule} onRule={onRule} /> : null}
    </li>
  );
}

/** The handle that moves a rule, by dragging or with the arrow keys. */
function Grip({ number, count, drag }: RuleCardProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="grip rule-grip"
      aria-label={t('FLAGS.RULE.MOVE', { number, count })}
      aria-roledescription={t('FLAGS.RULE.HANDLE')}
      title={t('FLAGS.RULE.MOVE_HINT')}
      {...drag.handle}
    >
      <Drawing path={grip} />
    </button>
  );
}

/** A sentence about a rule: names bold, values as code. */
function Sentence({ children }: { children: string }) {
  return (
    <span className="sentence">
      {markedParts(children).map(({ kind, text }, index) => {
        const key = `${index} ${text}`;
        if (kind === 'name')
          return (
            <b key={key} dir="auto">
              {text}
            </b>
          );
        if (kind === 'value')
          return (
            <code key={key} dir="auto">
              {text}
            </code>
          );
        return <span key={key}>{text}</span>;
      })}
    </span>
  );
}
