import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PathGuard } from '#server/platform/http/paths.ts';
import { gatewayCases, type GatewayCase } from '#features/gateway/contract/gateway.ts';
import { problemStatus, type ProblemCode } from '#contract/problem.ts';
import { login } from '#features/session/contract/session.ts';
import { problemBody } from '#server/platform/http/http-problem.ts';
import type { PageRendering, RenderedPage } from '#server/platform/http/page.ts';
import { discardUnread } from '#server/platform/http/receive-bytes.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { GatewayRequest, Refusal } from './admission.ts';
import type { RequestKind } from './request-kind.ts';

/** Pages in the language of a request and the look of the installation. */
export type GatewayPages = {
  page(name: string, request: Pick<IncomingMessage, 'headers'>, rendering?: PageRendering): RenderedPage;
  closedPage(request: Pick<IncomingMessage, 'headers'>): RenderedPage;
};

export type AnswersOptions = {
  pages: GatewayPages;
  /** Headers of every answer of Portico. */
  securityHeaders: Record<string, string>;
  /** Whether maintenance refuses every request, not just writes. */
  isClosed(): boolean;
  /** The name of a right, and the people who can grant it. */
  describeRight(right: string): Promise<{ label: string; whom: string[] }>;
};

/** Answers that Portico gives instead of the application. */
export type Answers = {
  refuse(
    asked: AnsweredRequest,
    refusal: Pick<Refusal, 'code' | 'right' | 'retryAfter'>,
    detail?: string,
  ): void;
  redirect(response: ServerResponse, to: string): void;
  /** Says that a form has not arrived, since its sender is signed out; the browser keeps its content. */
  askToSignIn(asked: AnsweredRequest, signIn: string): void;
};

/** A request that Portico answers itself. */
export type AnsweredRequest = {
  request: IncomingMessage;
  response: ServerResponse;
  kind: RequestKind;
  /** The method of the request that a proxy asks about, if it is not the method of `request`. */
  method?: string;
  /** The rule of its path; left out where it has none. */
  guard?: PathGuard;
};

/** Whether a person has sent a form, which a redirect would lose. */
export function isForm({
  request,
  kind,
  method = request.method ?? 'GET',
}: Omit<AnsweredRequest, 'response'>): boolean {
  return kind === 'navigation' && method !== 'GET' && method !== 'HEAD';
}

/** The sign-in path that leads back to the requested address or, for a form, to the page with the form. */
export function signInPath(
  asked: Omit<AnsweredRequest, 'response'>,
  { path, headers: { referer = '' } }: Pick<GatewayRequest, 'path' | 'headers'>,
  origin: string,
): string {
  const before = referer.startsWith(`${origin}/`) ? referer.slice(origin.length) : '/';
  // A form that was sent again comes from its own address, which may be no page.
  const formPage = before === path ? '/' : before;
  return `${login.path}?returnTo=${encodeURIComponent(isForm(asked) ? formPage : path)}`;
}

/** The headers of a refusal that depend on the rule of its path and on who asks. */
export function refusalHeaders(
  code: ProblemCode,
  { request: { headers }, guard }: Pick<AnsweredRequest, 'request' | 'guard'>,
): Record<string, string[] | string> {
  const isByScript =
    headers['x-requested-with'] !== undefined || !/^(?:navigate)?$/.test(headers['sec-fetch-mode'] ?? '');
  const bearer = code.startsWith('TOKEN_') ? 'Bearer error="invalid_token"' : 'Bearer';
  // If a script called, the browser would ask the person for a password.
  const challenges =
    guard?.askPassword === true && !isByScript
      ? ['Basic realm="Portico: a token as the password", charset="UTF-8"', bearer]
      : bearer;
  return {
    // RFC 9110, 15.5.2
    ...(problemStatus[code] === 401 ? { 'www-authenticate': challenges } : {}),
    // Readable without credentials, since the answer is the same for everyone.
    ...(guard?.passPreflight === true && headers.origin !== undefined
      ? {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
        }
      : {}),
  };
}

const againSeconds = { least: 8, spread: 12 };

/**
 * Answers requests that do not reach an application: navigations with a page, all others with a problem document.
 * Never with a redirect that a script would follow to a page.
 */
export function createAnswers(options: AnswersOptions): Answers {
  const { pages, securityHeaders } = options;

  function send(asked: AnsweredRequest, { status, headers, html }: RenderedPage): void {
    write(asked, status, headers, html);
  }

  function write(
    { request, response }: AnsweredRequest,
    status: number,
    headers: Record<string, string | string[]>,
    body: string,
  ): void {
    if (response.destroyed || response.headersSent) return;
    discardUnread(request);
    response.writeHead(status, {
      ...securityHeaders,
      ...headers,
      'content-length': Buffer.byteLength(body),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  function problem(
    asked: AnsweredRequest,
    { code, right, retryAfter }: Pick<Refusal, 'code' | 'right' | 'retryAfter'>,
    requestId: string,
    detail = right === undefined ? undefined : `This takes the right ${right}.`,
  ): void {
    const body = problemBody(code, detail === undefined ? {} : { detail }, requestId);
    write(
      asked,
      body.status,
      {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
        ...refusalHeaders(code, asked),
      },
      JSON.stringify(body),
    );
  }

  async function rightPage(asked: AnsweredRequest, right: string, requestId: string): Promise<RenderedPage> {
    const { label, whom } = await options.describeRight(right);
    const names = whom.length === 0 ? null : whom.join(', ');
    return gatewayPage(asked, 'right', requestId, 403, {
      'right-name': label,
      whom: names,
      'whom-unknown': names === null ? '' : null,
    });
  }

  function gatewayPage(
    asked: AnsweredRequest,
    shown: GatewayCase,
    requestId: string,
    status: number,
    slots: Record<string, string | null> = {},
    headers: Record<string, string> = {},
  ): RenderedPage {
    const { request } = asked;
    const form = isForm(asked);
    const comesBack = (shown === 'down' || shown === 'slow') && !form;
    // On a reload the browser reports that the page itself asked for it, even where another site had asked first.
    const maySendAgain = /^(?:same-origin|none)$/.test(request.headers['sec-fetch-site']?.toString() ?? '');
    const again = againSeconds.least + Math.floor(Math.random() * againSeconds.spread);
    const rendering = {
      status,
      headers,
      slots: {
        ...Object.fromEntries(gatewayCases.map((one) => [one, one === shown ? '' : null])),
        ...slots,
        form: form ? '' : null,
        'no-form': form ? null : '',
        'send-again': maySendAgain ? '' : null,
        refresh: comesBack ? String(again) : null,
        reference: requestId,
      },
    };
    return pages.page('gateway', request, rendering);
  }

  async function page(
    asked: AnsweredRequest,
    { code, right, retryAfter }: Pick<Refusal, 'code' | 'right' | 'retryAfter'>,
    requestId: string,
  ): Promise<RenderedPage> {
    const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    if (code === 'RIGHT_MISSING' && right !== undefined) return rightPage(asked, right, requestId);
    if (code === 'MAINTENANCE')
      return options.isClosed() && !isForm(asked)
        ? pages.closedPage(asked.request)
        : gatewayPage(asked, options.isClosed() ? 'closed' : 'read-only', requestId, 503, {}, retry);
    const shown = casesOfCodes[code] ?? 'refused';
    return gatewayPage(asked, shown, requestId, problemBody(code, {}, requestId).status, {}, retry);
  }

  return {
    refuse(asked, refusal, detail) {
      const requestId = newId();
      if (asked.kind !== 'navigation' || problemStatus[refusal.code] === 401) {
        problem(asked, refusal, requestId, detail);
        return;
      }
      page(asked, refusal, requestId).then(
        (rendered) => send(asked, rendered),
        // The page needs the built web and perhaps the storage.
        () => problem(asked, refusal, requestId, detail),
      );
    },
    askToSignIn(asked, signIn) {
      const requestId = newId();
      const headers = { 'www-authenticate': 'Bearer' };
      try {
        send(asked, gatewayPage(asked, 'signed-out', requestId, 401, { 'sign-in': signIn }, headers));
      } catch {
        // The page needs the built web.
        problem(asked, { code: 'UNAUTHENTICATED' }, requestId);
      }
    },
    redirect(response, to) {
      if (response.destroyed) return;
      response.writeHead(303, {
        ...securityHeaders,
        location: to,
        'cache-control': 'no-store',
        'content-length': 0,
      });
      response.end();
    },
  };
}

const casesOfCodes: Partial<Record<ProblemCode, GatewayCase>> = {
  APPLICATION_DOWN: 'down',
  UNAVAILABLE: 'down',
  APPLICATION_SLOW: 'slow',
  APPLICATION_MALFORMED: 'malformed',
  NOT_FOUND: 'unknown',
};
