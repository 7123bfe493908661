import { createHash } from 'node:crypto';
import { evaluateAllFlags, evaluateOneFlag, evaluationRequest } from '#features/flags/contract/ofrep.ts';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { fieldProblems } from '#server/platform/http/validation.ts';
import { attributesOf, bearerOf, orCountRefusal, type FlagWireOptions } from './flag-wire.routes.ts';
import { prepareOfrepAnswers, type OfrepAnswers } from './ofrep-answers.ts';
import type { Payload } from './payload.ts';
import { isHeld, json } from './plain-answers.ts';

const answered = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag',
  'cache-control': 'no-store',
};

/** For whom flags are asked: attributes, or null for the flags of people who are not signed in. */
type Asked = { clientKey: string; attributes: Record<string, unknown> | null };

/** OpenFeature's Remote Evaluation Protocol (FLAG-13). */
export function ofrepRoutes(
  serve: Serve,
  options: Omit<FlagWireOptions, 'streamsOfNetwork' | 'buckets'> & { basePath: string },
): void {
  const { flags, counts, seen, basePath } = options;
  let prepared: { of: Payload; answers: OfrepAnswers; signedOut: ReadonlySet<string> } | null = null;

  serve(evaluateOneFlag, async ({ params, request, reply }) => {
    const { attributes, clientKey } = await askedBy(request);
    const { answers, signedOut } = current();
    const isShown = attributes !== null || signedOut.has(params.key);
    counts.note(clientKey, 'single');
    const answer = isShown
      ? answers.one(params.key, attributes ?? {}, ({ flagKey, value }) =>
          counts.note(clientKey, 'asked', flagKey, value),
        )
      : null;
    if (answer === null) {
      if (flags.isFlag(params.key)) counts.note(clientKey, 'asked', params.key);
      throw new HttpProblem('NOT_FOUND', { detail: 'There is no such flag that is on.' });
    }
    flags.usage.evaluations += 1;
    void reply.headers(answered).header('content-type', json).send(answer);
  });

  serve(evaluateAllFlags, async ({ request, reply }) => {
    const asked = await askedBy(request);
    const { of: payload, answers, signedOut } = current();
    const etag = etagOf(payload, asked);
    reply.headers(answered).header('etag', `"${etag}"`);
    flags.usage.evaluations += 1;
    counts.whole(asked.clientKey);
    if (isHeld(request.headers['if-none-match'], etag)) return void reply.code(304).send();
    const { attributes, clientKey } = asked;
    const evaluated = answers.all(
      attributes ?? {},
      attributes === null ? signedOut : null,
      counts.bulk(clientKey, payload.evaluator),
    );
    const requestUri = `${basePath}/sub/${clientKey}?events=ofrep&version=${payload.at}`;
    const rest = JSON.stringify({
      metadata: { version: payload.version },
      // Its origin is that of the request, which PUBLIC_URL need not be.
      eventStreams: [{ type: 'sse', endpoint: { requestUri } }],
    });
    void reply.header('content-type', json).send(`{"flags":[${evaluated}],${rest.slice(1)}`);
  });

  /** What is prepared once per version of the flags. */
  function current() {
    const of = flags.current();
    if (prepared?.of !== of) {
      const signedOut = new Set(Object.keys(JSON.parse(of.signedOut) as object));
      prepared = { of, answers: prepareOfrepAnswers(of.evaluator), signedOut };
    }
    return prepared;
  }

  /** With a personal key the context is ignored, and the bearer is the person's access token (FLAG-1). */
  async function askedBy(request: FastifyRequest): Promise<Asked> {
    const named = request.headers['x-api-key'];
    const bearer = bearerOf(request);
    const clientKey = typeof named === 'string' ? named : bearer;
    const kind = clientKey === undefined ? null : flags.kindOf(clientKey);
    if (clientKey === undefined || kind === null)
      throw new HttpProblem('UNAUTHENTICATED', {
        detail: 'Send a client key that works, as bearer or in X-API-Key.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    if (kind === 'personal')
      return { clientKey, attributes: bearer === clientKey ? null : await attributesOf(bearer, options) };
    const context = orCountRefusal(counts, clientKey, () => contextIn(request.body));
    const { targetingKey } = context;
    const attributes = targetingKey === undefined ? context : { id: targetingKey, ...context };
    seen.note(attributes);
    return { clientKey, attributes };
  }
}

/** Of the version, the key and the context together: no two contexts share an answer (RFC 9110, 8.8.3). */
function etagOf({ at }: Payload, { clientKey, attributes }: Asked): string {
  const of = JSON.stringify([at, clientKey, attributes]);
  return createHash('sha256').update(of).digest('base64url');
}

function contextIn(body: unknown): Record<string, unknown> {
  const read = evaluationRequest.safeParse(body ?? {});
  if (read.success) return read.data.context ?? {};
  const [wrong] = fieldProblems(read.error.issues);
  throw new HttpProblem('INVALID_REQUEST', { detail: `${wrong?.pointer} ${wrong?.message}`.trim() });
}
