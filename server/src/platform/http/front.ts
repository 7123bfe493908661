import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../log/logger.ts';
import { takeOffBasePath, targetBelow } from './base-path.ts';
import { createEarlyAnswers, type EarlyIntake } from './early-answers.ts';
import type { Hosts } from './hosts.ts';
import { createPreparedAnswers, type FindPrepared } from './prepared-answers.ts';
import { refuseConnect, refuseExpectation } from './socket-problems.ts';
import { offersWebSocket, readWithoutUpgrade, whenAnswered } from './upgrades.ts';

/** Takes the requests whose path is not below Portico's own, as Node gives them. */
export type Elsewhere = {
  /** Also requests with `Expect: 100-continue`, for which nothing has been written yet. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/** Answers a request, or answers false and leaves it as it is. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

export type FrontParts = {
  /** '' or such as `/portico`. */
  basePath: string;
  hosts: Pick<Hosts, 'accepts'>;
  /**
   * True from the beginning of a stop, which may be long before the server closes: each answer then closes its
   * connection, so that it is not closed under the next request (RFC 9112, 9.6).
   */
  stopping(): boolean;
  logger: Logger;
  /**
   * Left out, paths outside the base path are Portico's too: a proxy in front may have taken the base path
   * off.
   */
  elsewhere?: Elsewhere;
  /** Each answers what is below a path of its own. */
  guards?: readonly Guard[];
  prepared?: readonly FindPrepared[];
  early?: EarlyIntake;
};

/**
 * What may answer a request before the framework sees it: `answer` is the list, in its order. Called once, before
 * the server listens. Each event of Node's server has one listener, which is here; what Node cannot read (`clientError`)
 * has `answerUnreadable`, by an option of the framework.
 */
export function placeFront(fastify: FastifyInstance, parts: FrontParts): void {
  const { server } = fastify;
  const { basePath, hosts, stopping, logger, elsewhere, guards = [], prepared = [], early } = parts;
  const framework: RequestListener = (request, response) => fastify.routing(request, response);
  const answerPrepared = createPreparedAnswers(prepared, logger);
  const answerEarly =
    early === undefined ? () => false : createEarlyAnswers(early, { stopping, logger, framework });

  function answer(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const isStopping = stopping();
    if (isStopping) response.setHeader('connection', 'close');
    const isBelow = takeOffBasePath(request, basePath);
    // The framework refuses a request that names several hosts, or another one; no one else sees it.
    const isAccepted = hosts.accepts(request);
    if (isAccepted && !isBelow && elsewhere !== undefined) {
      elsewhere.handle(request, response);
      return;
    }
    if (expectsContinue) response.writeContinue();
    const isAnswered =
      isAccepted &&
      (guards.some((guard) => guard(request, response)) ||
        (!isStopping && (answerPrepared(request, response) || answerEarly(request, response))));
    if (!isAnswered) framework(request, response);
  }

  server.on('request', (request, response) => answer(request, response, false));
  server.on('checkContinue', (request, response) => answer(request, response, true));
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseConnect);
  // Node reads on without the offer where nothing listens.
  if (elsewhere === undefined) return;
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    whenAnswered(socket, () => {
      const isElsewhere = targetBelow(request.url ?? '', basePath) === null && hosts.accepts(request);
      if (isElsewhere && offersWebSocket(request)) elsewhere.upgrade(request, socket, head);
      else readWithoutUpgrade(server, request, socket, head);
    }),
  );
}
