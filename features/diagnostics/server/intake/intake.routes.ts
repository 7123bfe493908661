import type { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#features/diagnostics/contract/intake.ts';
import { ownProject } from '#features/diagnostics/contract/projects.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import type { AccessControl, Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { networkOf } from '#server/platform/http/network.ts';
import { discardUnread, receiveBytes } from '#server/platform/http/receive-bytes.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { createBodyBudget } from '#features/feedback/server/body-budget.ts';
import { asObject, readEnvelope, type Envelope, type Json } from './envelope.ts';
import { forwardedHeader, type Forwarding } from './forwarding.ts';
import { answerTo, readable, refusal } from './intake-answer.ts';
import { IntakeProblem } from './intake-problem.ts';
import { reportDialogScript } from './report-dialog.ts';
import { readSecurityReports } from './security-reports.ts';
import {
  processEnvelope,
  type Sender,
  type ProcessedEnvelope,
  type ProcessingParts,
} from './process-envelope.ts';
import { createUnpacking } from './unpack.ts';
import type { WorkingKeys, WorkingProject } from './working-keys.ts';

/** The project that a sender names, and the key that it presents. */
type SenderKey = { key: string; projectId: number | null };

const key = /^[0-9a-f]{32}$/i;

type IntakeRoutesParts = ProcessingParts & {
  keys(): WorkingKeys;
  /** Counts an answer by its status. */
  countAnswer(status: number): void;
  callers: Pick<AccessControl, 'identify' | 'identifySession'>;
  forwarding: Pick<Forwarding, 'send'>;
};

const mebibyte = 1024 * 1024;
/** Bodies up to this size are read at once; larger bodies wait for a place, so that memory is bounded. Bytes. */
const small = 64 * 1024;
const medium = mebibyte;

type Call = { request: FastifyRequest; reply: FastifyReply; body: Readable | undefined };

/** The routes that SDKs send to, and the route of Portico's own web. */
export function intakeRoutes(serve: Serve, parts: IntakeRoutesParts): void {
  const unpack = createUnpacking();
  const timeoutMs = 20_000;
  const mediumBodies = createBodyBudget({ bytes: 32 * mebibyte, bytesEach: 8 * mebibyte, timeoutMs });
  const largeBodies = createBodyBudget({
    bytes: 4 * contract.intakeLimits.envelope,
    bytesEach: contract.intakeLimits.envelope,
    timeoutMs,
  });

  for (const route of [contract.storeEnvelope, contract.storeEnvelopeWithoutSlash])
    serve(route, ({ params, ...call }) => answer(call, () => take(call, params.project, readEnvelope)));
  for (const route of [contract.storeEvent, contract.storeEventWithoutSlash])
    serve(route, ({ params, ...call }) => answer(call, () => take(call, params.project, asEnvelope)));
  for (const route of [contract.storeSecurityReports, contract.storeSecurityReportsWithoutSlash])
    serve(route, ({ params, ...call }) =>
      answer(call, () => take(call, params.project, readSecurityReports)),
    );
  serve(contract.showReportDialog, ({ request, reply }) => {
    try {
      projectOfDsn(asObject(request.query) ?? {}, null);
    } catch (error) {
      if (!(error instanceof IntakeProblem)) throw error;
      const { status, headers, body } = refusal(error);
      return void reply.code(status).headers(headers).send(body);
    }
    void reply
      .headers({ ...readable, 'content-type': 'text/javascript; charset=utf-8' })
      .send(reportDialogScript);
  });
  serve(contract.storeDialogReport, (call) =>
    answer(call, async () => {
      const { request, reply, body } = call;
      const query = asObject(request.query) ?? {};
      const { key, found } = projectOfDsn(query, null);
      const bytes = await receive(request, reply, body);
      if (bytes.length > contract.intakeLimits.event)
        throw new IntakeProblem('TOO_LARGE', 'The form is too large.');
      const form = new URLSearchParams(bytes.toString());
      const sent = { ...Object.fromEntries(form), event_id: query['eventId'] };
      const payload = Buffer.from(JSON.stringify(sent));
      const item = { type: 'user_report', header: {}, payload };
      const caller = found.id === ownProject ? await callerOf(request) : null;
      const sender = { projectId: found.id, key, address: request.ip, caller };
      return processEnvelope(parts, sender, { header: {}, items: [item], fault: null });
    }),
  );
  serve(contract.storeFaults, (call) => answer(call, () => take(call, null, readEnvelope)));

  /** Answers as SDKs expect. */
  async function answer({ request, reply }: Call, work: () => Promise<ProcessedEnvelope>): Promise<void> {
    const { status, headers, body } = await answerTo(work);
    parts.countAnswer(status);
    if (status >= 400) discardUnread(request.raw);
    void reply.code(status).headers(headers).send(body);
  }

  /** @param project as the path names it; null where only the envelope names it */
  async function take(
    { request, reply, body }: Call,
    project: string | null,
    read: (bytes: Buffer, request: FastifyRequest) => Envelope,
  ): Promise<ProcessedEnvelope> {
    const readAll = async (packed: Buffer, encoding: string | undefined) => {
      const unpacked = await unpack(packed, encoding);
      const plain = read === asEnvelope ? await unpackOlder(unpacked) : unpacked;
      return { unpacked, envelope: read(plain, request) };
    };
    const shown = keyOfRequest(request.query, request.headers);
    // A wrong key is refused before the body is read.
    const named = shown === null ? null : workingProject(shown, project);
    const bytes = await receive(request, reply, body);
    const encoding = request.headers['content-encoding'];
    const { unpacked, envelope } = await readAll(bytes, encoding).catch((error: unknown) => {
      // Without a key in the request or in the envelope the sender is unknown.
      throw named === null && error instanceof IntakeProblem && error.status === 400 ? keyRefused() : error;
    });
    const { key, found } = named ?? projectOfDsn(envelope.header, project);
    const caller = project === null || found.id === ownProject ? await callerOf(request) : null;
    const sender: Sender = { projectId: found.id, key, address: request.ip, caller };
    const taken = await processEnvelope(parts, sender, envelope);
    const kind = read === readEnvelope ? 'envelope' : read === asEnvelope ? 'store' : null;
    const { forwardTo } = found;
    if (
      taken.accepted &&
      kind !== null &&
      forwardTo !== null &&
      request.headers[forwardedHeader] === undefined
    ) {
      const header = envelope.header['dsn'] === undefined ? null : envelope.header;
      const sent = header === null ? { bytes, encoding } : { bytes: unpacked, encoding: undefined };
      parts.forwarding.send(forwardTo, { ...sent, kind, header });
    }
    return taken;
  }

  /** Older SDKs send base64 of zlib, and name no encoding. */
  async function unpackOlder(bytes: Buffer): Promise<Buffer> {
    const isBase64 = /^[\w+/-]{16,}/.test(bytes.subarray(0, 64).toString('latin1'));
    const packed = isBase64 ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes;
    const [first, second] = packed;
    if (first === 0x1f && second === 0x8b) return unpack(packed, 'gzip');
    return first === 0x78 ? unpack(packed, 'deflate') : packed;
  }

  function workingProject(key: string, project: string | null): { key: string; found: WorkingProject } {
    const found = parts.keys().byKey.get(key);
    if (found === undefined || (project !== null && String(found.id) !== project)) throw keyRefused();
    return { key, found };
  }

  function projectOfDsn(header: Json, project: string | null): ReturnType<typeof workingProject> {
    const dsn = keyOfDsn(header);
    if (dsn === null || (project !== null && String(dsn.projectId) !== project)) throw keyRefused();
    return workingProject(dsn.key, String(dsn.projectId));
  }

  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    body: Readable | undefined,
  ): Promise<Buffer> {
    const announced = request.headers['content-length'];
    const admit = (budget: typeof largeBodies, most: number) => async () => {
      const place = budget.enter(networkOf(request.ip).network, Math.min(most, Number(announced ?? most)));
      reply.raw.once('close', place.leave);
      await place.entered;
    };
    return receiveBytes(body, {
      most: contract.intakeLimits.envelope,
      steps: [
        { above: small, admit: admit(mediumBodies, medium) },
        { above: medium, admit: admit(largeBodies, contract.intakeLimits.envelope) },
      ],
      announced,
    });
  }

  /** The caller of Portico's own web, or null: a sign-in that has ended is no reason to refuse an error. */
  async function callerOf({ headers }: FastifyRequest): Promise<Caller | null> {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
    const site = headers['sec-fetch-site'] ?? 'same-origin';
    const isOwnPage = headers[sessionHeader] === '1' && site === 'same-origin';
    try {
      if (bearer !== null) return await parts.callers.identify(bearer);
      return isOwnPage ? await parts.callers.identifySession(headers.cookie, null) : null;
    } catch (error) {
      if (error instanceof HttpProblem) return null;
      throw error;
    }
  }
}

/** Wraps the single event that an older SDK sends. */
function asEnvelope(payload: Buffer): Envelope {
  return { header: {}, items: [{ type: 'event', header: {}, payload }], fault: null };
}

function keyRefused(): IntakeProblem {
  return new IntakeProblem(
    'KEY_REFUSED',
    'The key is missing, unknown or revoked, or belongs to another project.',
  );
}

/**
 * The key in a request to a project's address: in the query `sentry_key`, or in the headers `X-Sentry-Auth` or
 * `Authorization`, written as `Sentry sentry_key=…, sentry_version=7`. Null for a request without one.
 */
function keyOfRequest(query: unknown, headers: IncomingHttpHeaders): string | null {
  const asked = asObject(query)?.['sentry_key'];
  if (typeof asked === 'string') return keyOrNull(asked);
  for (const header of [headers['x-sentry-auth'], headers.authorization]) {
    if (typeof header !== 'string' || !/^Sentry\s/i.test(header)) continue;
    const [, found] = /[\s,]sentry_key=([^\s,]{1,64})/.exec(header.slice(0, 1_000)) ?? [];
    if (found !== undefined) return keyOrNull(found);
  }
  return null;
}

/** The key and the project in the DSN of an envelope's header, as the `tunnel` of SDKs sends it. */
function keyOfDsn(header: Json): SenderKey | null {
  const { dsn } = header;
  if (typeof dsn !== 'string' || dsn.length > 500 || !URL.canParse(dsn)) return null;
  const { username, pathname } = new URL(dsn);
  const found = keyOrNull(username);
  const project = /\/(\d{1,9})$/.exec(pathname)?.[1];
  return found === null || project === undefined ? null : { key: found, projectId: Number(project) };
}

function keyOrNull(text: string): string | null {
  return key.test(text) ? text.toLowerCase() : null;
}
