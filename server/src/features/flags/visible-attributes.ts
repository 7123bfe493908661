import type { FeatureDefinition, SavedGroupsPayload } from '@growthbook/growthbook';

/** What the rules of some flags can see of a person; two people who agree in it get the same values. */
export type Visible = {
  /** Top-level attribute names, sorted. */
  attributes: string[];
  /** Those that regular expressions are tried on. */
  tried: string[];
  /** Experiments, sorted: the address can choose their variation (`?experiment=1`), so they see that of it. */
  experiments: string[];
};

/**
 * Which attributes the rules can see: paths in conditions (their first part), hash and fallback attributes, filters,
 * saved groups. What is named too much costs a little sharing; what is missed would show people each other's values.
 */
export function visibleAttributes(
  features: Readonly<Record<string, FeatureDefinition>>,
  savedGroups: SavedGroupsPayload = {},
): Visible {
  const attributes = new Set<string>();
  const tried = new Set<string>();
  const experiments = new Set<string>();
  const groups = new Set<string>();

  /** @param of the attribute that the condition is about, or null where it names them itself */
  function condition(value: unknown, of: string | null): void {
    if (Array.isArray(value)) return value.forEach((each) => condition(each, of));
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === '$savedGroup') savedGroup(inner);
      // Outside an attribute only these are operators; any other name is an attribute's, whatever it begins with.
      else if (of === null && !['$and', '$or', '$nor', '$not'].includes(name)) {
        attribute(name);
        condition(inner, firstPart(name));
      } else if (name === '$inGroup' || name === '$notInGroup') group(inner);
      else if ((name === '$regex' || name === '$regexi') && of !== null) tried.add(of);
      else if (name.startsWith('$')) condition(inner, of);
      else {
        attribute(name);
        condition(inner, of);
      }
    }
  }

  /** A path in a condition: `company.plan` looks into `company`. */
  function attribute(path: unknown): void {
    if (typeof path === 'string' && path !== '') attributes.add(firstPart(path));
  }

  /** What is hashed is a name, not a path: `company.plan` is an attribute of that name. */
  function hashed(name: string | undefined): void {
    attributes.add(name === undefined || name === '' ? 'id' : name);
  }

  function savedGroup(reference: unknown): void {
    if (typeof reference !== 'object' || reference === null) return group(reference);
    const { id, attributeKey } = reference as { id?: unknown; attributeKey?: unknown };
    attribute(attributeKey);
    group(id);
  }

  function group(id: unknown): void {
    if (typeof id !== 'string' || groups.has(id)) return;
    groups.add(id);
    const entry = savedGroups[id];
    if (entry === undefined || Array.isArray(entry)) return;
    if (entry.type === 'list') attribute(entry.attributeKey);
    else condition(entry.condition, null);
  }

  for (const [key, { rules = [] }] of Object.entries(features)) {
    for (const rule of rules) {
      // A parent's own rules are walked with the other features; its condition looks at its value.
      condition(rule.condition, null);
      const varies = rule.variations !== undefined || rule.contextualVariations !== undefined;
      if (varies || rule.coverage !== undefined || rule.range !== undefined) hashed(rule.hashAttribute);
      if (rule.fallbackAttribute !== undefined) hashed(rule.fallbackAttribute);
      for (const filter of rule.filters ?? []) hashed(filter.attribute);
      if (varies) experiments.add(rule.key === undefined || rule.key === '' ? key : rule.key);
    }
  }
  return {
    attributes: [...attributes].toSorted(),
    tried: [...tried].toSorted(),
    experiments: [...experiments].toSorted(),
  };
}

function firstPart(path: string): string {
  return path.split('.', 1)[0] ?? path;
}
