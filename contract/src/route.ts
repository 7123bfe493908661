import type * as z from 'zod/mini';
import type { ProblemCode } from './problem.ts';
import type { Right } from '#features/permissions/contract/permissions.ts';

/**
 * Who may call a route. There is no default: a route without `access` does not compile, and `'public'` is
 * spelled out.
 *
 * - `public`: anyone.
 * - `signed-in-or-allowed`: as `signed-in`, or without a sign-in where the installation's settings allow it; a token
 *   that is sent must be valid.
 * - `signed-in`: a valid access token (`Authorization: Bearer`) of a person who is not blocked.
 * - `session`: the session cookie together with the `X-Portico` header, which no cross-site form can send.
 * - `client-key`: the key of a flag client in the path or a header; the route checks it.
 * - `project-key`: the key of a DSN, in the query, a header or the envelope; the route checks it, and limits by
 *   it and by address.
 * - `one-time-link`: a single-use token in the body; the route checks and consumes it.
 * - `{ right }`: signed in and holding that right.
 * - `{ self, orRight }`: signed in; the named path parameter is `current` or the caller's own id, or the caller holds
 *   the right.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'signed-in-or-allowed'
  | 'session'
  | 'client-key'
  | 'project-key'
  | 'one-time-link'
  | { readonly right: Right }
  | { readonly self: string; readonly orRight: Right };

/**
 * How the maintenance gate treats a route (MAINT-6): `open` is always allowed, `read` is refused while full,
 * `write` is refused while read only and while full.
 */
export type WhileClosed = 'open' | 'read' | 'write';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The header that names one creation; its value is random, such as a UUID (`idempotencyKey`). */
export const idempotencyHeader = 'idempotency-key';

/** 16 to 128 letters, digits, `-` and `_`, in quotes or without. */
export const idempotencyKey = /^("?)[\w-]{16,128}\1$/;

/** A schema of any shape, as zod and zod/mini share it. */
export type Schema = z.core.$ZodType;

/** An answer that the feature writes itself: a page, a redirect, an event stream, another product's wire format. */
export type RawAnswer = { readonly raw: string };

export type Route = {
  readonly method: Method;
  /** Fastify's form: `/v1/users/:userId/profile`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** Default: `read` for GET, `write` for everything else. */
  readonly closed?: WhileClosed;
  /**
   * The route also accepts people in the pages of an application that has a host of its own (GATE-6). Left out,
   * their token and session cookie are refused, since a script of that application may be the caller.
   */
  readonly hosts?: true;
  /**
   * Requires a proof from the last ten minutes that the caller is still the same person, where people have a
   * password here (SES-13). API tokens need no proof: creating one required it.
   */
  readonly fresh?: true;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Takes files as `multipart/form-data` (RFC 7578) in this field, instead of a JSON body. */
  readonly form?: { readonly field: string };
  /** The route takes the body unparsed, of any media type or none. */
  readonly bytes?: true;
  /** The route answers at any host, even at one that is not configured (API-4). */
  readonly anyHost?: true;
  /**
   * Creates something at each call. A caller may send an id of its own in the header `Idempotency-Key`: a
   * repeated call then creates nothing, and is answered as the first was (API-3).
   */
  readonly creates?: true;
  /** Bytes; default 256 KiB. */
  readonly bodyLimit?: number;
  /** The schema that the answer is cut to, `'nothing'` for 204, or what the feature writes itself. */
  readonly answer: Schema | 'nothing' | RawAnswer;
  /** Makes an error body of another product's wire, from the problem's code and text and the path's parameters. */
  readonly failure?: (code: ProblemCode, detail: string, params: object) => object;
  /** Status of a good answer; default 200, or 204 for `'nothing'`. */
  readonly status?: 200 | 201 | 202 | 204;
};

type Output<S, Otherwise> = S extends Schema ? z.core.output<S> : Otherwise;
type Input<S, Otherwise> = S extends Schema ? z.core.input<S> : Otherwise;

/** What a handler receives for a route. */
export type ParamsOf<R extends Route> = Output<R['params'], Record<never, never>>;
export type QueryOf<R extends Route> = Output<R['query'], Record<never, never>>;
export type BodyOf<R extends Route> = Output<R['body'], undefined>;
/** What a handler returns for a route, before it is cut to the schema. */
export type GivenAnswerOf<R extends Route> = Input<R['answer'], void>;
/** What a client receives from a route. */
export type AnswerOf<R extends Route> = Output<R['answer'], undefined>;
/** What a client sends to a route; each part only where the route declares it. */
export type CallOf<R extends Route> = (R['params'] extends Schema
  ? { params: z.core.input<R['params']> }
  : unknown) &
  (R['query'] extends Schema ? { query?: z.core.input<R['query']> } : unknown) &
  (R['body'] extends Schema ? { body: z.core.input<R['body']> } : unknown);

/**
 * Declares a route. It only gives the literal its exact type; server, web and OpenAPI read the same value.
 */
/* @__NO_SIDE_EFFECTS__ */
export function route<const R extends Route>(declaration: R): R {
  return declaration;
}

/** How the maintenance gate treats a route, with its default. */
export function whileClosed(declared: Route): WhileClosed {
  return declared.closed ?? (declared.method === 'GET' ? 'read' : 'write');
}
