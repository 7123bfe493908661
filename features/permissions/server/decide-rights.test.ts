import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import {
  decideRights,
  explainRights,
  prepareRules,
  rolesThatGive,
  type PersonFacts,
  type RuleSet,
} from './decide-rights.ts';

const now = 1_000;
const noRules: RuleSet = { rights: [], roles: new Map(), mappings: [] };
const nothing: PersonFacts = { blocked: false, roles: [], own: [], groups: [] };
const given = { givenAt: null, givenBy: null };
const withRoles = (...roles: string[]): PersonFacts => ({
  ...nothing,
  roles: roles.map((role) => ({ role, ...given })),
});
const own = (right: string, effect: 'grant' | 'denial', expiresAt: number | null = null) => ({
  right,
  effect,
  expiresAt,
  reason: '',
  ...given,
});
const decide = (person: PersonFacts, rules: RuleSet = noRules, at = now) =>
  decideRights(person, prepareRules(rules), at).rights;

describe('decideRights', () => {
  it('RIGHT-3: gives the rights of every role, sorted and without repeats', () => {
    expect(decide(withRoles('member'))).toEqual(['MAP_VIEW']);
    expect(decide(withRoles('support', 'member', 'support'))).toEqual(builtInRoles.support.toSorted());
    expect(decide(withRoles('member', 'operator'))).toEqual(
      rightCatalogue.map((entry) => entry.right).toSorted(),
    );
  });

  it('RIGHT-3: gives nothing without roles, nor for a role or a right that is not known', () => {
    expect(decide(nothing)).toEqual([]);
    expect(decide(withRoles('emperor', 'toString', '__proto__'))).toEqual([]);
    expect(decide({ ...nothing, own: [own('NOT_THERE', 'grant')] })).toEqual([]);
  });

  it('SES-8: gives nothing to the blocked', () => {
    expect(decide({ ...withRoles('operator'), own: [own('MAP_VIEW', 'grant')], blocked: true })).toEqual([]);
  });

  it('RIGHT-3: a grant and a denial hold until their time, to the millisecond', () => {
    const granted = { ...nothing, own: [own('MAP_VIEW', 'grant', 2_000)] };
    expect([1_999, 2_000].map((at) => decide(granted, noRules, at))).toEqual([['MAP_VIEW'], []]);
    const denied = { ...withRoles('member'), own: [own('MAP_VIEW', 'denial', 2_000)] };
    expect([1_999, 2_000].map((at) => decide(denied, noRules, at))).toEqual([[], ['MAP_VIEW']]);
    expect(decideRights(granted, prepareRules(noRules), 1_999).until).toBe(2_000);
    expect(decideRights(granted, prepareRules(noRules), 2_000).until).toBe(Infinity);
  });

  it('RIGHT-3: groups give roles, by their whole name or its beginning, kind and case as they are', () => {
    const rules: RuleSet = {
      ...noRules,
      mappings: [
        { id: '1', kind: 'group', match: 'exact', name: '/Staff/Éditeurs 🗺', roles: ['member'] },
        { id: '2', kind: 'group', match: 'prefix', name: 'CN=Help ', roles: ['support'] },
      ],
    };
    const inGroup = (name: string, kind: 'group' | 'role' = 'group') =>
      decide({ ...nothing, groups: [{ kind, name }] }, rules).length;
    expect(inGroup('/Staff/Éditeurs 🗺')).toBe(1);
    expect(inGroup('/staff/Éditeurs 🗺')).toBe(0);
    expect(inGroup('/Staff/Éditeurs 🗺/a')).toBe(0);
    expect(inGroup('/Staff/Éditeurs 🗺', 'role')).toBe(0);
    expect(inGroup('CN=Help Desk, OU=%_')).toBe(builtInRoles.support.length);
    expect(inGroup('CN=Help')).toBe(0);
    expect(inGroup('CN=Help Desk, OU=%_', 'role')).toBe(0);
  });

  it('RIGHT-3: knows the roles that can manage people, own ones too', () => {
    expect(rolesThatGive('PEOPLE_WRITE', noRules)).toEqual(['operator']);
    const roles = new Map([['helpers', ['MAP_VIEW']]]);
    expect(rolesThatGive('MAP_VIEW', { roles }).toSorted()).toEqual([
      'helpers',
      'member',
      'operator',
      'support',
    ]);
  });

  it('RIGHT-4: why names every way to a right: those that give it, and those that would, twenty at most', () => {
    const roles = Array.from({ length: 30 }, (_, n) => `role-${String(n).padStart(2, '0')}`);
    const rules: RuleSet = {
      rights: ['ORDERS_SEE'],
      roles: new Map(roles.map((role) => [role, ['ORDERS_SEE']])),
      mappings: roles.map((role, n) => ({
        id: `${n}`,
        kind: 'group',
        match: 'exact',
        name: `/${role}`,
        roles: [role, 'member'],
      })),
    };
    const person: PersonFacts = {
      ...withRoles('role-00', 'role-01'),
      own: [own('ORDERS_SEE', 'grant'), own('ORDERS_SEE', 'denial', 2_000)],
      groups: [{ kind: 'group', name: '/role-02' }],
    };
    const why = (at: number) =>
      explainRights(person, prepareRules(rules), at).find(({ right }) => right === 'ORDERS_SEE');
    expect(why(1_999)?.sources).toEqual([
      { kind: 'role', role: 'role-00', ...given },
      { kind: 'role', role: 'role-01', ...given },
      { kind: 'group', role: 'role-02', group: { kind: 'group', name: '/role-02' }, mappingId: '2' },
      { kind: 'grant', expiresAt: null, reason: '', ...given },
    ]);
    expect(why(1_999)?.ways).toEqual({
      roles: roles.slice(0, 20),
      groups: roles.slice(0, 20).map((role) => ({ kind: 'group', match: 'exact', name: `/${role}`, role })),
    });
    expect([why(1_999), why(2_000)].map((each) => [each?.held, each?.denial])).toEqual([
      [false, { expiresAt: 2_000, reason: '', ...given }],
      [true, null],
    ]);
  });
});

const ownRights = ['ORDERS_SEE', 'ORDERS_CHANGE', 'LAYER_PIPES'];
const someRight = fc.constantFrom(...ownRights, 'PEOPLE_WRITE', 'MAP_VIEW', 'NOT_THERE');
const someRole = fc.constantFrom('operator', 'support', 'member', 'clerks', 'surveyors', 'gone');
const someGroup = fc.record({
  kind: fc.constantFrom('group' as const, 'role' as const),
  name: fc.constantFrom('/a', '/a/b', '/a/b,c', 'é', 'É'),
});
const someOwn = fc.record({
  right: someRight,
  effect: fc.constantFrom('grant' as const, 'denial' as const),
  expiresAt: fc.option(fc.integer({ min: 900, max: 1_100 })),
  reason: fc.constant(''),
  givenAt: fc.constant(null),
  givenBy: fc.constant(null),
});
const somePerson: fc.Arbitrary<PersonFacts> = fc.record({
  blocked: fc.constant(false),
  roles: fc.array(
    someRole.map((role) => ({ role, ...given })),
    { maxLength: 4 },
  ),
  own: fc.uniqueArray(someOwn, { selector: ({ right, effect }) => `${right} ${effect}`, maxLength: 6 }),
  groups: fc.array(someGroup, { maxLength: 4 }),
});
const someRules: fc.Arbitrary<RuleSet> = fc.record({
  rights: fc.shuffledSubarray(ownRights),
  roles: fc
    .tuple(fc.array(someRight, { maxLength: 4 }), fc.array(someRight, { maxLength: 4 }))
    .map(([clerks, surveyors]) => new Map([['clerks', clerks] as const, ['surveyors', surveyors] as const])),
  mappings: fc.array(
    fc.record({
      id: fc.uuid(),
      kind: fc.constantFrom('group' as const, 'role' as const),
      match: fc.constantFrom('exact' as const, 'prefix' as const),
      name: fc.constantFrom('/', '/a', '/a/b', 'é'),
      roles: fc.array(someRole, { maxLength: 2 }),
    }),
    { maxLength: 4 },
  ),
});
const someTime = fc.integer({ min: 850, max: 1_150 });

describe('decideRights, whatever it is given', () => {
  it('RIGHT-3: a denial in force wins', () => {
    fc.assert(
      fc.property(somePerson, someRules, someTime, someRight, (person, rules, at, right) => {
        const others = person.own.filter((one) => one.right !== right || one.effect !== 'denial');
        const denied = { ...person, own: [...others, own(right, 'denial', at + 1)] };
        expect(decide(denied, rules, at)).not.toContain(right);
        const over = { ...person, own: [...others, own(right, 'denial', at)] };
        expect(decide(over, rules, at)).toEqual(decide({ ...person, own: others }, rules, at));
      }),
    );
  });

  it('RIGHT-3: the order in which roles, grants, groups and mappings come does not matter', () => {
    fc.assert(
      fc.property(somePerson, someRules, someTime, (person, rules, at) => {
        const { roles, own: mine, groups } = person;
        const turned = {
          ...person,
          roles: roles.toReversed(),
          own: mine.toReversed(),
          groups: groups.toReversed(),
        };
        const turnedRules = {
          rights: rules.rights.toReversed(),
          roles: new Map([...rules.roles].toReversed()),
          mappings: rules.mappings.toReversed(),
        };
        expect(decide(turned, turnedRules, at)).toEqual(decide(person, rules, at));
      }),
    );
  });

  it('RIGHT-3: one more role, grant or group takes nothing, one more denial gives nothing', () => {
    fc.assert(
      fc.property(
        somePerson,
        someRules,
        someTime,
        someRole,
        someRight,
        someGroup,
        (person, rules, at, role, right, group) => {
          const before = decide(person, rules, at);
          const more = [
            { ...person, roles: [...person.roles, { role, ...given }] },
            { ...person, own: [...person.own, own(right, 'grant')] },
            { ...person, groups: [...person.groups, group] },
          ];
          for (const one of more) expect(decide(one, rules, at)).toEqual(expect.arrayContaining(before));
          const fewer = decide({ ...person, own: [...person.own, own(right, 'denial')] }, rules, at);
          expect(before).toEqual(expect.arrayContaining(fewer));
        },
      ),
    );
  });

  it('RIGHT-1 RIGHT-3: the list is sorted, without repeats, of the catalogue, and stays the same until its time', () => {
    fc.assert(
      fc.property(somePerson, someRules, someTime, (person, rules, at) => {
        const { rights, until } = decideRights(person, prepareRules(rules), at);
        expect(rights).toEqual([...new Set(rights)].toSorted());
        expect([...prepareRules(rules).catalogue]).toEqual(expect.arrayContaining(rights));
        expect(until).toBeGreaterThan(at);
        for (let later = at; later < Math.min(until, 1_150); later += 7)
          expect(decide(person, rules, later)).toEqual(rights);
      }),
    );
  });

  it('RIGHT-4: the explanation lists a right exactly where it is held, and its source', () => {
    fc.assert(
      fc.property(somePerson, fc.boolean(), someRules, someTime, (person, blocked, rules, at) => {
        const why = explainRights({ ...person, blocked }, prepareRules(rules), at);
        expect(
          why
            .filter(({ held }) => held)
            .map(({ right }) => right)
            .toSorted(),
        ).toEqual(decide({ ...person, blocked }, rules, at));
        for (const { right, held, sources, denial } of why) {
          expect(held).toBe(sources.length > 0 && denial === null && !blocked);
          for (const source of sources) {
            expect(source.kind === 'grant' ? [right] : prepareRules(rules).rightsOf(source.role)).toContain(
              right,
            );
          }
        }
      }),
    );
  });
});
