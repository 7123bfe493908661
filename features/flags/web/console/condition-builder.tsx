import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import type { Option } from '#web/ui/option-list.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { Select } from '#web/ui/text-input.tsx';
import {
  emptyRow,
  isObject,
  namesSegment,
  operandKind,
  operators,
  withOperator,
  type ConditionGroup,
  type ConditionNode,
  type ConditionRow,
  type Join,
  type Operator,
} from './condition-model.ts';
import { JsonPart } from './json-part.tsx';
import { useAttributeOptions, useKnownValues, useValueType } from './known-values.ts';
import { SegmentInput } from './segment-input.tsx';
import { joinWord, operatorWord } from './describe-rule.ts';
import { readValue } from './flag-form.ts';
import { ListInput, NumberInput } from './value-input.tsx';

type NodeProps<Node> = { node: Node; onNode: (node: ConditionNode) => void; onRemove: () => void };

type ConditionBuilderProps = {
  /** The accessible name, which says what the condition is for. */
  label: string;
  node: ConditionNode;
  /** Null: the last part was removed. */
  onNode: (node: ConditionNode | null) => void;
};

/** Edits a condition: attributes, operators and values, in groups that can be nested. */
export function ConditionBuilder({ label, node, onNode }: ConditionBuilderProps) {
  return (
    <div className="condition" role="group" aria-label={label}>
      <Group
        node={node.kind === 'group' ? node : { kind: 'group', join: 'fields', children: [node] }}
        onNode={(next) => onNode(next)}
        onRemove={() => onNode(null)}
      />
    </div>
  );
}

function Group({ node, onNode, onRemove }: NodeProps<ConditionGroup>) {
  const { t } = useTranslation();
  const { join, children } = node;
  const word = join === '$or' || join === '$nor' ? 'OR' : 'AND';
  const change = (next: readonly ConditionNode[]) =>
    next.length === 0 ? onRemove() : onNode({ ...node, children: next });
  const joins: Join[] = [join === '$and' ? '$and' : 'fields', '$or', '$nor', '$not'];
  return (
    <div className="condition-group stack gap-2">
      {children.length < 2 && (join === 'fields' || join === '$and') ? null : (
        <div className="row wrap gap-1">
          <Select
            aria-label={t('FLAGS.RULE.JOIN')}
            value={join}
            onValue={(next) => onNode({ ...node, join: next })}
            options={joins.map((value) => ({
              value,
              label: t(`FLAGS.RULE.JOINS.${catalogueKey(joinWord(value))}`),
            }))}
          />
        </div>
      )}
      {children.map((child, index) => (
        <div className="condition-member" key={index}>
          <Node
            node={child}
            onNode={(next) => change(children.map((each, at) => (at === index ? next : each)))}
            onRemove={() => change(children.filter((_each, at) => at !== index))}
            // In a list of alternatives, the parts of one alternative form a group of their own.
            onNest={() =>
              change(
                children.map((each, at) =>
                  at === index
                    ? { kind: 'group', join: word === 'OR' ? 'fields' : '$or', children: [each, emptyRow] }
                    : each,
                ),
              )
            }
            nest={word === 'OR' ? t('FLAGS.RULE.AND') : t('FLAGS.RULE.OR')}
          />
        </div>
      ))}
      <div className="row wrap gap-1">
        <Button small tone="quiet" icon="plus" onClick={() => change([...children, emptyRow])}>
          {children.length === 0 ? t('FLAGS.RULE.ADD_CONDITION') : t(`FLAGS.RULE.${word}`)}
        </Button>
        {children.length === 1 && (join === 'fields' || join === '$and') ? (
          <Button
            small
            tone="quiet"
            icon="plus"
            onClick={() => onNode({ ...node, join: '$or', children: [...children, emptyRow] })}
          >
            {t('FLAGS.RULE.OR')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

type MemberProps = NodeProps<ConditionNode> & { onNest: () => void; nest: string };

function Node({ node, onNode, onRemove, onNest, nest }: MemberProps) {
  const { t } = useTranslation();
  if (node.kind === 'group') return <Group node={node} onNode={onNode} onRemove={onRemove} />;
  const remove = (
    <IconButton icon="close" small label={t('FLAGS.RULE.REMOVE_CONDITION')} onClick={onRemove} />
  );
  if (node.kind === 'row') {
    return (
      <Row node={node} onNode={onNode}>
        <Button small tone="quiet" onClick={onNest}>
          {nest}
        </Button>
        {remove}
      </Row>
    );
  }
  return (
    <div className="inset stack gap-2">
      <p className="muted">{t('FLAGS.RULE.AS_JSON')}</p>
      <JsonPart
        aria-label={t('FLAGS.RULE.CONDITION_JSON')}
        value={node.json}
        accepts={isObject}
        onValue={(json) => onNode({ kind: 'json', json })}
      />
      {remove}
    </div>
  );
}

type RowProps = {
  node: ConditionRow;
  onNode: (node: ConditionRow) => void;
  /** The attribute to compare, if the person cannot choose it. */
  subject?: string;
  children?: ReactNode;
};

/** An attribute, an operator and a value. */
export function Row({ node, onNode, subject, children }: RowProps) {
  const { t } = useTranslation();
  const attributeOptions = useAttributeOptions();
  const { attribute, operator } = node;
  return (
    <div className="condition-row row wrap" role="group" aria-label={t('FLAGS.RULE.CONDITION')}>
      {subject === undefined && !namesSegment(operator) ? (
        <SuggestInput
          aria-label={t('FLAGS.RULE.ATTRIBUTE')}
          placeholder={t('FLAGS.RULE.ATTRIBUTE')}
          autoCapitalize="none"
          options={attributeOptions}
          maxLength={200}
          value={attribute}
          onValue={(next) => onNode({ ...node, attribute: next })}
        />
      ) : null}
      <Select
        aria-label={t('FLAGS.RULE.OPERATOR')}
        value={operator}
        onValue={(next) => onNode(withOperator(node, next))}
        options={offered(operator, subject).map((value) => ({
          value,
          label: t(`FLAGS.RULE.OPERATORS.${catalogueKey(operatorWord(value))}`),
        }))}
      />
      <Operand
        key={operandKind(operator)}
        node={node}
        onOperand={(operand) => onNode({ ...node, operand })}
      />
      {children}
    </div>
  );
}

/** The operators to offer; a rare operator is offered only if the row already uses it. */
function offered(current: Operator, subject: string | undefined): Operator[] {
  return operators.filter(
    (operator) =>
      operator === current || !(rare.has(operator) || (subject !== undefined && namesSegment(operator))),
  );
}

const rare = new Set<Operator>(['$eq', '$alli', '$veq', '$vne', '$type', '$inGroup', '$notInGroup', 'unset']);

type OperandProps = { node: ConditionRow; onOperand: (operand: unknown) => void };

function Operand({ node: { attribute, operator, operand }, onOperand }: OperandProps) {
  const { t } = useTranslation();
  const kind = operandKind(operator);
  const expected = useValueType(attribute);
  const first: unknown = Array.isArray(operand) ? operand[0] : operand;
  const [type, setType] = useState(typeof (first ?? (expected === 'number' ? 0 : '')));
  const label = t('FLAGS.RULE.VALUE');
  const options = useKnownValues(attribute);
  if (kind === 'none') return null;
  if (kind === 'segment')
    return <SegmentInput ofLists={!namesSegment(operator)} id={String(operand)} onId={onOperand} />;
  if (kind === 'number') return <NumberInput label={label} value={Number(operand)} onValue={onOperand} />;
  if (kind === 'truth') {
    return (
      <Select
        aria-label={label}
        value={operand === true ? 'true' : 'false'}
        onValue={(next) => onOperand(next === 'true')}
        options={[
          { value: 'true', label: t('FLAGS.RULE.YES') },
          { value: 'false', label: t('FLAGS.RULE.NO') },
        ]}
      />
    );
  }
  if (kind === 'text') return <Text label={label} value={String(operand)} onValue={onOperand} />;
  const shown =
    Array.isArray(operand) && operand.length > 0 ? typeof first : kind === 'list' ? type : typeof operand;
  const types =
    kind === 'list' || operator.startsWith('$g') || operator.startsWith('$l')
      ? ['string', 'number']
      : ['string', 'number', 'boolean'];
  function choose(next: string): void {
    setType(next as typeof type);
    const values: unknown[] = Array.isArray(operand) ? operand : [operand];
    const converted = values.map((value) => inType(next, value)).filter((value) => value !== undefined);
    onOperand(kind === 'list' ? converted : (converted[0] ?? inType(next, next === 'string' ? '' : 0)));
  }
  return (
    <>
      {kind === 'list' ? (
        <ListInput
          label={label}
          entries={Array.isArray(operand) ? (operand as (string | number)[]) : []}
          onEntries={onOperand}
          options={options}
          read={(text) => inType(shown, text) as string | number | undefined}
        />
      ) : shown === 'number' ? (
        <NumberInput label={label} value={Number(operand)} onValue={onOperand} />
      ) : shown === 'boolean' ? (
        <Select
          aria-label={label}
          value={operand === true ? 'true' : 'false'}
          onValue={(next) => onOperand(next === 'true')}
          options={[
            { value: 'true', label: 'true' },
            { value: 'false', label: 'false' },
          ]}
        />
      ) : (
        <Text label={label} value={String(operand)} onValue={onOperand} options={options} />
      )}
      {shown === expected ? null : (
        <Select
          aria-label={t('FLAGS.RULE.VALUE_TYPE')}
          value={shown}
          onValue={choose}
          options={types.map((value) => ({ value, label: t(`FLAGS.RULE.TYPES.${catalogueKey(value)}`) }))}
        />
      )}
    </>
  );
}

/** A value converted to another type; undefined if that is not possible. */
function inType(type: string, value: unknown): unknown {
  if (type === 'string') return String(value);
  if (type === 'boolean') return value === true || value === 'true';
  return String(value).trim() === '' ? 0 : readValue('number', String(value));
}

type TextProps = {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options?: readonly Option[];
};

function Text({ label, options = [], ...input }: TextProps) {
  return (
    <SuggestInput aria-label={label} autoCapitalize="none" maxLength={2_000} options={options} {...input} />
  );
}
