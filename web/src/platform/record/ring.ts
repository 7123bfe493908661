import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';

/** The most that a report takes (`contextLimits` of the contract). */
export const mostBreadcrumbs = 50;
const highestCount = 9999;

/** The last breadcrumbs of a page, in the order of time. */
export type Ring = {
  add(crumb: Breadcrumb): void;
  all(): readonly Breadcrumb[];
};

/**
 * Stores the last ones. A repeated one is counted. Where there are too many, the kind that has the most loses
 * its oldest: many of one kind drive out no others.
 */
export function createRing(most: number = mostBreadcrumbs): Ring {
  let crumbs: readonly Breadcrumb[] = [];

  function add(crumb: Breadcrumb): void {
    const last = crumbs.at(-1);
    if (last !== undefined && isSame(last, crumb)) {
      const count = Math.min(highestCount, (last.count ?? 1) + (crumb.count ?? 1));
      crumbs = [...crumbs.slice(0, -1), { ...last, count }];
      return;
    }
    const next = [...crumbs, crumb];
    // What was recorded elsewhere may be added late.
    if (last !== undefined && crumb.at < last.at) next.sort((one, other) => one.at - other.at);
    crumbs = next.length <= most ? next : withoutOldest(next);
  }

  return { add, all: () => crumbs };
}

function isSame(one: Breadcrumb, other: Breadcrumb): boolean {
  const facts = ({ at: _at, count: _count, ...rest }: Breadcrumb) => JSON.stringify(rest);
  return facts(one) === facts(other);
}

function withoutOldest(crumbs: readonly Breadcrumb[]): Breadcrumb[] {
  const counts = new Map<Breadcrumb['kind'], number>();
  for (const { kind } of crumbs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const gone = crumbs.findIndex(({ kind }) => counts.get(kind) === most);
  return crumbs.toSpliced(gone, 1);
}
