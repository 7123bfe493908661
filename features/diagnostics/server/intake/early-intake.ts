import type { IncomingMessage } from 'node:http';
import type { EarlyAnswer, EarlyIntake } from '#server/platform/http/early-answers.ts';
import { clientAddress } from '#server/platform/http/client-address.ts';
import { readEnvelope, type Envelope } from './envelope.ts';
import { answerTo, refusal } from './intake-answer.ts';
import { rateLimitsHeader } from './intake-limits.ts';
import { refusedByLimit } from './intake-problem.ts';
import { processEnvelope, type Sender, type ProcessingParts } from './process-envelope.ts';
import type { WorkingKeys } from './working-keys.ts';

export type EarlyIntakeParts = ProcessingParts & {
  keys(): WorkingKeys;
  trustProxy: false | number | string[];
  /** What every answer of the server carries. */
  headers: Record<string, string>;
};

const address = /^\/api\/(\d{1,10})\/envelope\/?\?(?:[^#]*&)?sentry_key=([0-9a-f]{32})(?:&|$)/;
const mostBytes = 65_536;

/**
 * Takes single errors, and refuses those of a flood, at little cost: what a browser sends for an error is nearly
 * always this. Everything else is left to the route, feedback above all.
 */
export function earlyIntake({
  keys,
  trustProxy,
  headers: everyAnswer,
  ...parts
}: EarlyIntakeParts): EarlyIntake {
  const { limits, writer } = parts;
  const refused = withEvery(refusal(refusedByLimit));

  /** The sender, if the key is in the address; otherwise null. */
  function senderOf(request: IncomingMessage): Sender | null {
    const [, project, key = ''] = address.exec(request.url ?? '') ?? [];
    const found = keys().byKey.get(key);
    const from = clientAddress(request, trustProxy);
    if (found === undefined || String(found.id) !== project || from === null) return null;
    // What is forwarded is the route's, except where it is refused.
    const sender = { projectId: found.id, key, address: from, caller: null };
    return found.forwardTo === null || limits.secondsUntil('error', sender) > 0 ? sender : null;
  }

  function withEvery<A extends EarlyAnswer>(answer: A): A {
    return { ...answer, headers: { ...everyAnswer, ...answer.headers } };
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
        // A person who is signed in: the route identifies them.
        sent['authorization'] === undefined &&
        senderOf(request) !== null
      );
    },
    answer(request, bytes) {
      const sender = senderOf(request);
      const envelope = sender === null ? null : errorAlone(bytes);
      if (sender === null || envelope === null) return null;
      const seconds = limits.secondsUntil('error', sender);
      if (seconds === 0) return answerTo(() => processEnvelope(parts, sender, envelope)).then(withEvery);
      writer.countRefused(sender.projectId);
      const named = { 'x-sentry-rate-limits': rateLimitsHeader(new Map([['error', seconds]])) };
      return { ...refused, headers: { ...refused.headers, ...named }, delayed: true };
    },
  };
}

/** An envelope with one error and nothing else; null for every other, and for what is none. */
function errorAlone(bytes: Buffer): Envelope | null {
  try {
    const envelope = readEnvelope(bytes);
    return envelope.items.length === 1 && envelope.items[0]?.type === 'event' ? envelope : null;
  } catch {
    return null;
  }
}
