import type { IncomingMessage } from 'node:http';
import type { Core } from '#server/core.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { type EarlyAnswer, type EarlyIntake, clientAddress } from '#server/platform/http/early-answers.ts';
import { createEventWriter, type OnGroups } from './event-writer.ts';
import { createForwarding } from './forwarding.ts';
import { createIntakeLimits, rateLimitsHeader } from './intake-limits.ts';
import { intakeRoutes } from './intake.routes.ts';
import { createPersonHash } from './person-hash.ts';
import { createSampleChoice } from './sample-choice.ts';
import { type StoreReport, processEnvelope, type Sender, type ProcessingParts } from './process-envelope.ts';
import { makeOwnProject, readWorkingKeys, type WorkingKeys } from './working-keys.ts';
import { readEnvelope, type Envelope } from './envelope.ts';
import { answerTo, envelopeOutcomes, outcomeOf, refusal } from './intake-answer.ts';
import { refusedByLimit } from './intake-problem.ts';

type EarlyIntakeParts = ProcessingParts & {
  keys(): WorkingKeys;
  /** Counts an answer by its status. */
  countAnswer(status: number): void;
  trustProxy: false | number | string[];
  /** The headers of every answer of the server. */
  headers: Record<string, string>;
};

const address = /^\/api\/(\d{1,10})\/envelope\/?\?(?:[^#]*&)?sentry_key=([0-9a-f]{32})(?:&|$)/;
const mostBytes = 65_536;

/**
 * The intake of what SDKs send: it checks the key and the limits, groups events and writes them (DIAG-2).
 *
 * @param parts.storeReport stores feedback in the inbox
 * @param parts.onGroups called in the transaction that creates groups or reopens resolved ones
 */
export async function createIntake(
  core: Core,
  { onGroups, storeReport }: { onGroups: OnGroups; storeReport: StoreReport },
) {
  const { database, feed, logger } = core;
  await makeOwnProject(database);
  const keys = await memoryOf({
    read: () => readWorkingKeys(database.read),
    feed,
    topics: ['diagnostics'],
    logger,
    failure: 'the keys of diagnostics could not be read; those in memory stay in force',
  });
  const personHash = await createPersonHash(database);
  const forwarding = createForwarding(core);
  const limits = createIntakeLimits(core);
  const writer = createEventWriter(core, { onGroups, limits });
  const { feedbackWithoutSignIn } = core.config;
  const samples = createSampleChoice(core.clock);
  const count = core.metrics.counter({
    name: 'portico_envelopes_total',
    help: 'Envelopes and what else SDKs send, by outcome: limited are those that were asked to wait.',
    label: 'outcome',
    values: envelopeOutcomes,
  });
  const countAnswer = (status: number): void => count(outcomeOf(status));
  const taking = { limits, writer, storeReport, samples, personHash, feedbackWithoutSignIn, countAnswer };
  return {
    ownKey: () => keys.current().ownKey,
    /** Resolves once the keys in memory are at least as new as this call. */
    caughtUp: keys.caughtUp,
    personHash,
    measured: writer.measured,
    routes(serve: Serve, callers: Pick<AccessControl, 'identify' | 'identifySession'>) {
      intakeRoutes(serve, { ...taking, keys: keys.current, callers, forwarding });
    },
    early: () =>
      earlyIntake({
        ...taking,
        keys: keys.current,
        trustProxy: core.config.trustProxy,
        headers: core.securityHeaders,
      }),
    async close() {
      keys.close();
      await writer.close();
      await forwarding.close();
    },
  };
}

/**
 * Accepts envelopes with a single error, or refuses them in a flood, at little cost: browsers send nearly every
 * error in such an envelope. Everything else, feedback above all, is left to the route.
 */
function earlyIntake({ keys, trustProxy, headers: everyAnswer, ...parts }: EarlyIntakeParts): EarlyIntake {
  const { limits, writer } = parts;
  const refused = withEvery(refusal(refusedByLimit));

  /** The sender, if the key is in the address; otherwise null. */
  function senderOf(request: IncomingMessage): Sender | null {
    const [, project, key = ''] = address.exec(request.url ?? '') ?? [];
    const found = keys().byKey.get(key);
    const from = clientAddress(request, trustProxy);
    if (found === undefined || String(found.id) !== project || from === null) return null;
    // Envelopes to be forwarded are left to the route, unless a limit refuses them.
    const sender = { projectId: found.id, key, address: from, caller: null };
    return found.forwardTo === null || limits.secondsUntil('error', sender) > 0 ? sender : null;
  }

  function withEvery<A extends EarlyAnswer>(answer: A): A {
    return { ...answer, headers: { ...everyAnswer, ...answer.headers } };
  }

  function counted<A extends EarlyAnswer>(answer: A): A {
    parts.countAnswer(answer.status);
    return answer;
  }

  return {
    wants(request) {
      const { method, headers: sent } = request;
      const length = Number(sent['content-length'] ?? mostBytes);
      return (
        method === 'POST' &&
        length > 0 &&
        length < mostBytes &&
        sent['content-encoding'] === undefined &&
        // Requests of signed-in people are left to the route, which identifies the person.
        sent['authorization'] === undefined &&
        senderOf(request) !== null
      );
    },
    answer(request, bytes) {
      const sender = senderOf(request);
      const envelope = sender === null ? null : errorAlone(bytes);
      if (sender === null || envelope === null) return null;
      const seconds = limits.secondsUntil('error', sender);
      if (seconds === 0)
        return answerTo(() => processEnvelope(parts, sender, envelope)).then((made) =>
          counted(withEvery(made)),
        );
      writer.countRefused(sender.projectId);
      const named = { 'x-sentry-rate-limits': rateLimitsHeader(new Map([['error', seconds]])) };
      return counted({ ...refused, headers: { ...refused.headers, ...named }, delayed: true });
    },
  };
}

/** The envelope if it holds one error and nothing else; null for other envelopes and unreadable bytes. */
function errorAlone(bytes: Buffer): Envelope | null {
  try {
    const envelope = readEnvelope(bytes);
    return envelope.items.length === 1 && envelope.items[0]?.type === 'event' ? envelope : null;
  } catch {
    return null;
  }
}
