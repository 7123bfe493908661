// Desks: a page that React draws, with an interface and a WebSocket of its own. Portico stands in front of all three.
import { createServer } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { WebSocketServer } from 'ws';

const { HOST = '127.0.0.1', PORT = '4002', PORTICO_URL = 'http://localhost:3000/portico' } = process.env;
const built = process.env.BUILT ?? join(import.meta.dirname, 'dist');
const keys = createRemoteJWKSet(new URL(`${PORTICO_URL}/.well-known/jwks.json`));

/** Stands for a database. */
const desks = Array.from({ length: 12 }, (_, index) => ({ number: index + 1, takenBy: null, note: '' }));

/** The person that Portico asserts; null where the request has not come through it. */
async function personOf(request) {
  try {
    const { payload } = await jwtVerify(request.headers['portico-assertion'], keys, {
      issuer: PORTICO_URL,
      audience: 'desks',
    });
    return { id: payload.sub, name: payload.name, rights: payload.rights };
  } catch {
    return null;
  }
}

const api = express.Router();
api.use(async (request, response, next) => {
  request.person = await personOf(request);
  if (request.person === null)
    response.status(401).json({ message: 'Only Portico may call this application.' });
  else next();
});
api.use(express.json({ limit: '10kb' }));
api.param('number', (request, response, next, number) => {
  request.desk = desks[Number(number) - 1];
  if (request.desk === undefined) response.status(404).json({ message: 'There is no such desk.' });
  else next();
});
api.put('/desks/:number', (request, response) => {
  const { desk, person, body } = request;
  if (desk.takenBy !== null && desk.takenBy.id !== person.id)
    return response.status(409).json({ message: `${desk.takenBy.name} has taken it.` });
  desk.takenBy = { id: person.id, name: person.name };
  desk.note = typeof body?.note === 'string' ? body.note.slice(0, 100) : '';
  publish();
  return response.status(204).end();
});
api.delete('/desks/:number', (request, response) => {
  const { desk, person } = request;
  if (desk.takenBy?.id !== person.id && !person.rights.includes('DESKS_MANAGE'))
    return response.status(403).json({ message: 'It is not yours, and you may not manage desks.' });
  Object.assign(desk, { takenBy: null, note: '' });
  publish();
  return response.status(204).end();
});

const app = express();
app.disable('x-powered-by');
app.use('/desks/api', api);
app.use(
  '/desks',
  (request, response, next) => {
    response.set(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'",
    );
    next();
  },
  express.static(built),
);

// The same check as for a request: a WebSocket begins as one. Portico ends it with the session.
const server = createServer(app);
const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_000 });
server.on('upgrade', async (request, socket, head) => {
  socket.on('error', () => socket.destroy());
  const person = request.url === '/desks/live' ? await personOf(request) : null;
  if (person === null)
    return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  return sockets.handleUpgrade(request, socket, head, (webSocket) => {
    webSocket.on('error', () => webSocket.terminate());
    webSocket.send(JSON.stringify(desks));
  });
});

function publish() {
  const message = JSON.stringify(desks);
  for (const webSocket of sockets.clients) webSocket.send(message);
}

server.listen(Number(PORT), HOST, () => process.stdout.write(`Desks listen on http://${HOST}:${PORT}\n`));
