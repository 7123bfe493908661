import type { ImportedSegment } from '#features/flags/contract/flag-exchange.ts';
import type { FlagRule, FlagType } from '#features/flags/contract/flags.ts';
import { isObject } from './condition.ts';
import { objectsIn, scheduleOf, textIn, textsIn, type Mapped } from './mapped.ts';

type Json = Record<string, unknown>;

/** Maps GrowthBook's SDK payload, `{features, savedGroups}`, in which every flag is on. */
export function mapGrowthbookPayload({ features, savedGroups }: Json): Mapped {
  const mapped: Mapped = { flags: [], segments: [], unmapped: [] };
  for (const [key, definition] of Object.entries(isObject(features) ? features : {}))
    addDefinition(mapped, { key, enabled: true }, isObject(definition) ? definition : {}, null);
  for (const [id, group] of Object.entries(isObject(savedGroups) ? savedGroups : {})) {
    const typed: Json = isObject(group)
      ? group
      : { type: 'list', attributeKey: attributeOf(id, features) ?? 'id', values: group };
    if (typed['type'] === 'condition')
      mapped.segments.push({ id, kind: 'condition', attribute: '', condition: typed['condition'] });
    else addList(mapped, { id }, typed);
  }
  return mapped;
}

/**
 * Maps the answers of GrowthBook's REST API (`/v1/features` or `/v2/features`, `/v1/saved-groups`), each page one
 * document. If a part of a flag cannot be mapped, the whole flag is left out: without a rule, later rules would
 * decide for the people that it was for.
 */
export function mapGrowthbookApi(documents: readonly Json[], environment: string): Mapped {
  const mapped: Mapped = { flags: [], segments: [], unmapped: [] };
  for (const feature of documents.flatMap(({ features }) => objectsIn(features)))
    addFeature(mapped, feature, environment);
  for (const group of documents.flatMap(({ savedGroups }) => objectsIn(savedGroups))) {
    const about = {
      id: textIn(group['id']),
      name: textIn(group['name']),
      description: textIn(group['description']),
    };
    if (group['archived'] === true)
      mapped.unmapped.push({ kind: 'segment', name: about.name, reason: 'archived', detail: '' });
    else if (group['type'] === 'condition')
      mapped.segments.push({
        ...about,
        kind: 'condition',
        attribute: '',
        condition: parsed(group['condition']),
      });
    else addList(mapped, about, group);
  }
  return mapped;
}

/** The environments that features of the REST API name. */
export function growthbookEnvironments(documents: readonly Json[]): string[] {
  const features = documents.flatMap(({ features: all }) => objectsIn(all));
  return [
    ...new Set(
      features.flatMap(({ environments }) => (isObject(environments) ? Object.keys(environments) : [])),
    ),
  ].toSorted();
}

/** @param type the type that the API names; null: the type follows from the values */
function addDefinition(
  mapped: Mapped,
  about: Mapped['flags'][number],
  definition: Json,
  type: FlagType | null,
): void {
  const { defaultValue = null, rules = [], ...others } = definition;
  for (const detail of Object.keys(others))
    mapped.unmapped.push({ kind: 'flag', name: about.key, reason: 'field', detail });
  mapped.flags.push({
    ...about,
    type: type ?? typeOf(defaultValue, rules),
    defaultValue,
    rules: rules as FlagRule[],
  });
}

function typeOf(defaultValue: unknown, rules: unknown): FlagType {
  const values = objectsIn(rules).flatMap((rule) => [
    ...('force' in rule ? [rule['force']] : []),
    ...(Array.isArray(rule['variations']) ? (rule['variations'] as unknown[]) : []).filter(
      (value) => value !== null,
    ),
  ]);
  const types = new Set([defaultValue, ...values].map((value) => (value === null ? 'null' : typeof value)));
  const [only] = types;
  return types.size === 1 && (only === 'boolean' || only === 'string' || only === 'number') ? only : 'json';
}

/** The attribute that rules compare with a list: a list that is only an array in the payload does not name it. */
function attributeOf(id: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const isIt = isObject(each) && (each['$inGroup'] === id || each['$notInGroup'] === id);
    const found = isIt ? name : attributeOf(id, each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function addList(mapped: Mapped, about: ImportedSegment, { attributeKey, values }: Json): void {
  const list: unknown[] = Array.isArray(values) ? values : [];
  const numbers = list.length > 0 && list.every((value) => typeof value === 'number');
  // A list is stored as lines of one text, so a value must be a trimmed text of one line.
  const isText = (value: unknown) =>
    typeof value === 'string' && value !== '' && value === value.trim() && !value.includes('\n');
  const other = numbers || !Array.isArray(values) ? undefined : list.find((value) => !isText(value));
  if (!Array.isArray(values) || other !== undefined)
    mapped.unmapped.push({
      kind: 'segment',
      name: about.name ?? about.id,
      reason: 'invalid',
      detail: JSON.stringify(other ?? values ?? null).slice(0, 100),
    });
  else
    mapped.segments.push({
      ...about,
      kind: 'list',
      attribute: textIn(attributeKey),
      numbers,
      values: list.join('\n'),
    });
}

function addFeature(mapped: Mapped, feature: Json, environment: string): void {
  const key = textIn(feature['id']);
  const not = (reason: Mapped['unmapped'][number]['reason'], detail: string) =>
    void mapped.unmapped.push({ kind: 'flag', name: key, reason, detail });
  const environments = isObject(feature['environments']) ? feature['environments'] : {};
  const here = environments[environment];
  if (feature['archived'] === true) return not('archived', '');
  if (!isObject(here)) return not('environment', environment);
  const type = textIn(feature['valueType']) as FlagType;
  const about = {
    key,
    enabled: here['enabled'] === true,
    description: textIn(feature['description']),
    tags: textsIn(feature['tags']),
  };
  if (isObject(feature['holdout'])) return not('rule', 'holdout');
  const gates = textsIn(feature['prerequisites']).map((id) => ({
    parentConditions: [{ id, condition: { value: true }, gate: true }],
  }));
  const scoped = objectsIn(here['rules'] ?? feature['rules']).filter(
    ({ enabled, allEnvironments = true, environments: names }) =>
      enabled !== false && (allEnvironments === true || textsIn(names).includes(environment)),
  );
  const timesOf = ({ scheduleRules }: Json) =>
    objectsIn(scheduleRules)
      .filter(({ timestamp }) => timestamp !== null)
      .map(({ enabled, timestamp }) => ({ begins: enabled === true, at: timestamp }));
  // The definition that GrowthBook's SDKs get now, with experiments written out; a feature that is off has none.
  const definition = parsed(here['definition']);
  if (isObject(definition) && !scoped.some((rule) => timesOf(rule).length > 0))
    return addDefinition(mapped, about, definition, type);
  const rules: FlagRule[] = [];
  for (const rule of scoped) {
    const times = timesOf(rule);
    const schedule = scheduleOf(times);
    const isSpan = new Set(times.map(({ begins }) => begins)).size === times.length && schedule !== null;
    if (!isSpan || rule['scheduleType'] === 'ramp') return not('schedule', textIn(rule['id']));
    const given = ruleOf(rule, key, type);
    if (given === null) return not('rule', textIn(rule['type']));
    rules.push(times.length === 0 ? given : { ...given, schedule });
  }
  mapped.flags.push({
    ...about,
    type,
    defaultValue: valueOf(here['defaultValue'] ?? feature['defaultValue'], type),
    rules: [...gates, ...rules],
  });
}

/** Converts a rule of the REST API to the form of SDKs; null for a kind that only GrowthBook can convert. */
function ruleOf(rule: Json, key: string, type: FlagType): FlagRule | null {
  const { coverage, hashAttribute } = rule;
  const parents = objectsIn(rule['prerequisites']).map(({ id, condition }) => ({
    id,
    condition: parsed(condition),
  }));
  const condition = conditionOf(rule);
  const common = {
    ...(textIn(rule['id']) === '' ? {} : { id: rule['id'] }),
    ...(condition === null ? {} : { condition }),
    ...(parents.length === 0 ? {} : { parentConditions: parents }),
  };
  const shared = { coverage: coverage ?? 1, hashAttribute: hashAttribute ?? 'id' };
  if (rule['type'] === 'force') return { ...common, force: valueOf(rule['value'], type) };
  if (rule['type'] === 'rollout') return { ...common, force: valueOf(rule['value'], type), ...shared };
  if (rule['type'] !== 'experiment') return null;
  const variations = objectsIn(rule['values'] ?? rule['value']);
  const { namespace } = rule;
  const kept = ['fallbackAttribute', 'disableStickyBucketing', 'bucketVersion', 'minBucketVersion'];
  return {
    ...common,
    ...shared,
    ...Object.fromEntries(kept.flatMap((name) => (name in rule ? [[name, rule[name]]] : []))),
    key: textIn(rule['trackingKey']) || key,
    variations: variations.map(({ value }) => valueOf(value, type)),
    weights: variations.map(({ weight }) => weight),
    meta: variations.map(({ name }, index) => ({ key: String(index), name: textIn(name) })),
    ...(isObject(namespace) && namespace['enabled'] === true && Array.isArray(namespace['range'])
      ? { namespace: [namespace['name'], ...(namespace['range'] as unknown[])] }
      : {}),
  };
}

function conditionOf(rule: Json): unknown {
  const own = parsed(rule['condition']);
  const groups = objectsIn(rule['savedGroupTargeting']).map(({ matchType, savedGroups }) => {
    const named = textsIn(savedGroups).map((id) => ({ $savedGroup: { id } }));
    if (matchType === 'none') return { $nor: named };
    return matchType === 'any' ? { $or: named } : { $and: named };
  });
  const all = [...(isObject(own) && Object.keys(own).length === 0 ? [] : [own]), ...groups].filter(
    (each) => each !== null,
  );
  return all.length > 1 ? { $and: all } : (all[0] ?? null);
}

/** Parses a JSON text; null if there is no text. A text that is not JSON stays, so that the check refuses it. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function valueOf(value: unknown, type: FlagType): unknown {
  return type === 'string' || typeof value !== 'string' ? value : parsed(value);
}
