import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemCode } from '#contract/problem.ts';
import { newId } from '../keys/ids.ts';
import { problemBody } from './http-problem.ts';
import { discardRest } from './receive-bytes.ts';

// Replaces answers that Node would give itself, without a problem document. Node makes no response object for them:
// the bytes go to the socket.

/** For what Node's parser cannot read, which has no request and no route. */
export function answerUnreadable(error: { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  endWithProblem(socket, 'INVALID_REQUEST', unreadable[error.code ?? ''] ?? 400);
}

const unreadable: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** RFC 9110, 9.3.6: no tunnels. */
export function refuseConnect(_request: IncomingMessage, socket: Socket): void {
  // Node has left the connection by then: an error that no one listens to would end the process.
  socket.on('error', () => socket.destroy());
  discardRest(socket);
  endWithProblem(socket, 'METHOD_NOT_ALLOWED', 405);
}

/** RFC 9110, 10.1.1: another expectation than 100-continue. */
export function refuseExpectation({ socket }: IncomingMessage): void {
  endWithProblem(socket, 'INVALID_REQUEST', 417);
}

function endWithProblem(socket: Socket, code: ProblemCode, status: number): void {
  const body = JSON.stringify({ ...problemBody(code, {}, newId()), status });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}
