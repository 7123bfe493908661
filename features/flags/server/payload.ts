import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FeatureDefinition, FeatureDefinitions } from '@growthbook/growthbook';
import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';
import { ruleAt } from '#features/flags/contract/schedules.ts';
import type { Segment } from '#features/flags/contract/segments.ts';
import {
  formatNotice,
  maintenanceFlag,
  maintenanceTextFlag,
  type Severity,
} from '#features/maintenance/contract/maintenance.ts';
import { eventMessage } from '#server/platform/http/event-stream.ts';
import { createEvaluator, emptyRequest, type Evaluator } from './evaluate.ts';
import type { KeyWithPayload } from './client-keys.store.ts';
import { countedText } from './value-slots.ts';
import { conditionsOf, createWriter, listsIn, writtenBytes, type Lists } from './segments.ts';

/** What maintenance projects into the flags (MAINT-1). */
export type MaintenanceProjection = { mode: 'off' | 'read-only' | 'full'; text: string; severity: Severity };

export type Coding = 'identity' | 'br' | 'gzip';

/** A body in each coding that clients accept, made once. */
export type PreparedBody = Record<Coding, Buffer> & { etag: string };

/** The payload for plain keys: the body, and the event `features` that contains the whole body. */
export type PlainPayload = PreparedBody & { event: Buffer };

/** One version of the flags, ready to be served. */
export type Payload = {
  /** The time in milliseconds that is the version; also the id of the event, and `dateUpdated` in text form. */
  at: number;
  /** The version in the payload's text form. */
  version: string;
  features: string;
  /** A digest of the payload without its time. */
  content: string;
  /** The payload for plain keys that are not in `ofKeys`. */
  plain: PlainPayload;
  /**
   * The payloads for plain keys that have one of their own: with the values of lists written out, for SDKs that
   * do not know `savedGroups`, or encrypted.
   */
  ofKeys: ReadonlyMap<string, PlainPayload>;
  /** True: lists would make the payload for older SDKs too large, so it only names them, which these SDKs ignore. */
  olderIsTooLarge: boolean;
  /** An empty event `features-updated`, after which clients load the payload. */
  updatedEvent: Buffer;
  /** The event with the same effect for clients of OFREP. */
  refetchEvent: Buffer;
  evaluator: Evaluator;
  /** The evaluated features of browsers whose person is not signed in, as JSON text. */
  signedOut: string;
  /** The slots of the values in `signedOut`, for counting them. */
  signedOutSlots: Uint32Array;
};

/**
 * The flags in the form for GrowthBook's clients: the flags that are on, with the rules that apply at the time
 * `now`, in which the conditions of segments are written out; and maintenance as two flags without rules, the
 * same for everyone.
 */
export function definitionsOf(
  flags: readonly Flag[],
  maintenance: MaintenanceProjection,
  segments: readonly Segment[],
  now: number,
): FeatureDefinitions {
  const write = createWriter(segments);
  const definitions: FeatureDefinitions = {};
  for (const { key, enabled, defaultValue, rules } of flags) {
    if (!enabled) continue;
    const definition: FeatureDefinition = { defaultValue };
    const present = rules.flatMap((rule) => ruleAt(rule, now) ?? []);
    if (present.length > 0) definition.rules = present as NonNullable<FeatureDefinition['rules']>;
    definitions[key] = write(definition);
  }
  definitions[maintenanceFlag] = { defaultValue: maintenance.mode === 'full' };
  definitions[maintenanceTextFlag] = {
    defaultValue: formatNotice({
      maintenanceText: maintenance.text,
      maintenanceTextSeverity: maintenance.severity,
    }),
  };
  return definitions;
}

/** The body of every successful answer, made of JSON texts; only plain keys get groups (FLAG-9). */
export function bodyOf(features: string, version: string, savedGroups = '{}'): string {
  const groups = savedGroups === '{}' ? '' : `"savedGroups":${savedGroups},`;
  return `{"status":200,"features":${features},${groups}"dateUpdated":"${version}"}`;
}

/** A version in its text form, `dateUpdated`, which an SDK compares as a text. */
export function versionOf(at: number): string {
  return new Date(at).toISOString();
}

/**
 * The version of one person's payload: the time of the flags, with digits after the milliseconds that stand for
 * the values. An SDK ignores a payload whose version it already has, so the version must change when a role
 * changes the values, and must differ between two people of one browser. It must not use the current time, or
 * flags that are changed later could seem older.
 */
export function personalVersionOf(at: number, digest: Buffer): string {
  const digits = String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0');
  return versionOf(at).replace('Z', `${digits}Z`);
}

/** Whether the last event id or `dateUpdated` that a client has seen belongs to this version of the flags. */
export function isOfVersion(seen: string, at: number): boolean {
  const [date = ''] = versionOf(at).split('Z');
  return seen === String(at) || (seen.startsWith(date) && /^\d*Z$/.test(seen.slice(date.length)));
}

/** The entity tag of bytes (RFC 9110, 8.8.3). */
export function digestOf(bytes: string | Buffer): Buffer {
  return createHash('sha1').update(bytes).digest();
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Compresses well enough for a body that is sent thousands of times, and fast enough for a waiting operator. */
const brotliQuality = 5;

/** A body in one coding. */
export async function encode(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return body;
  if (coding === 'gzip') return zip(body);
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;
  return brotli(body, { params: { [quality]: brotliQuality, [size]: body.length } });
}

/** The parts of a payload as JSON texts. */
type PayloadTexts = { features: string; savedGroups: string };

/**
 * The body for SDKs that have the decryption key, encrypted like GrowthBook's: AES-128-CBC, `iv.text`. The
 * initialization vector is derived from the text, so the same text gives the same body on every replica.
 */
export function encryptedBodyOf(texts: PayloadTexts, version: string, decryptionKey: string): string {
  const key = Buffer.from(decryptionKey, 'base64');
  const encrypt = (text: string) => {
    const iv = createHmac('sha256', key).update(text).digest().subarray(0, 16);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `"${iv.toString('base64')}.${encrypted.toString('base64')}"`;
  };
  const groups = texts.savedGroups === '{}' ? '' : `"encryptedSavedGroups":${encrypt(texts.savedGroups)},`;
  return `{"status":200,"features":{},"encryptedFeatures":${encrypt(texts.features)},${groups}"dateUpdated":"${version}"}`;
}

/** The limit, in bytes, for lists in a payload for older SDKs: each rule that names a list repeats it. */
const mostWritten = 33_554_432;

function bytesWritten(definitions: FeatureDefinitions, lists: Lists): number {
  const sizes = new Map(
    Object.entries(lists).map(([id, values]) => [id, { bytes: Buffer.byteLength(JSON.stringify(values)) }]),
  );
  const conditions = Object.values(definitions).flatMap(({ rules = [] }) =>
    conditionsOf(rules as FlagRule[]),
  );
  return writtenBytes(conditions, sizes);
}

/**
 * Prepares a version of the flags: the work that would otherwise be repeated for each request, off the event
 * loop where it takes long.
 *
 * @param parts.lists the values of all lists
 * @param parts.keys the plain keys that get a payload of their own
 * @param parts.forSignedOut the flags that are also for people who are not signed in, without the flags of
 *   maintenance
 */
export async function compilePayload(
  definitions: FeatureDefinitions,
  at: number,
  {
    lists,
    forSignedOut,
    keys,
  }: { lists: Lists; forSignedOut: readonly string[]; keys: readonly KeyWithPayload[] },
): Promise<Payload> {
  const features = JSON.stringify(definitions);
  const savedGroups = listsIn(definitions, lists);
  const texts = { features, savedGroups: JSON.stringify(savedGroups) };
  const version = versionOf(at);
  const id = String(at);
  const evaluator = createEvaluator(definitions, savedGroups);
  const plain = await plainOf(id, bodyOf(features, version, texts.savedGroups));
  const write = createWriter([], savedGroups);
  const isWritten = keys.some(({ olderSdks }) => olderSdks) && texts.savedGroups !== '{}';
  const olderIsTooLarge = isWritten && bytesWritten(definitions, savedGroups) > mostWritten;
  const olderTexts =
    !isWritten || olderIsTooLarge
      ? texts
      : {
          features: JSON.stringify(
            Object.fromEntries(Object.entries(definitions).map(([key, flag]) => [key, write(flag)])),
          ),
          savedGroups: '{}',
        };
  const older = olderTexts === texts ? plain : await plainOf(id, bodyOf(olderTexts.features, version));
  const ofKeys = new Map<string, PlainPayload>();
  for (const { key, olderSdks, decryptionKey } of keys) {
    const own =
      decryptionKey === null
        ? older
        : await plainOf(id, encryptedBodyOf(olderSdks ? olderTexts : texts, version, decryptionKey));
    ofKeys.set(key, own);
  }
  return {
    at,
    version,
    features,
    content: digestOf(JSON.stringify([texts, forSignedOut, keys])).toString('base64url'),
    plain,
    ofKeys,
    olderIsTooLarge,
    updatedEvent: eventMessage({ event: 'features-updated', id, data: '' }),
    refetchEvent: eventMessage({ event: 'message', id, data: '{"type":"refetchEvaluation"}' }),
    evaluator,
    ...signedOutFeatures(evaluator, [...forSignedOut, maintenanceFlag, maintenanceTextFlag]),
  };
}

async function plainOf(id: string, text: string): Promise<PlainPayload> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([encode(identity, 'br'), encode(identity, 'gzip')]);
  const etag = digestOf(identity).toString('base64url');
  return { identity, br, gzip: zipped, etag, event: eventMessage({ event: 'features', id, data: text }) };
}

/** What a plain key gets. */
export function plainFor({ plain, ofKeys }: Payload, clientKey: string): PlainPayload {
  return ofKeys.get(clientKey) ?? plain;
}

function signedOutFeatures(evaluator: Evaluator, keys: readonly string[]) {
  const features = JSON.parse(evaluator.evaluate(emptyRequest).features) as FeatureDefinitions;
  const shown = Object.entries(features).filter(([key]) => keys.includes(key));
  return {
    signedOut: JSON.stringify(Object.fromEntries(shown)),
    signedOutSlots: Uint32Array.from(
      shown,
      ([key, { defaultValue }]) => evaluator.slots.flags.get(key)?.ofText(countedText(defaultValue)) ?? 0,
    ),
  };
}
