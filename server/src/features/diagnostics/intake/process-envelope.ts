import type { Caller } from '../../../platform/http/access-check.ts';
import type { SentBytes } from '../../feedback/sent-pictures.ts';
import type { ReportSender, ReportToStore } from '../../feedback/store-report.ts';
import { lineOf } from './text-of.ts';
import { newId } from '../../../platform/keys/ids.ts';
import { createHash } from 'node:crypto';
import { readEventId, readPayload, type Envelope, type Item, type Json } from './envelope.ts';
import { readEvent } from './event.ts';
import type { EventWriter } from './event-writer.ts';
import { reportOfFeedback, reportOfUserReport } from './feedback-item.ts';
import { bytesOfToken, type Category, type IntakeLimits } from './intake-limits.ts';
import type { PersonHash } from './person-hash.ts';
import type { SampleChoice } from './sample-choice.ts';
import { sampleOf } from './sample.ts';
import { packSample } from './packed-sample.ts';

/** Who sends an envelope. */
export type Sender = {
  projectId: number;
  key: string;
  /** IP address. */
  address: string;
  /** The signed-in person or token, for Portico's own web; null for other senders. */
  caller: Caller | null;
};

/** The outcome of an envelope. */
export type ProcessedEnvelope = {
  /** The id of its event, or a new one. */
  id: string;
  /** Categories with refused items, each with the seconds to wait. */
  refused: Map<Category, number>;
  /** Whether any item was accepted. */
  accepted: boolean;
};

/** Stores a report and resolves once it is on disk. */
export type StoreReport = (
  sender: ReportSender,
  report: ReportToStore,
  pictures: readonly SentBytes[],
  options: { asksForm: boolean },
) => Promise<unknown>;

export type ProcessingParts = {
  storeReport: StoreReport;
  limits: IntakeLimits;
  writer: EventWriter;
  samples: SampleChoice;
  personHash: PersonHash;
};

const categories: Readonly<Record<string, Category>> = {
  event: 'error',
  feedback: 'feedback',
  user_report: 'feedback',
};

/** Seconds that senders have to wait when errors arrive faster than they can be written. */
const busySeconds = 5;

/**
 * Processes an envelope: errors are written, feedback is stored in the inbox with its pictures, other items
 * are ignored. All items are read before any is written. Resolves once all accepted ones are on disk.
 *
 * @throws IntakeProblem for an item that cannot be read; what storing throws
 */
export function processEnvelope(
  parts: ProcessingParts,
  sender: Sender,
  envelope: Envelope,
): Promise<ProcessedEnvelope> {
  // The envelope is not referenced while its events are written, so that it can be garbage-collected.
  const { written, ...taken } = begin(parts, sender, envelope);
  return Promise.all(written).then(() => taken);
}

function begin(
  parts: ProcessingParts,
  sender: Sender,
  { header, items }: Envelope,
): ProcessedEnvelope & { written: Promise<unknown>[] } {
  const refused = new Map<Category, number>();
  const work: (() => Promise<unknown>)[] = [];
  const pictures = items.filter(({ type }) => type === 'attachment').map(pictureOf);
  // The header's id is that of its first event or feedback; SDKs send one with each envelope.
  let own = readEventId(header['event_id']);
  let id = own;
  let accepted = items.length === 0;
  for (const item of items) {
    if (item.type === 'attachment') continue;
    // Client reports are not limited: SDKs cannot be asked to send fewer.
    if (item.type === 'client_report') {
      accepted = true;
      continue;
    }
    const category = categories[item.type] ?? 'other';
    const seconds = secondsToWait(parts, sender, category, item);
    if (seconds > 0) {
      refused.set(category, Math.max(seconds, refused.get(category) ?? 0));
      continue;
    }
    accepted = true;
    if (category === 'other') continue;
    const sent = readPayload(item.payload);
    if (item.type === 'user_report') {
      const report = reportOfUserReport(sent);
      work.push(() => storeReport(parts, sender, report, []));
      continue;
    }
    const eventId = own ?? readEventId(sent['event_id']) ?? idOf(item.payload);
    own = null;
    id ??= eventId;
    if (category === 'error') work.push(() => writeEvent(parts, sender, sent, eventId));
    else {
      const report = reportOfFeedback(sent, eventId);
      work.push(() => storeReport(parts, sender, report, pictures));
    }
  }
  return { id: id ?? newEventId(), refused, accepted, written: work.map((write) => write()) };
}

function storeReport(
  parts: ProcessingParts,
  { caller, address }: Sender,
  report: ReportToStore,
  pictures: readonly SentBytes[],
): Promise<unknown> {
  return parts.storeReport({ caller, address }, report, pictures, { asksForm: false });
}

function pictureOf({ header, payload }: Item): SentBytes {
  return { bytes: payload, filename: lineOf(header['filename'], 1_000) || 'picture.png' };
}

function secondsToWait(
  { limits, writer }: ProcessingParts,
  sender: Sender,
  category: Category,
  { payload }: Item,
): number {
  const cost = category === 'error' ? Math.ceil((payload.length + 1) / bytesOfToken) : 1;
  if (category === 'error' && !writer.hasRoom()) {
    writer.countRefused(sender.projectId);
    return busySeconds;
  }
  const seconds = limits.take(category, sender, cost);
  if (seconds > 0 && category === 'error') writer.countRefused(sender.projectId);
  return seconds;
}

function writeEvent(
  { writer, samples, personHash }: ProcessingParts,
  { projectId, address, caller }: Sender,
  payload: Json,
  eventId: string,
): Promise<void> {
  const known = caller?.kind === 'person' ? caller.id : null;
  const { sent, person, ...event } = readEvent(payload, { projectId, eventId, address, person: known });
  const row = { ...event, personHash: person === null ? null : personHash(person) };
  return samples.wants(event.fingerprint)
    ? packSample(sampleOf(sent)).then((sample) => writer.write({ ...row, sample }))
    : writer.write({ ...row, sample: null });
}

/** Of an event without an id: the same each time that it is sent. */
function idOf(payload: Buffer): string {
  return createHash('sha256').update(payload).digest('hex').slice(0, 32);
}

function newEventId(): string {
  return createHash('sha256').update(newId()).digest('hex').slice(0, 32);
}
