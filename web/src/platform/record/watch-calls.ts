import { maskedPath } from './scrub.ts';

/** A call that has failed; `status` 0: there was no answer. */
export type WatchedCall = { readonly call: string; readonly status: number; readonly requestId?: string };

type CallingWindow = { fetch: typeof fetch; readonly location: { readonly href: string } } & {
  readonly XMLHttpRequest?: typeof XMLHttpRequest;
};

/**
 * Reports the failed calls of a page that has no client of its own that reports them: by `fetch` and
 * XMLHttpRequest. Calls that the page itself aborted are none.
 *
 * @returns restores both; where another script has wrapped them since, they only no longer report
 */
export function watchCalls(window: CallingWindow, onCall: (call: WatchedCall) => void): () => void {
  let isWatching = true;
  const report = (call: WatchedCall) => {
    if (isWatching) onCall(call);
  };
  const restores = [
    wrapFetch(window, report),
    window.XMLHttpRequest === undefined ? () => {} : wrapRequests(window, window.XMLHttpRequest, report),
  ];
  return () => {
    isWatching = false;
    for (const restore of restores) restore();
  };
}

function wrapFetch(window: CallingWindow, report: (call: WatchedCall) => void): () => void {
  const original = window.fetch;
  async function wrapped(this: unknown, ...values: Parameters<typeof fetch>): Promise<Response> {
    const [input, options] = values;
    const isRequest = typeof input === 'object' && 'url' in input;
    const method = options?.method ?? (isRequest ? input.method : 'GET');
    const call = nameOf(method, isRequest ? input.url : String(input), window);
    try {
      const answer = await original.apply(this ?? window, values);
      if (answer.status >= 400) report({ call, status: answer.status, ...requestIdOf(answer.headers) });
      return answer;
    } catch (error) {
      const isAborted =
        typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
      if (!isAborted) report({ call, status: 0 });
      throw error;
    }
  }
  window.fetch = wrapped;
  return () => {
    if (window.fetch === wrapped) window.fetch = original;
  };
}

function wrapRequests(
  window: CallingWindow,
  { prototype }: typeof XMLHttpRequest,
  report: (call: WatchedCall) => void,
): () => void {
  const original = prototype.open;
  function wrapped(this: XMLHttpRequest, ...values: unknown[]): void {
    const [method, address] = values;
    const call = nameOf(String(method), String(address), window);
    let isAborted = false;
    const controller = new AbortController();
    const { signal } = controller;
    this.addEventListener('abort', () => (isAborted = true), { signal });
    this.addEventListener(
      'loadend',
      () => {
        controller.abort();
        const { status } = this;
        if (isAborted || (status > 0 && status < 400)) return;
        const header = (name: string) => (status === 0 ? null : this.getResponseHeader(name));
        report({ call, status, ...requestIdOf({ get: header }) });
      },
      { signal },
    );
    return Reflect.apply(original, this, values) as void;
  }
  prototype.open = wrapped;
  return () => {
    if (prototype.open === wrapped) prototype.open = original;
  };
}

/** Method and path; of another origin, its host too. */
function nameOf(method: string, address: string, window: CallingWindow): string {
  const known = /^[A-Za-z]{1,10}$/.test(method) ? method.toUpperCase() : '?';
  if (!URL.canParse(address, window.location.href)) return `${known} ?`;
  const { host, pathname } = new URL(address, window.location.href);
  const isOwn = host === new URL(window.location.href).host;
  return `${known} ${isOwn ? '' : host}${maskedPath(pathname)}`.slice(0, 200);
}

function requestIdOf(headers: Pick<Headers, 'get'>): { requestId?: string } {
  const id = headers.get('x-request-id') ?? headers.get('request-id');
  return id !== null && /^[\w.-]{1,64}$/.test(id) ? { requestId: id } : {};
}
