import type { Clock } from '#web/platform/time/clock.ts';

/**
 * Why something of the map server could not be shown. `refused`: without the right, or signed out; `server`:
 * the map server sent an error, with its words in `detail`; `none`: no answer; `slow`: no answer in time.
 */
export type MapProblemKind = 'refused' | 'missing' | 'server' | 'slow' | 'none';

export class MapProblem extends Error {
  override readonly name = 'MapProblem';
  readonly kind: MapProblemKind;
  /** What the server said, shortened; empty where it said nothing that a person can read. */
  readonly detail: string;

  constructor(kind: MapProblemKind, detail = '', options?: ErrorOptions) {
    super(`The map server: ${kind} ${detail}`.trim(), options);
    this.kind = kind;
    this.detail = detail.slice(0, 300);
  }
}

/** The text of an OGC exception report, which servers also send with status 200; null for any other text. */
export function exceptionIn(text: string): string | null {
  if (!/<(?:\w+:)?(?:ServiceException|Exception)(?:Report)?[\s>]/.test(text)) return null;
  const found =
    /<(?:\w+:)?(?:ServiceException|ExceptionText)(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?(?:ServiceException|ExceptionText)>/.exec(
      text,
    );
  return plain(found?.[1] ?? '');
}

function plain(xml: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => named[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

type MapFetchDependencies = {
  fetch: typeof fetch;
  clock: Clock;
  /** Sets the map cookie again, with a valid token (SES-5). */
  renewCookie: () => Promise<void>;
};

export type MapFetch = {
  /**
   * The answer of the map server, with its body unread and known to be no error.
   *
   * @param priority among the requests of this page: requests that a person waits for go before tiles
   * @throws MapProblem; the signal's reason when it is aborted
   */
  get(url: string, signal: AbortSignal, priority?: RequestPriority): Promise<Response>;
};

/** After a renewal that failed or did not help, no other is tried for this long, milliseconds. */
const pause = 30_000;
const timeout = 60_000;
/** Error bodies longer than this are not read. */
const longestError = 20_000;

/**
 * Sends requests to the map server with the map cookie. An expired cookie is renewed once for all requests that
 * were refused by then, and each of them is sent once more (MAP-3).
 */
export function createMapFetch({ fetch: send, clock, renewCookie }: MapFetchDependencies): MapFetch {
  let renewals = 0;
  let running: Promise<void> | null = null;
  let uselessUntil = 0;

  async function renewedSince(known: number): Promise<boolean> {
    if (known < renewals) return true;
    if (clock.now() < uselessUntil) return false;
    running ??= renewCookie()
      .then(() => {
        renewals += 1;
      })
      .catch(() => {
        uselessUntil = clock.now() + pause;
      })
      .finally(() => {
        running = null;
      });
    await running;
    return known < renewals;
  }

  async function once(url: string, signal: AbortSignal, priority: RequestPriority): Promise<Response> {
    const limit = AbortSignal.timeout(timeout);
    try {
      return await send(url, { priority, signal: AbortSignal.any([signal, limit]) });
    } catch (error) {
      signal.throwIfAborted();
      throw new MapProblem(limit.aborted ? 'slow' : 'none', '', { cause: error });
    }
  }

  return {
    async get(url, signal, priority = 'high') {
      const known = renewals;
      let response = await once(url, signal, priority);
      if (response.status === 401 && (await renewedSince(known))) {
        void response.body?.cancel();
        response = await once(url, signal, priority);
        if (response.status === 401) uselessUntil = clock.now() + pause;
      }
      return accepted(response);
    },
  };
}

/** Errors of map servers arrive as XML with status 200; those of Portico as problems (RFC 9457). */
async function accepted(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && !type.includes('xml')) return response;
  const text = await response.text().catch(() => '');
  const exception = exceptionIn(text.slice(0, longestError));
  if (response.ok) {
    if (exception !== null) throw new MapProblem('server', exception);
    return new Response(text, { headers: { 'content-type': type } });
  }
  const { code, detail } = type.includes('json') ? problemIn(text) : { code: '', detail: exception ?? '' };
  throw new MapProblem(kindOf(response.status, code), detail);
}

function kindOf(status: number, code: string): MapProblemKind {
  if (code === 'MAP_SERVER_FAILED') return 'server';
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'missing';
  if (status === 504) return 'slow';
  return status === 502 || status === 503 ? 'none' : 'server';
}

function problemIn(text: string): { code: string; detail: string } {
  try {
    const read: unknown = JSON.parse(text);
    const own = typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
    const word = (name: string) => (typeof own[name] === 'string' ? own[name] : '');
    return { code: word('code'), detail: word('detail') };
  } catch {
    return { code: '', detail: '' };
  }
}
