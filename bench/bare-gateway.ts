import { Agent, createServer, request } from 'node:http';

// The pass-through that the gateway is measured against: node:http alone, which forwards headers and body as is.

const [port, upstream] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });

createServer((incoming, response) => {
  const { method, url, headers } = incoming;
  const outgoing = request(
    { host: '127.0.0.1', port: upstream, method, path: url, headers, agent },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}).listen(port, '127.0.0.1');
