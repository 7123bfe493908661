import type { ServerEvent } from '#features/events/contract/events.ts';
import { eventMessage } from '#server/platform/http/event-stream.ts';
import type { ReportNews } from '#features/feedback/server/own-reports.ts';
import { inOrder, type NewsSet } from './news.ts';

/** What the features answer about persons whose browsers are connected. */
export type PersonAnswers = {
  /** The state of the person's account, such as `blocked`; null if there is no such person. */
  accountState(personId: string): { state: string } | null | Promise<{ state: string } | null>;
  /** Whether a blocked person is blocked because they were erased. */
  isErased(personId: string): Promise<boolean>;
  /** The ids of the given sessions that have not ended. */
  sessionsGoingOn(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The person's reports with a new status or reply since a time, as they may see it; the oldest change first. */
  reportsChangedSince(personId: string, since: number, most: number): Promise<ReportNews[]>;
  /** Whether a person holds a right now; answers synchronously if the rights are in memory. */
  holdsRight(personId: string, right: string): boolean | Promise<boolean>;
};

/** At most this many changed reports are sent one by one; a person with more looks at the list. */
const mostReports = 20;

/** Reloads by many browsers at once are spread over time: two milliseconds for each connection. */
const spreadEachMs = 2;
const mostSpreadMs = 10_000;

/** The events that carry news to a person's browsers. Changed reports are read in their current state. */
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

/** @param at the time of the last change that a browser knows of once it has received the message */
export function messageOf(event: ServerEvent, at: number): Buffer {
  return eventMessage({ event: event.type, id: String(at), data: JSON.stringify(event) });
}
