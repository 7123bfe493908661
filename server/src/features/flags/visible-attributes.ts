import type { FeatureDefinition, SavedGroupsPayload } from '@growthbook/growthbook';

/** What the rules of some flags can see of a person; two people who agree in it get the same values. */
export type Visible = {
  /** Top-level attribute names, sorted. */
  attributes: string[];
  /** Experiments can be overridden by the address (`?experiment=1`), so they see it. */
  url: boolean;
};

/**
 * Which attributes the rules can see: paths in conditions (their first part), hash and fallback attributes, filters,
 * saved groups. What is named too much costs a little sharing; what is missed would show people each other's values.
 */
export function visibleAttributes(
  features: Iterable<FeatureDefinition>,
  savedGroups: SavedGroupsPayload = {},
): Visible {
  const attributes = new Set<string>();
  const groups = new Set<string>();
  let url = false;

  function condition(value: unknown): void {
    if (Array.isArray(value)) return value.forEach(condition);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === '$savedGroup') savedGroup(inner);
      else if (name === '$inGroup' || name === '$notInGroup') group(inner);
      else {
        if (!name.startsWith('$')) attribute(name);
        condition(inner);
      }
    }
  }

  function attribute(path: unknown): void {
    if (typeof path === 'string' && path !== '') attributes.add(path.split('.', 1)[0] ?? path);
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
    else condition(entry.condition);
  }

  for (const { rules = [] } of features) {
    for (const rule of rules) {
      condition(rule.condition);
      // A parent's own rules are walked with the other features; its condition looks at its value.
      attribute(rule.hashAttribute ?? 'id');
      attribute(rule.fallbackAttribute);
      for (const filter of rule.filters ?? []) attribute(filter.attribute ?? 'id');
      if (rule.variations !== undefined || rule.contextualVariations !== undefined) url = true;
    }
  }
  return { attributes: [...attributes].toSorted(), url };
}
