import {
  evaluateFeatures,
  readFeatures,
  subscribeFeatures,
  type ClientKeyKind,
} from '#features/flags/contract/flags.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { createNetworkPlaces } from '#server/platform/http/network.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { readEvaluationRequest } from './evaluation-request.ts';
import type { LiveFlags } from './live-flags.ts';
import type { UsageCounts } from './usage-counts.ts';
import { featuresFor, type PersonAttributesCache } from './values-for-person.ts';
import type { SeenAttributes } from './seen-attributes.ts';
import { bodyOf, digestOf, encode, personalVersionOf, plainFor } from './payload.ts';
import type { StickyDocuments } from './decide-flags.ts';
import type { StickyBuckets } from './sticky-buckets.ts';
import { codingOf, crossOrigin, isHeld, json, plainHeaders, taggedAs } from './plain-answers.ts';

export type FlagWireOptions = {
  flags: LiveFlags;
  counts: UsageCounts;
  seen: Pick<SeenAttributes, 'note'>;
  /** Throws TOKEN_EXPIRED, TOKEN_INVALID, SESSION_ENDED or PERSON_BLOCKED. */
  identify(bearer: string): Promise<Caller>;
  /** What rules may ask about a person, or null where there is none. */
  attributes: PersonAttributesCache;
  buckets: Pick<StickyBuckets, 'read'>;
  /** How many streams one network may have open in this process. */
  streamsOfNetwork: number;
};

const evaluated = { ...crossOrigin, 'content-type': json, 'cache-control': 'no-store' };

const mostEncodedBytes = 4_000_000;

export function flagWireRoutes(serve: Serve, options: FlagWireOptions): void {
  const { flags, counts, seen, buckets } = options;
  const placeFor = createNetworkPlaces(options.streamsOfNetwork);
  // People with the same values in the attributes that the rules read get the same bytes.
  const encoded = new LRUCache<string, Buffer>({
    maxSize: mostEncodedBytes,
    sizeCalculation: (bytes) => bytes.length,
  });

  serve(readFeatures, async ({ params, request, reply }) => {
    const kind = kindOf(params.clientKey);
    if (kind === 'plain') sendPlain(params.clientKey, request, reply);
    else if (kind === 'personal') await sendPersonal(params.clientKey, request, reply);
    else
      refuse(
        params.clientKey,
        'This client key is for remote evaluation: POST /api/eval/{clientKey}, or set remoteEval: true.',
      );
  });

  serve(evaluateFeatures, ({ params, request, reply }) => {
    if (kindOf(params.clientKey) !== 'remote-eval')
      refuse(params.clientKey, 'Remote evaluation is not enabled for this client key.');
    const { version, evaluator } = flags.current();
    flags.usage.evaluations += 1;
    const asked = orCountRefusal(counts, params.clientKey, () => readEvaluationRequest(request.body));
    seen.note(asked.attributes);
    counts.whole(params.clientKey);
    const send = (sticky?: StickyDocuments) => {
      const request = sticky === undefined ? asked : { ...asked, sticky };
      const evaluation = evaluator.evaluate(request, counts.bulk(params.clientKey, evaluator));
      void reply
        .headers(evaluated)
        .send(evaluation.bytes((features) => Buffer.from(bodyOf(features, version))));
    };
    const names = evaluator.flags.sticky;
    return names === null || !flags.isSticky(params.clientKey)
      ? send()
      : buckets.read(params.clientKey, asked.attributes, names).then(send);
  });

  serve(subscribeFeatures, ({ params, request, reply }) => {
    const seen = request.headers['last-event-id'];
    const query = request.query as { version?: unknown; lastEventId?: unknown; events?: unknown };
    const named = [seen, query.lastEventId, query.version].find(
      (one) => typeof one === 'string' && one !== '',
    );
    const kind = kindOf(params.clientKey);
    reply.raw.once('close', placeFor(request.ip));
    flags.stream(params.clientKey, query.events === 'ofrep' ? 'ofrep' : kind, reply, {
      seen: typeof named === 'string' ? named : null,
      headers: { 'access-control-allow-origin': '*' },
    });
  });

  function kindOf(clientKey: string): ClientKeyKind {
    const kind = flags.kindOf(clientKey);
    if (kind === null) {
      throw new HttpProblem('INVALID_REQUEST', {
        detail: 'Unknown client key.',
        headers: { 'x-unrecoverable': '1' },
      });
    }
    return kind;
  }

  function refuse(clientKey: string, detail: string): never {
    counts.note(clientKey, 'refused');
    throw new HttpProblem('INVALID_REQUEST', { detail });
  }

  function sendPlain(clientKey: string, request: FastifyRequest, reply: FastifyReply): void {
    counts.whole(clientKey);
    const plain = plainFor(flags.current(), clientKey);
    const coding = codingOf(request.headers['accept-encoding']);
    const held = isHeld(request.headers['if-none-match'], plain.etag);
    reply.headers(plainHeaders(plain, coding, held));
    if (held) void reply.code(304).send();
    else void reply.send(plain[coding]);
  }

  async function sendPersonal(
    clientKey: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const person = await attributesOf(bearerOf(request), options);
    const payload = flags.current();
    const { at } = payload;
    flags.usage.evaluations += 1;
    // Portico's own web sends `t_` (FLAG-8); its reads are counted separately.
    if ((request.query as { t_?: unknown }).t_ === undefined) counts.whole(clientKey);
    else counts.note(clientKey, 'own');
    const features = featuresFor(payload, person, counts.bulk(clientKey, payload.evaluator));
    const digest = digestOf(features);
    const etag = `${digest.toString('base64url')}.${at.toString(36)}`;
    const coding = codingOf(request.headers['accept-encoding']);
    reply.headers({
      ...crossOrigin,
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
      etag: taggedAs(etag, coding),
    });
    if (isHeld(request.headers['if-none-match'], etag)) {
      void reply.code(304).send();
      return;
    }
    if (coding !== 'identity') reply.header('content-encoding', coding);
    const key = `${etag} ${coding}`;
    const bytes =
      encoded.get(key) ??
      (await encode(Buffer.from(bodyOf(features, personalVersionOf(at, digest))), coding));
    encoded.set(key, bytes);
    void reply.header('content-type', json).send(bytes);
  }
}

export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * The attributes of the person of an access token, for personal keys; attributes that a client claims are
 * ignored. Null for an API token, which has no person, or without a token.
 */
export async function attributesOf(
  bearer: string | undefined,
  { identify, attributes }: Pick<FlagWireOptions, 'identify' | 'attributes'>,
): Promise<Record<string, unknown> | null> {
  if (bearer === undefined) return null;
  const caller = await identify(bearer);
  return caller.kind === 'person' ? attributes.get(caller.id) : null;
}

/** Answers what `read` answers; if `read` throws, counts a refused request for the key. */
export function orCountRefusal<T>(counts: UsageCounts, clientKey: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    counts.note(clientKey, 'refused');
    throw error;
  }
}
