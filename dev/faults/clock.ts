import { call } from '../call.ts';
import { faketime, startServer, type Installation } from '../interop/portico.ts';
import { Skipped } from '../interop/table.ts';
import { figures, newInstallation, tokenOf, type Fault } from './fault.ts';
import { flag } from './load.ts';

type Start = { kind: 'ready' | 'refused'; output: string };

/** A start whose clock is a year wrong either way: it reports that, and nothing is lost. */
export const wrongClock: Fault = {
  name: 'clock a year ahead and behind',
  async run(world) {
    if (faketime === undefined) throw new Skipped('needs faketime (apt-get install faketime)');
    const installation = await newInstallation(world.folder());
    const losses: string[] = [];
    await start(installation, undefined, 'before');
    const behind = await start(installation, '-365d');
    if (!mentionsTime(behind)) losses.push(`a clock a year behind is not reported: ${behind.output}`);
    const ahead = await start(installation, '+365d', 'ahead');
    const afterwards = await start(installation);
    if (!mentionsTime(afterwards)) losses.push(`data of a year ahead is not reported: ${afterwards.output}`);
    const found = await keysUnder(installation);
    const written = ['before', ...(ahead.kind === 'ready' ? ['ahead'] : [])];
    const lost = written.filter((key) => !found.includes(key)).map((key) => `flag ${key}`);
    return figures(
      `a year behind: ${behind.kind}; a year ahead: ${ahead.kind}; back again: ${afterwards.kind}; ${lost.length} lost`,
      [...losses, ...lost],
    );
  },
};

const mentionsTime = ({ output }: Start): boolean => /clock|ahead|future/i.test(output);

/** Starts it under a clock, writes a flag where one is named, and stops it. */
async function start(installation: Installation, clock?: string, key?: string): Promise<Start> {
  const server = startServer(installation, clock === undefined ? {} : { clock });
  try {
    await server.ready();
  } catch (error) {
    if (server.isAlive()) throw error;
    return { kind: 'refused', output: server.output() };
  }
  if (key !== undefined)
    await call(server.url, tokenOf(installation, clock), 'POST', '/v1/flags', { ...flag, key });
  await server.stop();
  return { kind: 'ready', output: server.output() };
}

/** What is there, under a clock with which it starts in any case. */
async function keysUnder(installation: Installation): Promise<string[]> {
  const clock = '+366d';
  const server = startServer(installation, { clock });
  await server.ready();
  const token = tokenOf(installation, clock);
  const { flags } = await call<{ flags: { key: string }[] }>(server.url, token, 'GET', '/v1/flags');
  await server.stop();
  return flags.map(({ key }) => key);
}
