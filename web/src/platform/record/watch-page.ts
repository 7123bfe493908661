import { cut, maskedPath, scrub } from './scrub.ts';

/** A call that has failed; `status` 0: there was no answer. */
export type WatchedCall = { readonly call: string; readonly status: number; readonly requestId?: string };

type CallingWindow = { fetch: typeof fetch; readonly location: { readonly href: string } } & {
  readonly XMLHttpRequest?: typeof XMLHttpRequest;
};

/**
 * Reports failed calls by `fetch` and XMLHttpRequest, for a page whose own client does not report them. Calls that
 * the page itself aborted are not reported.
 */
export function watchCalls(window: CallingWindow, onCall: (call: WatchedCall) => void): void {
  wrapFetch(window, onCall);
  if (window.XMLHttpRequest !== undefined) wrapRequests(window, window.XMLHttpRequest, onCall);
}

function wrapFetch(window: CallingWindow, report: (call: WatchedCall) => void): void {
  const original = window.fetch;
  window.fetch = async function wrapped(this: unknown, ...values: Parameters<typeof fetch>) {
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
  };
}

function wrapRequests(
  window: CallingWindow,
  { prototype }: typeof XMLHttpRequest,
  report: (call: WatchedCall) => void,
): void {
  const original = prototype.open;
  prototype.open = function wrapped(this: XMLHttpRequest, ...values: unknown[]): void {
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
  };
}

/** Names a call by method and path, with the host if it is another one. */
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

type MovingWindow = Pick<Window, 'addEventListener' | 'history' | 'location'> & {
  readonly navigation?: EventTarget;
};

/** Reports the path of the page whenever it changes: by the Navigation API, else by the history. */
export function watchMoves(window: MovingWindow, onPath: (path: string) => void): void {
  const { navigation, history } = window;
  let known = window.location.pathname;

  function look(): void {
    const { pathname } = window.location;
    if (pathname === known) return;
    known = pathname;
    onPath(pathname);
  }

  if (navigation !== undefined) {
    navigation.addEventListener('currententrychange', look);
    return;
  }
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method];
    history[method] = function wrapped(this: History, ...values) {
      original.apply(this, values);
      look();
    };
  }
  window.addEventListener('popstate', look);
}

/** What a page writes to its console. */
export type ConsoleLine = { readonly level: 'error' | 'warning'; readonly text: string };

type Console = Pick<globalThis.Console, 'error' | 'warn'>;

const longestText = 200;
const methods = { error: 'error', warn: 'warning' } as const;

/**
 * Reports what is written by `console.error` and `console.warn`; both still write it.
 *
 * @param words texts that are removed
 */
export function watchConsole(
  console: Console,
  words: () => readonly string[],
  onLine: (line: ConsoleLine) => void,
): void {
  let isReporting = false;

  function report(level: ConsoleLine['level'], values: readonly unknown[]): void {
    // A line that is written while reporting would be reported without end.
    if (isReporting) return;
    isReporting = true;
    try {
      onLine({ level, text: textOf(values, words()) });
    } catch {
      // A failure here must not break the page's own writing.
    } finally {
      isReporting = false;
    }
  }

  for (const method of ['error', 'warn'] as const) {
    const original = console[method];
    console[method] = function wrapped(this: unknown, ...values) {
      report(methods[method], values);
      return original.apply(this, values);
    };
  }
}

/**
 * The first text, which a programmer wrote, and the kind and message of the first error. Everything else is left
 * out, since it may be a value that a person typed.
 */
function textOf(values: readonly unknown[], words: readonly string[]): string {
  const [first] = values;
  const error = values.find((value) => value instanceof Error);
  const said = typeof first === 'string' ? withoutFormats(first) : '';
  const thrown = error === undefined || said.includes(error.message) ? '' : `${error.name}: ${error.message}`;
  const text = scrub([said, thrown].filter((part) => part !== '').join(' '), { most: longestText, words });
  return text === '' ? cut(first === null ? 'null' : typeof first, longestText) : text;
}

/** Removes formats: `%s` and similar stand for values that follow, `%c` for a style. */
function withoutFormats(text: string): string {
  return text.replaceAll(/%[csdifoO]/g, '').trim();
}
