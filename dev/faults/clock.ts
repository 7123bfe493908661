import { type Fault, type World } from './fault.ts';
import { faketime, newInstallation, newToken, startServer, type Installation } from './server.ts';

type Start = { kind: 'ready' | 'refused'; output: string };

/** A start whose clock is a year wrong either way: it reports that, and nothing is lost. */
export const wrongClock: Fault = {
  name: 'clock a year ahead and behind',
  async run(world) {
    if (faketime === undefined) return { skipped: 'needs faketime (apt-get install faketime)' };
    const installation = await newInstallation(world);
    const losses: string[] = [];
    await start(world, installation, undefined, 'before');
    const behind = await start(world, installation, '-365d');
    if (!mentionsTime(behind)) losses.push(`a clock a year behind is not reported: ${behind.output}`);
    const ahead = await start(world, installation, '+365d', 'ahead');
    const afterwards = await start(world, installation, undefined);
    if (!mentionsTime(afterwards)) losses.push(`data of a year ahead is not reported: ${afterwards.output}`);
    const found = await keysUnder(world, installation);
    const written = ['before', ...(ahead.kind === 'ready' ? ['ahead'] : [])];
    const lost = written.filter((key) => !found.includes(key)).map((key) => `flag ${key}`);
    losses.push(...lost);
    return {
      figures: `a year behind: ${behind.kind}; a year ahead: ${ahead.kind}; back again: ${afterwards.kind}; ${lost.length} lost`,
      losses,
    };
  },
};

const mentionsTime = ({ output }: Start): boolean => /clock|ahead|future/i.test(output);

/** Starts it under a clock, writes a flag where one is named, and stops it. */
async function start(
  world: World,
  installation: Installation,
  clock: string | undefined,
  key?: string,
): Promise<Start> {
  const server = startServer(world, installation, clock === undefined ? {} : { clock });
  try {
    await server.ready();
  } catch (error) {
    if (server.isAlive()) throw error;
    return { kind: 'refused', output: server.output() };
  }
  if (key !== undefined) {
    const body = {
      key,
      type: 'boolean',
      enabled: true,
      description: '',
      defaultValue: true,
      rules: [],
      tags: [],
    };
    const headers = {
      authorization: `Bearer ${newToken(installation, clock)}`,
      'content-type': 'application/json',
    };
    const answer = await fetch(`${server.url}/v1/flags`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`A flag answered ${answer.status}: ${await answer.text()}`);
  }
  await server.stop();
  return { kind: 'ready', output: server.output() };
}

/** What is there, under a clock with which it starts in any case. */
async function keysUnder(world: World, installation: Installation): Promise<string[]> {
  const server = startServer(world, installation, { clock: '+366d' });
  await server.ready();
  const headers = { authorization: `Bearer ${newToken(installation, '+366d')}` };
  const answer = await fetch(`${server.url}/v1/flags`, { headers });
  const { flags } = (await answer.json()) as { flags: { key: string }[] };
  await server.stop();
  return flags.map(({ key }) => key);
}
