import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { spread, type Effort } from './paired.ts';
import { startPortico, temporaryFolder, type Portico } from './portico.ts';
import { freePort } from '#server/testing/free-port.ts';
import { serving, startScript, type ServerProcess } from './processes.ts';
import { limitRow, multipleRow, type Row } from './report.ts';

const megabytes = 2;
/** The pause between two reports: they arrive one by one, and the benchmark must not measure a full disk queue. */
const breathMs = 20;
/** Long enough to compile the code of a report, also in a quick run: there are only a few reports a second. */
const warmUpMs = 4_000;

/**
 * How long a report with a picture takes from its first byte to the answer, one report after the other: Portico
 * parses, checks and stores it; the bare server writes the picture's bytes to the same disk, and syncs the file and
 * its name. And how long all other requests have to wait during a report.
 */
export async function* feedbackRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const portico = await startPortico([], undefined, { watched: true });
  const bare = await startKeeper();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const sides = {
      bare: () => timed(agent, bare.port, 'PUT', '/keep', {}, nextPicture()),
      portico: () => sendReport(agent, portico),
    };
    const times = { bare: [] as number[], portico: [] as number[] };
    const blocks: number[] = [];

    /** Measures both in turn for a time: a disturbance of the disk affects both. Returns the median of each. */
    async function round(
      milliseconds: number,
      breath = breathMs,
    ): Promise<{ bare: number; portico: number }> {
      const taken = { bare: [] as number[], portico: [] as number[] };
      for (const end = performance.now() + milliseconds; performance.now() < end;) {
        const order =
          taken.bare.length % 2 === 0 ? (['bare', 'portico'] as const) : (['portico', 'bare'] as const);
        for (const side of order) {
          taken[side].push(await sides[side]());
          await pause(breath);
        }
      }
      return { bare: spread(taken.bare).median, portico: spread(taken.portico).median };
    }

    await round(warmUpMs, 0);
    for (let done = 0; done < effort.rounds; done += 1) {
      await portico.longestBlock();
      const medians = await round(effort.roundMs);
      times.bare.push(medians.bare);
      times.portico.push(medians.portico);
      blocks.push(await portico.longestBlock());
    }
    const figure = (side: 'bare' | 'portico') => spread(times[side]).median.toFixed(1);
    yield multipleRow(
      `POST /v1/feedback with a picture of ${megabytes} MB`,
      spread(times.portico.map((time, index) => time / (times.bare[index] ?? 0))),
      `${figure('portico')} : ${figure('bare')} ms until it is on disk`,
      2,
    );
    yield limitRow(
      'Event loop held up by such a report, the longest of a round',
      spread(blocks).median,
      'ms',
      20,
      ` (the longest of all: ${Math.max(...blocks).toFixed(0)} ms)`,
    );
  } finally {
    agent.destroy();
    await Promise.all([bare.stop(), portico.stop()]);
  }
}

async function startKeeper(): Promise<ServerProcess> {
  const port = await freePort();
  const child = startScript([join(import.meta.dirname, 'bare-server.ts'), String(port), temporaryFolder()]);
  return serving(child, port, '/');
}

function sendReport(agent: Agent, { port, token }: Portico): Promise<number> {
  const attachments = [
    { data: nextPicture().toString('base64'), filename: 'screenshot.png', contentType: 'image/png' },
  ];
  const body = Buffer.from(JSON.stringify({ message: 'The map is white.', source: 'widget', attachments }));
  return timed(agent, port, 'POST', '/v1/feedback', { authorization: `Bearer ${token}` }, body);
}

/** Milliseconds from the first byte sent to the last one received. */
async function timed(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<number> {
  const begun = performance.now();
  const sent = request({
    agent,
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of answer) text += String(part);
  const milliseconds = performance.now() - begun;
  if (answer.statusCode !== 200 && answer.statusCode !== 201) {
    throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  }
  return milliseconds;
}

const side = 700;
const pixels = Buffer.alloc((1 + side * 4) * side);
randomFillSync(pixels);

/** Returns a new picture each time, because a known one would be on disk already; noise cannot be compressed. */
function nextPicture(): Buffer {
  randomFillSync(pixels, 1, 64);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), data.length + 8);
  return whole;
}
