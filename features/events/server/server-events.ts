import type { ServerEvent } from '#features/events/contract/events.ts';
import { eventMessage } from '#server/platform/http/event-stream.ts';
import type { ReportNews } from '#features/feedback/server/own-reports.ts';
import { inOrder, type NewsSet } from './news.ts';

/** What the features answer about persons whose browsers are connected. */
export type PersonAnswers = {
  /** Whether a person may be here now; null where there is no such person. */
  accountState(personId: string): { state: string } | null | Promise<{ state: string } | null>;
  /** Of a person who is blocked: whether that is because they were erased. */
  isErased(personId: string): Promise<boolean>;
  /** Those of the sessions that go on. */
  sessionsGoingOn(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Own reports that have another status since, as their reporter may know it, the first to change first. */
  reportsChangedSince(personId: string, since: number, most: number): Promise<ReportNews[]>;
  /** Whether a person holds a right now, synchronously where that is in memory. */
  holdsRight(personId: string, right: string): boolean | Promise<boolean>;
};

/** With more of them a person looks at the list. */
const mostReports = 20;

/** What many load again at once is spread over time: two milliseconds for each connection. */
const spreadEachMs = 2;
const mostSpreadMs = 10_000;

/** The events that carry news to a person's browsers. Single reports are read as they are now. */
export async function eventsOf(
  answers: Pick<PersonAnswers, 'reportsChangedSince'>,
  personId: string,
  set: NewsSet,
  since: number,
): Promise<ServerEvent[]> {
  const events = inOrder(set).map(async ({ news, receivers }) => {
    switch (news.type) {
      case 'report':
        return answers.reportsChangedSince(personId, since, mostReports);
      case 'rights':
      case 'changed':
        return [{ ...news, within: Math.min(spreadEachMs * receivers, mostSpreadMs) }];
      default:
        return [news];
    }
  });
  return (await Promise.all(events)).flat();
}

/** @param at the time of the last change that a browser knows of which has received it */
export function messageOf(event: ServerEvent, at: number): Buffer {
  return eventMessage({ event: event.type, id: String(at), data: JSON.stringify(event) });
}
