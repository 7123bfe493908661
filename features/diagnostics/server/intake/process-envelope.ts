import { ownProject } from '#features/diagnostics/contract/projects.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { SentBytes, ReportSender, ReportToStore } from '#features/feedback/server/store-report.ts';
import { lineOf } from './text-of.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { createHash } from 'node:crypto';
import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { readEventId, readPayload, type Dropped, type Envelope, type Item, type Json } from './envelope.ts';
import { readEvent } from './event.ts';
import type { EventWriter } from './event-writer.ts';
import { reportOfFeedback, reportOfUserReport } from './feedback-item.ts';
import { bytesOfToken, type Category, type IntakeLimits } from './intake-limits.ts';
import { badEnvelope, IntakeProblem } from './intake-problem.ts';
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
  /** The id of the envelope's event, or a new id. */
  id: string;
  /** Categories with refused items, each with the seconds to wait. */
  refused: Map<Category, number>;
  /** Whether any item was accepted. */
  accepted: boolean;
  /** The parts of the envelope that are not stored, in the order in which they came. */
  dropped: Dropped[];
};

/** Stores a report and resolves once it is on disk. */
export type StoreReport = (
  sender: ReportSender,
  report: ReportToStore,
  pictures: readonly SentBytes[],
  options: { asksForm: boolean; asCaller: boolean },
) => Promise<unknown>;

export type ProcessingParts = {
  storeReport: StoreReport;
  limits: IntakeLimits;
  writer: EventWriter;
  samples: SampleChoice;
  personHash: PersonHash;
  /** `FEEDBACK_WITHOUT_SIGN_IN` (BUG-6), which holds for Portico's own project too: everyone can read its DSN. */
  feedbackWithoutSignIn: boolean;
};

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const categories: Readonly<Record<string, Category>> = {
  event: 'error',
  feedback: 'feedback',
  user_report: 'feedback',
};

/** Seconds that senders have to wait when errors arrive faster than they can be written. */
const busySeconds = 5;
/** Seconds to wait where there is no room for new kinds of errors; errors of known kinds are stored. */
const noRoomSeconds = 60;

/**
 * Processes an envelope: errors are written, feedback is stored in the inbox with its pictures. An item that
 * cannot be read does not keep the others from being stored; it is dropped, and named in the answer. Resolves
 * once all accepted items are on disk.
 *
 * @throws IntakeProblem where parts cannot be read and no other part is stored; what storing throws
 */
export function processEnvelope(
  parts: ProcessingParts,
  sender: Sender,
  envelope: Envelope,
): Promise<ProcessedEnvelope> {
  // The envelope is not referenced while its events are written, so that it can be garbage-collected.
  const items = envelope.items.filter(({ type }) => type !== 'attachment').length;
  const { written, ...taken } = begin(parts, sender, envelope);
  return Promise.all(written).then((stored) => {
    if (!stored.includes(false)) return taken;
    taken.refused.set('error', noRoomSeconds);
    return { ...taken, accepted: taken.accepted && (stored.includes(true) || stored.length < items) };
  });
}

function begin(
  parts: ProcessingParts,
  sender: Sender,
  { header, items, fault, dropped = [] }: Envelope,
): ProcessedEnvelope & { written: Promise<boolean>[] } {
  const refused = new Map<Category, number>();
  const feedback: { report: ReportToStore; pictures: readonly SentBytes[] }[] = [];
  const events: (() => Promise<boolean>)[] = [];
  const { pictures, others } = attachmentsOf(items);
  // The header's id is that of its first event or feedback; SDKs send one with each envelope.
  let own = readEventId(header['event_id']);
  let id = own;
  let accepted = items.every(({ type }) => type === 'attachment');
  let problem = fault;
  for (const item of items) {
    if (item.type === 'attachment') {
      const other = others.get(item);
      if (other !== undefined) dropped.push(other);
      continue;
    }
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
    const name = item.type || 'item';
    if (category === 'other') {
      if (item.type === '') problem ??= badEnvelope('an item has no type');
      dropped.push({ name, reason: 'is not stored here' });
      continue;
    }
    try {
      if (category === 'feedback') refuseStranger(parts, sender);
      const sent = readPayload(item.payload);
      if (item.type === 'user_report') {
        feedback.push({ report: reportOfUserReport(sent), pictures: [] });
        continue;
      }
      const eventId = own ?? readEventId(sent['event_id']) ?? idOf(item.payload);
      if (category === 'error') events.push(() => writeEvent(parts, sender, sent, eventId));
      else feedback.push({ report: reportOfFeedback(sent, eventId), pictures });
      own = null;
      id ??= eventId;
    } catch (error) {
      if (!(error instanceof IntakeProblem)) throw error;
      problem ??= error;
      dropped.push({ name, reason: error.message });
    }
  }
  if (fault !== null) dropped.push({ name: 'envelope', reason: fault.message });
  if (problem !== null && events.length + feedback.length === 0) throw problem;
  const written = [
    ...events.map((write) => write()),
    ...feedback.map((each) => storeFeedback(parts, sender, each, dropped).then(() => true)),
  ];
  return { id: id ?? newEventId(), refused, accepted, dropped, written };
}

/** Throws for feedback about Portico from a stranger: its DSN is on the sign-in page, so anyone can use it. */
function refuseStranger({ feedbackWithoutSignIn }: ProcessingParts, { projectId, caller }: Sender): void {
  if (projectId === ownProject && caller?.kind !== 'person' && !feedbackWithoutSignIn)
    throw new IntakeProblem(
      'SIGN_IN_NEEDED',
      'Feedback about Portico itself is taken from people who are signed in.',
    );
}

/** The pictures of an envelope's feedback, and its other attachments, with the reasons why they are not stored. */
function attachmentsOf(items: readonly Item[]) {
  const pictures: SentBytes[] = [];
  const others = new Map<Item, Dropped>();
  const hasFeedback = items.some(({ type }) => type === 'feedback');
  for (const item of items) {
    if (item.type !== 'attachment') continue;
    const filename = lineOf(item.header['filename'], 200) || 'attachment';
    const reason = !hasFeedback
      ? 'is not stored here'
      : !pngSignature.equals(item.payload.subarray(0, pngSignature.length))
        ? 'is not a PNG'
        : pictures.length === feedbackLimits.pictures
          ? `is more than ${feedbackLimits.pictures} pictures`
          : null;
    if (reason === null) pictures.push({ bytes: item.payload, filename });
    else others.set(item, { name: filename, reason });
  }
  return { pictures, others };
}

/**
 * Stores feedback with its pictures. Refused pictures are left out, so that the person's text is not lost with
 * them. The tag `dropped` shows operators what was left out.
 */
async function storeFeedback(
  parts: ProcessingParts,
  sender: Sender,
  { report, pictures }: { report: ReportToStore; pictures: readonly SentBytes[] },
  dropped: Dropped[],
): Promise<void> {
  const { projectId, caller, address } = sender;
  const asCaller = projectId === ownProject && caller?.kind === 'person';
  const leftOut = dropped.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  const tags = leftOut === '' ? report.tags : { ...report.tags, dropped: lineOf(leftOut, 200) };
  try {
    await parts.storeReport({ caller, address }, { ...report, tags }, pictures, {
      asksForm: false,
      asCaller,
    });
  } catch (error) {
    const faults = pictures.length === 0 ? [] : faultsOf(error, pictures);
    if (faults.length === 0) throw error;
    dropped.push(...faults.map(({ picture, reason }) => ({ name: picture.filename, reason })));
    const good = pictures.filter((each) => !faults.some(({ picture }) => picture === each));
    await storeFeedback(parts, sender, { report, pictures: good }, dropped);
  }
}

/** The pictures that caused the refusal of a report; none where it was refused for another reason. */
function faultsOf(error: unknown, pictures: readonly SentBytes[]): { picture: SentBytes; reason: string }[] {
  if (!(error instanceof HttpProblem)) return [];
  if (error.code === 'STORAGE_FULL') {
    return pictures.map((picture) => ({ picture, reason: 'has no room' }));
  }
  return (error.details.errors ?? []).flatMap(({ pointer, message: reason }) => {
    const picture = pictures[Number(/^\/attachments\/(\d+)\//.exec(pointer)?.[1])];
    return picture === undefined ? [] : [{ picture, reason }];
  });
}

function secondsToWait(
  { limits, writer }: ProcessingParts,
  sender: Sender,
  category: Category,
  { payload }: Item,
): number {
  const cost = category === 'error' ? Math.ceil((payload.length + 1) / bytesOfToken) : 1;
  if (category === 'error' && (!writer.hasRoom() || (writer.isFull() && sender.caller?.kind !== 'person'))) {
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
): Promise<boolean> {
  const known = caller?.kind === 'person' ? caller.id : null;
  const { sent, person, ...event } = readEvent(payload, { projectId, eventId, address, person: known });
  const stranger = known === null ? address : null;
  const row = { ...event, stranger, personHash: person === null ? null : personHash(person) };
  return samples.wants(event.fingerprint)
    ? packSample(sampleOf(sent)).then((sample) => writer.write({ ...row, sample }))
    : writer.write({ ...row, sample: null });
}

/** The id for an event that has none: equal each time that the same payload is sent. */
function idOf(payload: Buffer): string {
  return createHash('sha256').update(payload).digest('hex').slice(0, 32);
}

function newEventId(): string {
  return createHash('sha256').update(newId()).digest('hex').slice(0, 32);
}
