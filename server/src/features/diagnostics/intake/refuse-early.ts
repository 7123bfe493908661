import type { IncomingMessage } from 'node:http';
import type { EarlyAnswer, EarlyAnswersOptions } from '../../../platform/http/early-answers.ts';
import { clientAddress } from '../../../platform/http/client-address.ts';
import { readEnvelope } from './envelope.ts';
import type { EventWriter } from './event-writer.ts';
import { rateLimitsHeader, type IntakeLimits } from './intake-limits.ts';
import { refusedByLimit } from './intake-problem.ts';
import type { WorkingKeys } from './working-keys.ts';

export type RefuseEarlyParts = {
  keys(): WorkingKeys;
  limits: IntakeLimits;
  writer: Pick<EventWriter, 'countRefused'>;
  trustProxy: false | number | string[];
  /** What every answer of the server carries. */
  headers: Record<string, string>;
};

const address = /^\/api\/(\d{1,10})\/envelope\/?\?(?:[^#]*&)?sentry_key=([0-9a-f]{32})(?:&|$)/;
const mostBytes = 65_536;

/** Refuses errors of a flood at little cost; everything else is left to the route, feedback above all. */
export function refuseEarly({
  keys,
  limits,
  writer,
  trustProxy,
  headers: everyAnswer,
}: RefuseEarlyParts): Pick<EarlyAnswersOptions, 'wants' | 'answer'> {
  const body = JSON.stringify({ detail: refusedByLimit.message, code: refusedByLimit.code });
  const headers = {
    ...everyAnswer,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
    'x-sentry-error': refusedByLimit.message,
  };

  /** Seconds until the sender may send an error again, and its project; null for one that may. */
  function limited(request: IncomingMessage): { seconds: number; projectId: number } | null {
    const [, project, key = ''] = address.exec(request.url ?? '') ?? [];
    const projectId = keys().byKey.get(key)?.id;
    const from = clientAddress(request, trustProxy);
    if (projectId === undefined || String(projectId) !== project || from === null) return null;
    const seconds = limits.secondsUntil('error', { key, address: from });
    return seconds === 0 ? null : { seconds, projectId };
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
        limited(request) !== null
      );
    },
    answer(request, bytes): EarlyAnswer | null {
      const found = limited(request);
      if (found === null || !holdsErrorsAlone(bytes)) return null;
      writer.countRefused(found.projectId);
      const refused = rateLimitsHeader(new Map([['error', found.seconds]]));
      return {
        status: refusedByLimit.status,
        headers: { ...headers, 'x-sentry-rate-limits': refused },
        body,
      };
    },
  };
}

function holdsErrorsAlone(bytes: Buffer): boolean {
  try {
    const { items } = readEnvelope(bytes);
    return items.length === 1 && items[0]?.type === 'event';
  } catch {
    return false;
  }
}
