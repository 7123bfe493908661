import { connect, type Socket } from 'node:net';
import type { FloodResult } from './intake-rows.ts';

// node flood-client.ts PORT PER_SECOND REQUEST: sends the same request (base64) PER_SECOND times a second, whatever
// the answers are, until it receives a message; then reports how many requests there were and how they were
// answered. A request that finds no free connection counts as offered, but is not sent.

const [, , port, perSecond, request] = process.argv;
const connections = 200;
const tickMs = 5;
const bytes = Buffer.from(request ?? '', 'base64');
const status = /HTTP\/1\.1 (\d{3})/;

const answers: Record<string, number> = {};
let offered = 0;
let sent = 0;
const begun = performance.now();

// As clients of HTTP/1.1 do, each connection waits for its answer.
const free = new Set<Socket>();
for (let each = 0; each < connections; each += 1) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  socket.on('connect', () => free.add(socket));
  socket.on('data', (part) => {
    const code = status.exec(part.toString('latin1'))?.[1];
    if (code === undefined) return;
    answers[code] = (answers[code] ?? 0) + 1;
    free.add(socket);
  });
  socket.on('error', () => free.delete(socket));
}

const timer = setInterval(() => {
  const due = ((performance.now() - begun) / 1000) * Number(perSecond);
  for (; offered < due; offered += 1) {
    const [socket] = free;
    if (socket === undefined) continue;
    free.delete(socket);
    socket.write(bytes);
    sent += 1;
  }
}, tickMs);

process.on('message', () => {
  clearInterval(timer);
  const result: FloodResult = { answers, seconds: (performance.now() - begun) / 1000, offered, sent };
  process.send?.(result, () => process.exit(0));
});
