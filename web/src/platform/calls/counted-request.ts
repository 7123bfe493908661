/** A request whose upload progress is reported. */
export type CountedRequest = {
  method: string;
  headers: Headers;
  body: string | FormData;
  signal: AbortSignal;
  /** Receives the sent bytes of the body and the total. */
  onProgress: (sent: number, total: number) => void;
};

/** Like `fetch`, which reports no upload progress. Rejects as `fetch` does. */
export type SendCounted = (address: string, request: CountedRequest) => Promise<Response>;

/** Uses the browser's XMLHttpRequest. */
export const browserSendCounted: SendCounted = (address, request) => {
  const { method, headers, body, signal, onProgress } = request;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const sending = new XMLHttpRequest();
    const abort = () => sending.abort();
    sending.open(method, address);
    sending.responseType = 'arraybuffer';
    for (const [name, value] of headers) sending.setRequestHeader(name, value);
    sending.upload.addEventListener('progress', (event) => onProgress(event.loaded, event.total));
    sending.addEventListener('load', () => resolve(responseOf(sending)));
    sending.addEventListener('error', () => reject(new TypeError('Failed to send')));
    sending.addEventListener('abort', () => reject(reasonOf(signal)));
    sending.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort);
    sending.send(body);
  });
};

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError');
}

/** Answers with these statuses have no body (Fetch, 2.2.3); `Response` refuses to create one with a body. */
const withoutBody = new Set([204, 205, 304]);

function responseOf(sent: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of sent.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = withoutBody.has(sent.status) ? null : (sent.response as ArrayBuffer | null);
  return new Response(body, { status: sent.status, statusText: sent.statusText, headers });
}
