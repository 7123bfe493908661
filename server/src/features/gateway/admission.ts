import type { IncomingHttpHeaders } from 'node:http';
import type { ProblemCode } from '@portico/contract/problem';
import type { Caller } from '../../platform/http/access-check.ts';

/** What is asked for: a page by a person, something by a script or a program, an event stream, a WebSocket. */
export type RequestKind = 'navigation' | 'call' | 'stream' | 'websocket';

/** A request to an application, as far as its admission depends on it. */
export type AskedRequest = {
  method: string;
  /** The target as it was sent, with its query. */
  path: string;
  /** The host that the browser used. */
  host: string;
  headers: IncomingHttpHeaders;
  /** The client's address. */
  ip: string;
  kind: RequestKind;
};

export type Admission =
  | {
      is: 'passed';
      /** Null on public paths, where no one needs to be signed in. */
      caller: Caller | null;
      /** What the application receives of the caller: `Portico-Assertion` and `X-Portico-…`. */
      headers: [string, string][];
    }
  /** A navigation of a person who is not signed in; what is no navigation is refused with 401. */
  | { is: 'sign-in' }
  | {
      is: 'refused';
      status: 401 | 403 | 429 | 503;
      code: ProblemCode;
      /** Of RIGHT_MISSING: which one. */
      right?: string;
      /** Seconds, for the header. */
      retryAfter?: number;
    };

/** What a path asks for: of `PathRule`, what concerns the caller. */
export type PathGuard = {
  /**
   * `session`: a person who is signed in; `public`: everyone; `token`: an API token or a person's access
   * token in `Authorization`, answered 401 and never redirected. The application does not receive that token.
   */
  access: 'session' | 'public' | 'token';
  /** What the caller must hold as well, or null. */
  right: string | null;
  /** Whether it is let through during maintenance. */
  whileClosed: boolean;
};

/** Decides about one request; at once where everything that it depends on is in memory. */
export type Admit = (
  request: AskedRequest,
  upstream: { audience: string },
  rule: PathGuard,
) => Admission | Promise<Admission>;
