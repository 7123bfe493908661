import { readFileSync } from 'node:fs';
import { startServer } from '../interop/portico.ts';
import { eventually } from '../interop/programs.ts';
import { figures, newInstallation, type Fault } from './fault.ts';
import { fillLog } from './load.ts';

/**
 * Standard output is not read: requests are answered, memory stays bounded, and what was dropped is counted
 * later.
 */
export const unreadOutput: Fault = {
  name: 'standard output without a reader',
  async run(world) {
    const installation = await newInstallation(world.folder(), { LOG_LEVEL: 'info' });
    const server = startServer(installation, { stdout: 'unread' });
    await server.ready();
    const losses = await fillLog(server.url, 500);
    const before = residentMebibytes(server.pid);
    const requests = world.rounds * 5_000;
    losses.push(...(await fillLog(server.url, requests)));
    const grown = residentMebibytes(server.pid) - before;
    // Unbounded it would be over 20 MiB for each 5,000 of these lines; the collector of garbage takes its
    // share.
    if (grown > 60 + 4 * world.rounds) losses.push(`it grew by ${grown} MiB`);
    let text = '';
    server.child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
    await eventually(
      () => 'What was dropped is not counted.',
      () => /"dropped":\d+/.test(text),
    );
    const dropped = Number(/"dropped":(\d+)/.exec(text)?.[1]);
    const status = await server.stop();
    if (status !== 0) losses.push(`the stop ended with ${status}`);
    return figures(
      `${requests + 500} requests answered, ${dropped} lines dropped and counted, memory grew by ${grown} MiB`,
      losses,
    );
  },
};

function residentMebibytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
