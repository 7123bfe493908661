import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FeatureDefinition, FeatureDefinitions } from '@growthbook/growthbook';
import type { Flag } from '@portico/contract/flags';
import {
  formatNotice,
  maintenanceFlag,
  maintenanceTextFlag,
  type Severity,
} from '@portico/contract/maintenance';
import { eventMessage } from '../../platform/event-stream.ts';
import { createEvaluator, type Evaluator } from './evaluate.ts';

/** What maintenance projects into the flags (MAINT-1). */
export type MaintenanceProjection = { mode: 'off' | 'read-only' | 'full'; text: string; severity: Severity };

/** A body in the codings that clients take, made once. */
export type PreparedBody = { identity: Buffer; br: Buffer; gzip: Buffer; etag: string };

/** One version of the flags, ready to be served. */
export type Payload = {
  /** The time that is its version, milliseconds; `dateUpdated` and the id of its event. */
  at: number;
  /** What tells two payloads apart besides their time. */
  features: string;
  plain: PreparedBody;
  /** `features`, with the whole body, for plain keys. */
  featuresEvent: Buffer;
  /** `features-updated`, with nothing in it, for those who ask again. */
  updatedEvent: Buffer;
  evaluator: Evaluator;
};

/**
 * The flags as GrowthBook's clients know them: those that are on, with their rules, and maintenance as two flags without
 * rules, the same for everyone.
 */
export function definitionsOf(
  flags: readonly Flag[],
  maintenance: MaintenanceProjection,
): FeatureDefinitions {
  const definitions: FeatureDefinitions = {};
  for (const { key, enabled, defaultValue, rules } of flags) {
    if (!enabled) continue;
    const definition: FeatureDefinition = { defaultValue };
    if (rules.length > 0) definition.rules = rules as NonNullable<FeatureDefinition['rules']>;
    definitions[key] = definition;
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

/** The body of every good answer; `features` is JSON text. */
export function bodyOf(features: string, at: number): string {
  return `{"status":200,"features":${features},"dateUpdated":"${new Date(at).toISOString()}"}`;
}

/** Strong, over the bytes themselves (RFC 9110, 8.8.3), without its quotes. */
export function entityTag(body: string | Buffer): string {
  return createHash('sha1').update(body).digest('base64url');
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Good enough for a body that is sent thousands of times, quick enough for an operator who waits for the change. */
const brotliQuality = 5;

/** Prepares a version: everything that would otherwise be done for each request is done here, off the event loop where it takes long. */
export async function compilePayload(definitions: FeatureDefinitions, at: number): Promise<Payload> {
  const features = JSON.stringify(definitions);
  const text = bodyOf(features, at);
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([
    brotli(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
    zip(identity),
  ]);
  const id = String(at);
  return {
    at,
    features,
    plain: { identity, br, gzip: zipped, etag: entityTag(identity) },
    featuresEvent: eventMessage({ event: 'features', id, data: text }),
    updatedEvent: eventMessage({ event: 'features-updated', id, data: '' }),
    evaluator: createEvaluator(definitions),
  };
}
