import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createHeldAnswers } from './held-answers.ts';
import { namesOneHost } from './host-header.ts';

/** An answer that is written before the framework sees the request. */
export type EarlyAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string };

export type EarlyAnswersOptions = {
  /** Whether the body of this request is worth a look. */
  wants(request: IncomingMessage): boolean;
  /** The answer to a request whose whole body is here, or null: the framework answers it. */
  answer(request: IncomingMessage, body: Buffer): EarlyAnswer | null;
  /** While the server stops the framework answers. */
  stopping(): boolean;
};

/**
 * Answers requests of a flood before the framework begins its work for them, which costs more than everything
 * that Node does for them, and a tenth of a second later, so that those who wait for an answer send less. Only
 * requests whose body comes with their head: all others, and what `answer` leaves, go on at once, as if nobody had
 * looked. Where too many wait for their answer, connections are closed.
 */
export function answerEarly(
  fastify: FastifyInstance,
  { wants, answer, stopping }: EarlyAnswersOptions,
): void {
  const { server } = fastify;
  const { hold } = createHeldAnswers();
  const framework = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const goOn = (): void => {
      for (const listener of framework) listener(request, response);
    };
    if (stopping() || !wants(request) || !namesOneHost(request)) {
      goOn();
      return;
    }
    const announced = Number(request.headers['content-length']);
    request.once('readable', () => {
      const part = request.read() as Buffer | null;
      const given = part !== null && part.length === announced ? answer(request, part) : null;
      if (given === null) {
        if (part !== null) request.unshift(part);
        goOn();
        return;
      }
      request.resume();
      const { status, headers, body } = given;
      const held = hold(() => {
        response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
        response.end(body);
      });
      if (!held) request.destroy();
    });
  });
}
