/** A release by semantic versioning: the package before `@`, the numbers, the pre-release part after `-`. */
type Version = { of: string; numbers: number[]; before: string[] };

const semver = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+.{0,100})?$/;

function readVersion(release: string): Version | null {
  const at = release.lastIndexOf('@');
  const found = semver.exec(release.slice(at + 1));
  if (found === null) return null;
  const [, major, minor, patch, before] = found;
  return {
    of: release.slice(0, Math.max(0, at)),
    numbers: [major, minor, patch].map(Number),
    before: before === undefined ? [] : before.split('.'),
  };
}

/**
 * The order of two releases by semantic versioning (semver.org, 11): below 0 where `one` is the earlier one, 0
 * where neither is. Null where they cannot be compared.
 */
export function compareReleases(one: string, other: string): number | null {
  const [a, b] = [readVersion(one), readVersion(other)];
  if (a === null || b === null || a.of !== b.of) return null;
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A release with a pre-release part comes before one without.
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length;
  for (const [index, part] of a.before.entries()) {
    const against = b.before[index];
    if (against === undefined) return 1;
    const difference = compareParts(part, against);
    if (difference !== 0) return difference;
  }
  return a.before.length - b.before.length;
}

function compareParts(one: string, other: string): number {
  const [a, b] = [one, other].map((part) => (/^\d+$/.test(part) ? Number(part) : null));
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Numbers come before words.
  if (a !== null || b !== null) return a === null ? 1 : -1;
  return one === other ? 0 : one < other ? -1 : 1;
}

/** What decides whether an error has come back. */
export type Resolved = {
  /** When it was resolved. */
  at: number;
  /** The last release that may still have the error; null: any later event shows that the error is back. */
  in: string | null;
};

/**
 * Whether an event of a release shows that a resolved error is back. After a fix in a
 * release only a later release counts: by semantic versioning where both follow it, else by when each was first seen.
 *
 * @param firstSeen when the first event of a release came, or null
 */
export function isBack(
  resolved: Resolved,
  release: string | null,
  firstSeen: (release: string) => number | null,
): boolean {
  if (resolved.in === null) return true;
  if (release === null || resolved.in === release) return false;
  const order = compareReleases(release, resolved.in);
  if (order !== null && order !== 0) return order > 0;
  const seen = firstSeen(release);
  return seen === null || seen > (firstSeen(resolved.in) ?? resolved.at);
}
