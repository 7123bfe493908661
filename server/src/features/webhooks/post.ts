import { lookup as resolve, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostOf, isForbidden } from './addresses.ts';

/** What came of one POST: an answer's status, or why there was none (`redirect`: an answer that leads elsewhere). */
export type Posted = {
  status: number | null;
  failure: string | null;
  retryAfter: string | undefined;
  /** Milliseconds. */
  took: number;
};

const patienceMs = 10_000;
/** Of an answer's body; nobody looks at it, it is read so that the receiver can finish. */
const mostBytes = 4_096;

/**
 * Sends a body once and looks at the status alone; redirects are not followed. The address is looked at after its name has
 * been resolved, and that very address is connected to, so a name cannot lead elsewhere between look and use.
 *
 * @param signal gives it up; what came of it is then `cancelled`
 */
export async function post(
  url: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Posted> {
  const begun = performance.now();
  const deadline = AbortSignal.timeout(patienceMs);
  const answer = { status: null as number | null, retryAfter: undefined as string | undefined };
  const over = (failure: string | null): Posted => ({
    ...answer,
    failure,
    took: Math.round(performance.now() - begun),
  });
  try {
    const target = new URL(url);
    const host = hostOf(target);
    if (isIP(host) !== 0 && isForbidden(host)) return over('forbidden-address');
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(target, {
      method: 'POST',
      // A connection of its own: none is kept for the hours between two messages.
      agent: false,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: lookupAllowed,
      signal: AbortSignal.any([deadline, signal]),
    });
    const response = await answerOf(request, body);
    const { statusCode = 0 } = response;
    answer.status = statusCode;
    answer.retryAfter = response.headers['retry-after'];
    await readAway(response);
    return over(statusCode >= 300 && statusCode < 400 ? 'redirect' : null);
  } catch (error) {
    if (signal.aborted) return over('cancelled');
    return over(deadline.aborted ? 'timeout' : failureOf(error));
  }
}

async function answerOf(request: ClientRequest, body: string): Promise<IncomingMessage> {
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // What breaks after the answer's head changes nothing about its status.
  request.on('error', () => undefined);
  return response;
}

async function readAway(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) break;
    }
  } catch {
    // The status has been told; how the body ends does not matter.
  } finally {
    response.destroy();
  }
}

class ForbiddenAddress extends Error {}

const lookupAllowed: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return done(error, '', 0);
    const allowed = addresses.filter(({ address }) => !isForbidden(address));
    const [first] = allowed;
    if (first === undefined) return done(new ForbiddenAddress(hostname), '', 0);
    return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
  });
};

const failures: [codes: RegExp, failure: string][] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA)$/, 'unresolved'],
  [/CERT|SIGNATURE|TLS|SSL|^EPROTO$|^HOSTNAME_MISMATCH$/, 'tls'],
];

function failureOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return 'forbidden-address';
  const code = String((error as { code?: unknown }).code);
  return failures.find(([codes]) => codes.test(code))?.[1] ?? 'network';
}
