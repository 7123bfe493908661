import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conditionOf,
  nodeOf,
  operators,
  withOperator,
  type ConditionGroup,
  type ConditionNode,
} from './condition-model.ts';
import { definitionIn, jsonOf } from './flag-form.ts';
import { equalWeights, partsOf, ruleOf, withoutVariation, withVariation, withWeight } from './rule-parts.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const few = { maxLength: 3 };
const anything = fc.jsonValue({ maxDepth: 3 });
const attribute = fc.constantFrom(
  'id',
  'roles',
  'age',
  '',
  '1',
  '$plan',
  'company.plan',
  '__proto__',
  'toString',
);
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const operator = fc.constantFrom(
  ...'$eq $ne $in $nin $ini $nini $all $alli $gt $gte $lt $lte $veq $vgt $regex $regexi $exists $size'.split(
    ' ',
  ),
  ...'$type $inGroup $notInGroup $elemMatch $not $near'.split(' '),
);

/** Conditions as GrowthBook knows them, with any JSON where the builder does not expect it. */
const { condition } = fc.letrec<{ condition: unknown; expected: unknown }>((tie) => ({
  expected: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(scalar, few),
    anything,
    fc.record({ $elemMatch: fc.record({ $eq: scalar }) }),
    fc.dictionary(operator, fc.oneof(scalar, fc.array(fc.string(), few), tie('expected')), { maxKeys: 3 }),
  ),
  condition: fc
    .array(
      fc.oneof(
        { maxDepth: 4 },
        fc.tuple(attribute, tie('expected')),
        fc.tuple(fc.constantFrom('$and', '$or', '$nor'), fc.oneof(fc.array(tie('condition'), few), anything)),
        fc.tuple(fc.constant('$not'), fc.oneof(tie('condition'), anything)),
        fc.tuple(fc.constant('$savedGroup'), anything),
      ),
      few,
    )
    .map((entries) => Object.fromEntries(entries)),
}));

const rule = fc.record(
  {
    id: fc.string(),
    condition: fc.oneof(condition, anything),
    parentConditions: fc.oneof(
      fc.array(
        fc.record(
          { id: fc.string(), condition, gate: fc.boolean(), label: anything },
          { requiredKeys: ['id'] },
        ),
        few,
      ),
      anything,
    ),
    force: anything,
    variations: fc.oneof(fc.array(anything, { minLength: 2, maxLength: 2 }), anything),
    weights: fc.oneof(fc.constant([0.5, 0.5]), anything),
    contextualVariations: fc.array(anything, few),
    coverage: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), anything),
    hashAttribute: fc.oneof(fc.string(), anything),
    filters: anything,
    meta: anything,
    ruleV9: anything,
  },
  { requiredKeys: [] },
);

describe('FLAG-10: nothing that the format allows is lost by the builder', () => {
  it('FLAG-10: any rules go in and come out equal', () => {
    fc.assert(
      fc.property(fc.array(rule, few), anything, (rules, defaultValue) => {
        const definition = plain({ defaultValue, rules }) as { defaultValue: unknown; rules: object[] };
        // The server refuses this name, and the JSON field says so.
        fc.pre(!JSON.stringify(definition).includes('"__proto__"'));
        const built = definition.rules.map((each) => ruleOf(partsOf(each as Record<string, unknown>)));
        expect(plain(built)).toEqual(definition.rules);
        expect(definitionIn(jsonOf({ defaultValue: definition.defaultValue, rules: built }))).toEqual(
          definition,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('FLAG-10: any JSON as a condition comes out equal', () => {
    fc.assert(
      fc.property(fc.oneof(condition, anything), (given) => {
        const json = plain(given);
        expect(conditionOf(nodeOf(json))).toEqual(json);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [{ age: { $gt: 3, $lt: 9 } }, ['age $gt', 'age $lt']],
    [
      { role: 'a', $or: [{ id: 'b' }, { id: 'c', email: 'd' }] },
      ['role is', ['$or', 'id is', ['fields', 'id is', 'email is']]],
    ],
    [{ $not: { roles: { $elemMatch: { $eq: 'x' } } } }, [['$not', 'roles contains']]],
    [{ tags: { $elemMatch: { $in: ['x'] } }, id: null }, ['json', 'id unset']],
  ])('FLAG-10: %j has fields for what people write', (json, shown) => {
    const show = (node: ConditionNode): unknown =>
      node.kind === 'group'
        ? [node.join, ...node.children.map(show)]
        : node.kind === 'row'
          ? `${node.attribute} ${node.operator}`
          : 'json';
    const root = nodeOf(json) as ConditionGroup;
    expect(root.join === 'fields' ? root.children.map(show) : [show(root)]).toEqual(shown);
  });
});

describe('FLAG-10: editing in the builder', () => {
  const row = (attributeName: string, operand: unknown): ConditionNode => ({
    kind: 'row',
    attribute: attributeName,
    operator: 'is',
    operand,
  });

  it('FLAG-10: two conditions on one attribute are both kept', () => {
    const both: ConditionNode = { kind: 'group', join: 'fields', children: [row('id', 'a'), row('id', 'b')] };
    expect(conditionOf(both)).toEqual({ $and: [{ id: 'a' }, { id: 'b' }] });
    expect(conditionOf(nodeOf(conditionOf(both)))).toEqual(conditionOf(both));
  });

  it('FLAG-10: each operator can be chosen after each other one, and its row stays a row', () => {
    for (const from of operators) {
      for (const to of operators) {
        for (const operand of ['x', '', 3, true, null, ['a'], [], [1]]) {
          const chosen = withOperator(
            withOperator({ kind: 'row', attribute: 'a', operator: 'is', operand }, from),
            to,
          );
          const root = nodeOf(conditionOf(chosen));
          expect(root).toMatchObject({ children: [{ kind: 'row', operator: to }] });
        }
      }
    }
  });

  it('FLAG-10: weights add up to 1, whichever is moved', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.nat(7), fc.nat(100), (count, at, percent) => {
        const moved = withWeight(equalWeights(count), at % count, percent / 100);
        expect(moved[at % count]).toBe(percent / 100);
        expect(moved.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
        expect(Math.min(...moved)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('FLAG-10: what belongs to a variation comes and goes with it', () => {
    const given = { variations: ['a', 'b', 'c'], meta: [{ key: '0' }, { key: '1' }, { key: '2' }] };
    const without = ruleOf(withoutVariation(partsOf(given), 1));
    expect(without).toMatchObject({ variations: ['a', 'c'], meta: [{ key: '0' }, { key: '2' }] });
    expect(ruleOf(withVariation(partsOf(without), 'd'))).toMatchObject({
      variations: ['a', 'c', 'd'],
      weights: [0.34, 0.33, 0.33],
      meta: [{}, {}, {}],
    });
  });
});
