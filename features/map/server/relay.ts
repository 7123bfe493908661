import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caching, neverUnasked } from './caching.ts';
import { createCapabilitiesFilter, type FilterOptions } from './capabilities/filter-capabilities.ts';
import { createCapabilitiesReader, exceptionRoots, OgcException } from './capabilities/read-capabilities.ts';
import { rootOf } from './capabilities/xml-reader.ts';

/** What an answer has to be, and how it is sent on. */
export type Expected = {
  asks: 'capabilities' | 'picture' | 'info' | 'features' | 'description' | 'collections';
  /** Of capabilities. */
  filter: Omit<FilterOptions, 'contentType'> | null;
  /** Whether a list of collections may show this collection. */
  lists(collection: string): boolean;
  /** The headers of every answer of the guard. */
  headers: Readonly<Record<string, string>>;
  caching: Pick<Caching, 'headersFor'>;
};

/** Why an answer of the map server is not sent on. `detail` may hold what only operators should read. */
export type Broken = { status: number | null; code: string; detail: string };

/** Bytes. A picture of 4096 × 4096 that cannot be packed has 64 million. */
const largest = { picture: 72_000_000, info: 8_000_000, features: 256_000_000, description: 8_000_000 };
const largestCollections = 4_000_000;
const largestException = 64_000;
/** Timeout between two parts of an answer, and for a client that reads nothing. */
const stalledMs = 60_000;

/** Content types of each kind of answer. None is a page, since it would run on Portico's own origin. */
const types = {
  picture:
    /^(?:image\/(?:png|jpe?g|gif|webp|tiff|svg\+xml|vnd\.jpeg-png8?)|application\/(?:vnd\.mapbox-vector-tile|x-protobuf|octet-stream|json|pdf))\b/i,
  info: /^(?:application\/(?:json|geo\+json|gml\+xml|vnd\.ogc\.gml[\w./+-]*|vnd\.ogc\.wms_xml)|text\/(?:plain|xml)|application\/xml)\b/i,
  features:
    /^(?:application\/(?:json|geo\+json|gml\+xml|xml|vnd\.ogc\.[\w./+-]+|zip|octet-stream|geopackage\+[\w+.-]+|vnd\.google-earth\.km[lz][\w.+-]*)|text\/(?:xml|csv|plain))\b/i,
};
const isXml =
  /^(?:text\/xml|application\/(?:xml|vnd\.ogc\.(?:se_xml|wms_xml|gml\S*)|gml\+xml|[\w.-]+\+xml))\b/i;
const exceptionType = /^application\/vnd\.ogc\.se_/i;

/**
 * Sends the answer of the map server on, once it is known to be what was requested: map servers write errors
 * with the status 200, and some answer with a page for people. A broken answer is discarded and reported; nothing
 * has been sent then.
 */
export function relayMapAnswer(
  incoming: IncomingMessage,
  response: ServerResponse,
  expected: Expected,
  broken: (why: Broken) => void,
): void {
  const { statusCode = 0, headers } = incoming;
  const type = headers['content-type'] ?? '';
  incoming.setTimeout(stalledMs, () => incoming.destroy());
  response.setTimeout(stalledMs, () => {
    if (response.writableNeedDrain) response.destroy();
  });
  const fail = (code: string, detail: string): void => {
    incoming.destroy();
    broken({ status: statusCode, code, detail });
  };
  if (statusCode === 304) {
    incoming.resume();
    response.writeHead(304, { ...expected.headers, ...expected.caching.headersFor(headers) });
    response.end();
    return;
  }
  if (statusCode !== 200 && statusCode !== 204) {
    if (isXml.test(type)) readException(incoming, fail);
    else fail('', `It answered with the status ${statusCode}.`);
    return;
  }
  if (expected.asks === 'capabilities') relayCapabilities(incoming, response, expected, fail);
  else if (expected.asks === 'collections') relayCollections(incoming, response, expected, fail);
  else relayChecked(incoming, response, expected, fail);
}

type Fail = (code: string, detail: string) => void;
type Relay = (incoming: IncomingMessage, response: ServerResponse, expected: Expected, fail: Fail) => void;

const relayChecked: Relay = (incoming, response, expected, fail) => {
  const { headers, statusCode = 200 } = incoming;
  const type = headers['content-type'] ?? '';
  const asks = expected.asks as 'picture' | 'info' | 'features' | 'description';
  const allowed = types[asks === 'description' ? 'features' : asks];
  const mostBytes = largest[asks];
  if (exceptionType.test(type) || (asks === 'picture' && isXml.test(type) && !allowed.test(type))) {
    readException(incoming, fail);
    return;
  }
  if (statusCode !== 204 && !allowed.test(type)) {
    fail('', `It answered with ${type === '' ? 'no type' : type.slice(0, 100)}.`);
    return;
  }
  if (Number(headers['content-length'] ?? 0) > mostBytes) {
    fail('', 'Its answer is too large.');
    return;
  }
  const head = {
    ...expected.headers,
    ...expected.caching.headersFor(headers),
    ...copied(incoming, ['content-type', 'content-encoding', 'content-length']),
  };
  // Only pictures may be compressed: Portico requests compression for nothing else.
  const looks = isXml.test(type) && headers['content-encoding'] === undefined;
  let sent = 0;
  const begin = (): void => void response.writeHead(statusCode, head);
  if (!looks) begin();
  let isFirst = looks;
  const take = (part: Buffer): void => {
    if (isFirst) {
      isFirst = false;
      if (exceptionRoots.has(rootOf(part, type) ?? '')) {
        // Node's own listener for the end gives the connection back.
        incoming.off('data', take).off('end', end);
        readException(incoming, fail, part);
        return;
      }
      begin();
    }
    sent += part.length;
    if (sent > mostBytes) {
      incoming.destroy();
      response.destroy();
      return;
    }
    if (!response.write(part)) incoming.pause();
  };
  const end = (): void => {
    if (isFirst) begin();
    response.end();
  };
  incoming.on('data', take).once('end', end);
  response.on('drain', () => incoming.resume());
  cutTogether(incoming, response, fail);
};

/** Aborts a truncated answer, or reports the failure if nothing has been sent yet. */
function cutTogether(incoming: IncomingMessage, response: ServerResponse, fail: Fail): void {
  const cut = (): void => {
    if (incoming.complete || response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else fail('', 'Its answer broke off.');
  };
  incoming.once('close', cut);
  incoming.on('error', cut);
}

/** Sends capabilities part by part, with a pause after each part in which other requests are answered. */
const relayCapabilities: Relay = (incoming, response, expected, fail) => {
  const contentType = incoming.headers['content-type'] ?? '';
  const options = expected.filter as Omit<FilterOptions, 'contentType'>;
  void (async () => {
    const filter = createCapabilitiesFilter({ ...options, contentType });
    const reader = createCapabilitiesReader(options.service, contentType);
    let isFirst = true;
    for await (const part of incoming as AsyncIterable<Buffer>) {
      // An exception, or a document of another service, is found before anything is sent.
      if (isFirst || reader.isException()) reader.push(part);
      isFirst = false;
      if (reader.isException()) continue;
      await send(response, filter.push(part), expected.headers);
      await new Promise((next) => setImmediate(next));
    }
    if (isFirst || reader.isException()) {
      reader.end();
      reader.result();
    }
    await send(response, filter.end(), expected.headers);
    response.end();
  })().catch((error: unknown) => {
    incoming.destroy();
    if (response.headersSent) response.destroy();
    else fail(error instanceof OgcException ? error.code : '', error instanceof Error ? error.message : '');
  });
};

async function send(
  response: ServerResponse,
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (response.destroyed) throw new Error('The client has left.');
  if (!response.headersSent) {
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/xml; charset=utf-8',
      ...neverUnasked,
    });
  }
  if (text === '' || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Sends the list of an OGC API, which is small, without the collections that the person may not see. */
const relayCollections: Relay = (incoming, response, expected, fail) => {
  void (async () => {
    const text = (await bodyOf(incoming, largestCollections)).toString('utf8');
    const document = JSON.parse(text) as { collections?: unknown; links?: unknown };
    if (!Array.isArray(document.collections)) throw new Error('It answered with no list of collections.');
    const collections = document.collections.filter((each: unknown) => {
      const id = (each as { id?: unknown } | null)?.id;
      return typeof id === 'string' && expected.lists(id);
    });
    const body = JSON.stringify({ links: [], collections });
    response.writeHead(200, {
      ...expected.headers,
      'content-type': 'application/json',
      ...neverUnasked,
    });
    response.end(body);
  })().catch((error: unknown) => fail('', error instanceof Error ? error.message : ''));
};

async function bodyOf(incoming: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw new Error('Its answer is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reads why the map server refuses, and reports that. */
function readException(incoming: IncomingMessage, fail: Fail, first?: Buffer): void {
  const contentType = incoming.headers['content-type'] ?? '';
  const rest = incoming.readableEnded ? Promise.resolve(Buffer.alloc(0)) : bodyOf(incoming, largestException);
  incoming.resume();
  rest
    .then((more) => {
      // Every service writes its exceptions in elements of the same names.
      const reader = createCapabilitiesReader('wms', contentType);
      if (first !== undefined) reader.push(first);
      if (more.length > 0) reader.push(more);
      reader.end();
      reader.result();
      fail('', 'It answered with something else than what was asked for.');
    })
    .catch((error: unknown) => {
      if (error instanceof OgcException) fail(error.code, error.message);
      else fail('', error instanceof Error ? error.message : '');
    });
}

function copied({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
