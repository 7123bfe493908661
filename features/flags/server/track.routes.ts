import { trackedEvents, trackEvents } from '#features/flags/contract/usage.ts';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { jsonShapeProblem } from '#server/platform/http/json-shape.ts';
import { BodyNotReceived, receiveBytes } from '#server/platform/http/receive-bytes.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { fieldProblems } from '#server/platform/http/validation.ts';
import type { LiveFlags } from './live-flags.ts';
import type { UsageCounts } from './usage-counts.ts';
import { dayStep } from './usage.store.ts';
import { countedText } from './value-slots.ts';

const mostBytes = 524_288;
/** The limit for different SDK versions that one process counts separately for a key in a day. */
const mostSdks = 20;
const sdk = /^[a-z][a-z0-9_-]{0,19} \d[0-9A-Za-z.+-]{0,29}$/i;

type Tracked = z.infer<typeof trackedEvents>[number];

/**
 * Counts the reports of SDKs that evaluate flags themselves, through GrowthBook's tracking plugin (FLAG-16).
 * Anyone with the key can invent reports, so they only add to counts of existing flags and values.
 */
export function trackRoutes(
  serve: Serve,
  {
    flags,
    counts,
    clock,
    addressLimit,
  }: Pick<Core, 'clock' | 'addressLimit'> & {
    flags: Pick<LiveFlags, 'current' | 'kindOf' | 'isFlag'>;
    counts: UsageCounts;
  },
): void {
  // Smaller than the limit of all routes together, so a flood of reports leaves room for flags and sign-ins.
  const limit = addressLimit({ burst: 600, perSecond: 30 });
  let sdks = { day: 0, ofKeys: new Map<string, Set<string>>() };

  serve(
    trackEvents,
    async ({ body, request, reply }) => {
      const { client_key: named } = request.query as { client_key?: unknown };
      const key = typeof named === 'string' ? named : '';
      reply.header('access-control-allow-origin', '*');
      if (flags.kindOf(key) === null)
        throw new HttpProblem('INVALID_REQUEST', { detail: 'Unknown client key.' });
      let events: Tracked[];
      try {
        events = await readEvents(body, request);
      } catch (error) {
        counts.note(key, 'refused');
        throw error;
      }
      for (const event of events) count(key, event);
    },
    { limit },
  );

  function count(key: string, event: Tracked): void {
    counts.note(key, 'sdk', '', sdkOf(key, event));
    if (event.event_name !== 'Feature Evaluated') return;
    const { feature, value } = event.properties_json ?? {};
    if (typeof feature !== 'string' || !flags.isFlag(feature)) {
      counts.note(key, 'unknown');
      return;
    }
    const { slots } = flags.current().evaluator;
    const slot = slots.flags.get(feature)?.ofText(countedText(value));
    counts.note(key, 'events');
    // A value that the flag does not have is not stored: it could be any text.
    counts.note(key, 'seen', feature, slot === undefined ? '' : slots.all[slot]?.value);
  }

  function sdkOf(key: string, { sdk_language: language, sdk_version: version }: Tracked): string {
    const name = `${language} ${version}`;
    const day = Math.floor(clock.now() / dayStep);
    if (sdks.day !== day) sdks = { day, ofKeys: new Map() };
    const known = sdks.ofKeys.get(key) ?? new Set();
    sdks.ofKeys.set(key, known);
    if (!sdk.test(name) || (!known.has(name) && known.size >= mostSdks)) return '';
    known.add(name);
    return name;
  }
}

/** Throws TOO_LARGE, BAD_JSON or INVALID_BODY. */
async function readEvents(body: Readable | undefined, request: FastifyRequest): Promise<Tracked[]> {
  const announced = request.headers['content-length'];
  let text: string;
  try {
    text = (await receiveBytes(body, { most: mostBytes, steps: [], announced })).toString();
  } catch (error) {
    if (!(error instanceof BodyNotReceived)) throw error;
    throw new HttpProblem(error.reason === 'broken' ? 'INVALID_REQUEST' : 'TOO_LARGE');
  }
  const excess = jsonShapeProblem(text);
  if (excess !== null) throw new HttpProblem('BAD_JSON', { detail: excess });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new HttpProblem('BAD_JSON');
  }
  const read = trackedEvents.safeParse(parsed);
  if (!read.success) throw new HttpProblem('INVALID_BODY', { errors: fieldProblems(read.error.issues) });
  return read.data;
}
