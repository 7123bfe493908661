import type { OwnReport } from '#features/feedback/contract/own-reports.ts';
import { base } from '#web/platform/base.ts';

const place = `${base}portico.my-reports.seen`;
/** Milliseconds after which news is not marked on a browser that has never shown the report. */
const memory = 14 * 86_400_000;
const most = 200;

type Seen = { person: string; at: Record<string, number> };

/** The time of the latest reply of an operator or change of status; 0: nothing has happened yet. */
export function latestNews({ replies, history }: Pick<OwnReport, 'replies' | 'history'>): number {
  const answered = replies.findLast(({ from }) => from === 'operator')?.at ?? 0;
  const changed = history.length > 1 ? (history.at(-1)?.at ?? 0) : 0;
  return Math.max(answered, changed);
}

/** The time of the sender's own last message, up to which they know the report if this browser stored no time. */
function ownWord({ createdAt, replies }: Pick<OwnReport, 'createdAt' | 'replies'>): number {
  return replies.findLast(({ from }) => from === 'reporter')?.at ?? createdAt;
}

/**
 * What a person has seen of their reports, in this browser.
 *
 * @param storage null: nothing is stored, and only what follows the person's own last message is news
 */
export function createSeenNews(storage: Pick<Storage, 'getItem' | 'setItem'> | null, now: () => number) {
  function read(person: string): Record<string, number> {
    try {
      const seen = JSON.parse(storage?.getItem(place) ?? 'null') as Seen | null;
      return seen !== null && seen.person === person && typeof seen.at === 'object' ? seen.at : {};
    } catch {
      return {};
    }
  }
  return {
    /** The time up to which the person has seen that report. */
    until(person: string, report: OwnReport): number {
      return read(person)[report.id] ?? Math.max(ownWord(report), now() - memory);
    },
    /** Stores that the person has now seen the report. */
    see(person: string, report: OwnReport): void {
      const at = latestNews(report);
      const seen = read(person);
      if (at === 0 || (seen[report.id] ?? 0) >= at) return;
      const all = Object.entries({ ...seen, [report.id]: at })
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, most);
      try {
        storage?.setItem(place, JSON.stringify({ person, at: Object.fromEntries(all) } satisfies Seen));
      } catch {
        // Storage is full: the report stays marked as new.
      }
    },
  };
}

export const seenNews = createSeenNews(pageStorage(), Date.now);

/** Whether something has happened to the report that the person has not seen. */
export function hasNews(person: string, report: OwnReport): boolean {
  return latestNews(report) > seenNews.until(person, report);
}

function pageStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
