import { request } from './load-client.ts';

/** A flag as `POST /v1/flags` takes it. */
export type NewFlag = {
  key: string;
  type: 'boolean' | 'string' | 'number' | 'json';
  description: string;
  defaultValue: unknown;
  enabled: boolean;
  rules: Record<string, unknown>[];
  tags: string[];
};

const values: readonly [NewFlag['type'], (index: number) => unknown, (index: number) => unknown][] = [
  ['boolean', () => false, () => true],
  ['boolean', () => true, () => false],
  ['string', (index) => `variant ${index}`, (index) => `another ${index}`],
  [
    'json',
    (index) => ({ title: `Panel ${index}`, columns: 3 }),
    (index) => ({ title: `Board ${index}`, columns: 4 }),
  ],
];

const rules: readonly ((force: unknown) => Record<string, unknown>[])[] = [
  (force) => [{ condition: { plan: { $in: ['pro', 'team'] } }, force }],
  (force) => [{ condition: { country: 'de', seats: { $gte: 10 } }, force }],
  (force) => [{ coverage: 0.3, hashAttribute: 'company', force }],
  (force) => [{ condition: { release: { $vgte: '2.4.0' } }, coverage: 0.5, hashAttribute: 'company', force }],
];

/** An ordinary set of flags; the rules stand evenly among them. */
export function flagSet(count: number, withRules: number): NewFlag[] {
  return Array.from({ length: count }, (_none, index) => {
    const [type, defaultValue, other] = values[index % values.length] ?? values[0]!;
    // Spreads the rules evenly: of the first n flags, a proportional part has rules.
    const hasRules = Math.floor(((index + 1) * withRules) / count) > Math.floor((index * withRules) / count);
    const kind = Math.floor((index * withRules) / count) % rules.length;
    return {
      key: `area-${index % 12}.feature-${index}`,
      type,
      description: `What feature ${index} of area ${index % 12} does`,
      defaultValue: defaultValue(index),
      enabled: true,
      rules: hasRules ? (rules[kind]?.(other(index)) ?? []) : [],
      tags: [],
    };
  });
}

const countries = ['de', 'fr', 'ch', 'at', 'nl'];
const plans = ['free', 'pro', 'team'];

/**
 * Returns the bytes of one evaluation after the other, as the SDK sends them. Each person is evaluated once; the
 * other attributes (company, plan, country, seats, release) are those of one of `companies` companies.
 */
export function evaluations(path: string, companies: number): () => Buffer {
  let person = 0;
  return () => {
    person += 1;
    const company = person % companies;
    const body = JSON.stringify({
      attributes: {
        id: `person-${person}`,
        email: `person-${person}@example.org`,
        company: `company-${company}`,
        plan: plans[company % plans.length],
        country: countries[company % countries.length],
        seats: company % 40,
        release: `2.${company % 7}.0`,
        url: 'https://app.example.org/orders/list?page=2',
      },
      forcedVariations: {},
      forcedFeatures: [],
      url: 'https://app.example.org/orders/list?page=2',
    });
    return request('POST', path, { accept: 'application/json' }, body);
  };
}
