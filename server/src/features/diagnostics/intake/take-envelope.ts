import type { Caller } from '../../../platform/http/access-check.ts';
import { newId } from '../../../platform/keys/ids.ts';
import { createHash } from 'node:crypto';
import { readEventId, readPayload, type Envelope, type Item, type Json } from './envelope.ts';
import { readEvent } from './event.ts';
import type { EventWriter } from './event-writer.ts';
import { IntakeProblem } from './intake-problem.ts';
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
  /** Where the server itself knows who it is; null for all others. */
  caller: Caller | null;
};

/** What came of an envelope. */
export type Taken = {
  /** The id of its event, or a new one. */
  id: string;
  /** Categories of which something was refused, each with the seconds to wait. */
  refused: Map<Category, number>;
  /** Whether anything else of it was accepted. */
  accepted: boolean;
};

export type TakeParts = {
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

/** How long senders wait when more errors come than can be written, seconds. */
const busySeconds = 5;

/**
 * Takes what is in an envelope: errors are written, feedback is stored, and what Portico has no use for is
 * left out. Resolves once everything that was accepted is on disk.
 *
 * @throws IntakeProblem for an item that cannot be read; what storing throws
 */
export async function takeEnvelope(
  parts: TakeParts,
  sender: Sender,
  { header, items }: Envelope,
): Promise<Taken> {
  const refused = new Map<Category, number>();
  const stored: Promise<unknown>[] = [];
  const first = readEventId(header['event_id']);
  let events = 0;
  let accepted = items.length === 0;
  let id = first;
  for (const item of items) {
    const category = categories[item.type] ?? 'other';
    const seconds = item.type === 'attachment' ? 0 : secondsToWait(parts, sender, category, item);
    if (seconds > 0) {
      refused.set(category, Math.max(seconds, refused.get(category) ?? 0));
      continue;
    }
    if (category === 'feedback') throw new IntakeProblem('UNAVAILABLE', 'Feedback cannot be stored yet.');
    if (item.type !== 'attachment') accepted = true;
    if (item.type !== 'event') continue;
    const sent = readPayload(item.payload);
    // The header's id is that of the first; SDKs send one event with each envelope.
    const eventId = (events === 0 ? first : null) ?? readEventId(sent['event_id']) ?? idOf(item.payload);
    events += 1;
    id ??= eventId;
    stored.push(writeEvent(parts, sender, sent, eventId));
  }
  await Promise.all(stored);
  return { id: id ?? newEventId(), refused, accepted };
}

function secondsToWait(
  { limits, writer }: TakeParts,
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

async function writeEvent(
  { writer, samples, personHash }: TakeParts,
  { projectId, address, caller }: Sender,
  payload: Json,
  eventId: string,
): Promise<void> {
  const known = caller?.kind === 'person' ? caller.id : null;
  const { sent, person, ...event } = readEvent(payload, { projectId, eventId, address, person: known });
  const sample = samples.wants(event.fingerprint) ? await packSample(sampleOf(sent)) : null;
  await writer.write({ ...event, personHash: person === null ? null : personHash(person), sample });
}

/** Of an event without an id: the same each time that it is sent. */
function idOf(payload: Buffer): string {
  return createHash('sha256').update(payload).digest('hex').slice(0, 32);
}

function newEventId(): string {
  return createHash('sha256').update(newId()).digest('hex').slice(0, 32);
}
