import {
  evaluateFeatures,
  readFeatures,
  subscribeFeatures,
  type ClientKeyKind,
} from '@portico/contract/flags';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Caller, Serve } from '../../platform/serve.ts';
import { readEvaluationRequest } from './evaluation-request.ts';
import type { LiveFlags } from './live-flags.ts';
import { bodyOf, entityTag } from './payload.ts';

// GrowthBook's wire, as its SDKs speak it (wire-growthbook.md). Any page may read it: it carries no cookies, and the
// streaming hint must be exposed, or a cross-origin SDK never streams.

export type FlagWireOptions = {
  flags: LiveFlags;
  /** Throws TOKEN_EXPIRED, TOKEN_INVALID, SESSION_ENDED or PERSON_BLOCKED. */
  identify(bearer: string): Promise<Caller>;
  /** What rules may ask about a person, or null where there is none. */
  attributesOf(personId: string): Promise<Record<string, unknown> | null>;
  /** When what a person's own payload depends on last changed, milliseconds. */
  lastChange(personId: string): Promise<number>;
};

const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sse-support, etag',
  'x-sse-support': 'enabled',
};
const json = 'application/json; charset=utf-8';

export function flagWireRoutes(serve: Serve, options: FlagWireOptions): void {
  const { flags } = options;

  serve(readFeatures, async ({ params, request, reply }) => {
    const kind = kindOf(params.clientKey);
    if (kind === 'plain') sendPlain(request, reply);
    else if (kind === 'personal') await sendPersonal(request, reply);
    else
      refuse(
        'This client key is for remote evaluation: POST /api/eval/{clientKey}, or set remoteEval: true.',
      );
  });

  serve(evaluateFeatures, ({ params, request, reply }) => {
    if (kindOf(params.clientKey) !== 'remote-eval')
      refuse('Remote evaluation is not enabled for this client key.');
    const { at, evaluator } = flags.current();
    const features = evaluator.features(readEvaluationRequest(request.body));
    void reply
      .headers({ ...crossOrigin, 'content-type': json, 'cache-control': 'no-store' })
      .send(bodyOf(features, at));
  });

  serve(subscribeFeatures, ({ params, request, reply }) => {
    const seen = request.headers['last-event-id'];
    const query = request.query as { version?: unknown; lastEventId?: unknown };
    const named = [seen, query.lastEventId, query.version].find(
      (one) => typeof one === 'string' && one !== '',
    );
    flags.stream(kindOf(params.clientKey), reply, {
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

  function sendPlain(request: FastifyRequest, reply: FastifyReply): void {
    const { plain } = flags.current();
    const coding = codingOf(request.headers['accept-encoding']);
    // Strong tags differ by coding (RFC 9110, 8.8.3.3); each of them stands for this version.
    const etag = coding === 'identity' ? `"${plain.etag}"` : `"${plain.etag}-${coding}"`;
    reply.headers({ ...crossOrigin, etag, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' });
    if (request.headers['if-none-match']?.includes(`"${plain.etag}`) === true) {
      void reply.code(304).send();
      return;
    }
    if (coding !== 'identity') reply.header('content-encoding', coding);
    void reply.header('content-type', json).send(plain[coding]);
  }

  async function sendPersonal(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const caller = bearer === undefined ? null : await options.identify(bearer);
    const personId = caller?.kind === 'person' ? caller.id : null;
    // An API token is nobody's person, and what a client claims counts for nothing here.
    const [changedAt, attributes] =
      personId === null
        ? [0, null]
        : await Promise.all([options.lastChange(personId), options.attributesOf(personId)]);
    const { at, evaluator } = flags.current();
    const features = evaluator.features({
      attributes: attributes ?? {},
      forcedVariations: {},
      forcedFeatures: new Map(),
      url: '',
    });
    const body = bodyOf(features, Math.max(at, changedAt));
    const etag = `"${entityTag(body)}"`;
    reply.headers({ ...crossOrigin, etag, 'cache-control': 'private, no-cache', vary: 'Authorization' });
    if (request.headers['if-none-match']?.includes(etag) === true) void reply.code(304).send();
    else void reply.header('content-type', json).send(body);
  }
}

function refuse(detail: string): never {
  throw new HttpProblem('INVALID_REQUEST', { detail });
}

/** The smallest coding that the client takes. */
function codingOf(accepted: string | string[] | undefined): 'br' | 'gzip' | 'identity' {
  const codings = String(accepted ?? '')
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !/;\s*q=0(\.0*)?$/.test(coding))
    .map((coding) => coding.split(';', 1)[0]);
  return codings.includes('br') ? 'br' : codings.includes('gzip') ? 'gzip' : 'identity';
}
