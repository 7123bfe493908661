import { lookup as resolve, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { request as requestHttp, type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { hostOf, isForbidden } from './addresses.ts';

/** The result of one POST: its status, or why there was none (`redirect`: the answer leads elsewhere). */
export type Posted = {
  status: number | null;
  failure: string | null;
  retryAfter: string | undefined;
  /** The header `X-Sentry-Rate-Limits`, of hosts that take envelopes. */
  rateLimits?: string;
  /** Milliseconds. */
  took: number;
};

const timeoutMs = 10_000;
/** The most bytes that are read of an answer's body, which is read only so that the receiver can finish. */
const mostBytes = 4_096;

type ToPost = {
  headers: Record<string, string>;
  body: string | Buffer;
  /** Cancels the POST, whose result is then `cancelled`. */
  signal: AbortSignal;
  /** Left out: a connection of its own, since none stays open for the hours between two messages. */
  agent?: Agent;
  /** Milliseconds for everything until the answer's head. */
  timeout?: number;
};

/**
 * Sends a body once and looks at the status alone; redirects are not followed. The address is checked after
 * its name has been resolved, and the connection goes to that address, so a name cannot change between check
 * and use.
 */
export async function post(
  url: string,
  { headers, body, signal, agent, timeout = timeoutMs }: ToPost,
): Promise<Posted> {
  const begun = performance.now();
  const deadline = AbortSignal.timeout(timeout);
  const over = (failure: string | null, head?: IncomingMessage): Posted => ({
    status: head?.statusCode ?? null,
    retryAfter: head?.headers['retry-after'],
    ...rateLimitsOf(head),
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
      agent: agent ?? false,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: lookupAllowed,
      signal: AbortSignal.any([deadline, signal]),
    });
    const response = await answerOf(request, body);
    const { statusCode = 0 } = response;
    const posted = over(statusCode >= 300 && statusCode < 400 ? 'redirect' : null, response);
    await readAway(response);
    return posted;
  } catch (error) {
    if (signal.aborted) return over('cancelled');
    return over(deadline.aborted ? 'timeout' : failureOf(error));
  }
}

function rateLimitsOf(head: IncomingMessage | undefined): Pick<Posted, 'rateLimits'> {
  const rateLimits = head?.headers['x-sentry-rate-limits'];
  return typeof rateLimits === 'string' ? { rateLimits } : {};
}

async function answerOf(request: ClientRequest, body: string | Buffer): Promise<IncomingMessage> {
  // What breaks after the answer's head changes nothing about its status.
  request.on('error', () => undefined);
  // Without this listener Node would report neither a response nor an error, and the timeout would not apply.
  const upgraded = new Promise<never>((_answer, fail) => {
    request.once('upgrade', (_head, socket: Socket) => {
      socket.destroy();
      fail(new Error('The receiver switched protocols without being asked.'));
    });
  });
  request.end(body);
  const [response] = (await Promise.race([once(request, 'response'), upgraded])) as [IncomingMessage];
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
    // The status is known; how the body ends does not matter.
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
