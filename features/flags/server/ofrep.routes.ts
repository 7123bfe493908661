import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FeatureDefinition, FeatureRule } from '@growthbook/growthbook';
import { evaluateAllFlags, evaluateOneFlag, evaluationRequest } from '#features/flags/contract/ofrep.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { fieldProblems } from '#server/platform/http/validation.ts';
import { attributesOf, bearerOf, orCountRefusal, type FlagWireOptions } from './flag-wire.routes.ts';
import { type Payload, digestOf } from './payload.ts';
import { isHeld, json } from './plain-answers.ts';
import { personWith, type Decision, type Person } from './decide-flags.ts';
import type { Evaluator } from './evaluate.ts';
import type { ValueSlot } from './value-slots.ts';

const answered = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag',
  'cache-control': 'no-store',
};

/** The subject of an evaluation: attributes, or null for the flags of people who are not signed in. */
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
      // The address has no origin: SDKs use the origin of their request, which may differ from PUBLIC_URL.
      eventStreams: [{ type: 'sse', endpoint: { requestUri } }],
    });
    void reply.header('content-type', json).send(`{"flags":[${evaluated}],${rest.slice(1)}`);
  });

  /** The answers, prepared once per version of the flags. */
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

/** The entity tag of version, key and context together: no two contexts share an answer (RFC 9110, 8.8.3). */
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

/** The rules that decided, by flag. */
type Deciding = Map<string, number>;

/** Receives the slot of a flag's value. */
type Count = (slot: number) => void;

/** Answers of OFREP in one version of the flags, as JSON text. */
type OfrepAnswers = ReturnType<typeof prepareOfrepAnswers>;

/**
 * Evaluates like remote evaluation, and adds what OpenFeature requires: the reason for a flag's value, and a name
 * of the value. A text that is the same for many people is written once.
 */
function prepareOfrepAnswers({
  flags,
  definitions,
  slots,
}: Pick<Evaluator, 'flags' | 'definitions' | 'slots'>) {
  const decided = new Map(flags.decided.map(({ key, decide }) => [key, decide]));
  const answers = new Map(
    Object.entries(definitions)
      .filter(([key, { defaultValue }]) => decided.has(key) || defaultValue !== undefined)
      .map(([key, definition]) => [key, prepareFlag(key, definition)]),
  );

  function prepareFlag(key: string, { defaultValue, rules = [] }: FeatureDefinition) {
    const decide = decided.get(key);
    const texts: string[] = [];
    const slotsOf = slots.flags.get(key);
    const [ofDefault = 0] = slotsOf?.constants ?? [];
    if (decide === undefined)
      return (_person: Person, _deciding: Deciding, count: Count) => {
        count(ofDefault);
        return (texts[0] ??= written(key, { value: defaultValue }, 'STATIC'));
      };
    return (person: Person, deciding: Deciding, count: Count): string => {
      const decision = decide(person);
      count(slotsOf?.of(decision.value) ?? ofDefault);
      const write = () => written(key, decision, reasonOf(rules[deciding.get(key) ?? -1]));
      return decision.constant === null ? write() : (texts[decision.constant + 1] ??= write());
    };
  }

  return {
    /** The answer for one flag; null where there is no such flag. */
    one(key: string, attributes: Record<string, unknown>, count: (given: ValueSlot) => void): string | null {
      const counted = (slot: number) => {
        const given = slots.all[slot];
        if (given !== undefined) count(given);
      };
      return answers.get(key)?.(...watched(attributes), counted) ?? null;
    },
    /** The answers for all flags, or for those of `only`, with commas between them. */
    all(attributes: Record<string, unknown>, only: ReadonlySet<string> | null, counts: Uint32Array): string {
      const count = (slot: number) => {
        counts[slot] = (counts[slot] ?? 0) + 1;
      };
      const [person, deciding] = watched(attributes);
      const texts: string[] = [];
      for (const [key, answer] of answers)
        if (only === null || only.has(key)) texts.push(answer(person, deciding, count));
      return texts.join(',');
    },
  };
}

function watched(attributes: Record<string, unknown>): [Person, Deciding] {
  const deciding: Deciding = new Map();
  const person = personWith(attributes);
  person.trace = (key, rule, outcome) => {
    if (outcome === 'decides') deciding.set(key, rule);
  };
  return [person, deciding];
}

/** The reason for the value of a flag with rules, in OpenFeature's words. */
function reasonOf(rule: FeatureRule | undefined): string {
  if (rule === undefined) return 'DEFAULT';
  const isForAll = 'force' in rule && rule.coverage === undefined && !rule.range;
  return isForAll ? 'TARGETING_MATCH' : 'SPLIT';
}

function written(key: string, { value, from }: Pick<Decision, 'value' | 'from'>, reason: string): string {
  // Without a value, an SDK uses the default in the application's code, as GrowthBook's SDK does for null.
  if (value === null || value === undefined) return JSON.stringify({ key, reason: 'DEFAULT' });
  const variant = from === undefined ? nameOf(value) : from.result.key;
  const metadata = from === undefined ? undefined : { experiment: from.experiment.key };
  return JSON.stringify({ key, value, reason, variant, metadata });
}

const longestName = 40;

/** The name of a value that is not from an experiment: OpenFeature's SDK for Python requires a name. */
function nameOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isNameable = typeof value !== 'object' && text.length <= longestName;
  return isNameable ? text : digestOf(text).toString('hex', 0, 4);
}
