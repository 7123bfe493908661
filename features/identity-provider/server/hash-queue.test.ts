import { describe, expect, it } from 'vitest';
import { createHashQueue, type Turn } from './hash-queue.ts';

/** A queue for one at a time, whose first place is taken until `run`. */
function queueOf(mostWaiting: number) {
  const inTurn = createHashQueue({ atOnce: 1, mostWaiting });
  const done: string[] = [];
  let open = (): void => undefined;
  const first = inTurn({ known: false, by: '' }, () => new Promise<void>((go) => (open = go)));
  const all: Promise<unknown>[] = [first];
  return {
    add(turn: Turn, name: string): void {
      const work = () => Promise.resolve(void done.push(name));
      all.push(
        inTurn(turn, work).catch((error: unknown) =>
          done.push(`${name} ${(error as { code: string }).code}`),
        ),
      );
    },
    async run(): Promise<string[]> {
      open();
      await Promise.all(all);
      return done;
    },
  };
}

const stranger = (by: string): Turn => ({ known: false, by });
const known = (by: string): Turn => ({ known: true, by });

describe('SES-3: the queue of those whose password is hashed', () => {
  it('SES-3: has a turn for each network, however much one of them sends', async () => {
    const queue = queueOf(100);
    for (let count = 0; count < 130; count += 1) queue.add(stranger('2001:db8::/48'), `guess ${count}`);
    queue.add(stranger('192.0.2.1'), 'the owner');
    queue.add(stranger('192.0.2.1'), 'the owner again');
    const done = await queue.run();
    const refused = done.filter((each) => each.endsWith('UNAVAILABLE'));
    expect(refused).toHaveLength(32);
    expect(refused.every((each) => each.startsWith('guess'))).toBe(true);
    const turns = done.filter((each) => !each.endsWith('UNAVAILABLE'));
    expect([turns.indexOf('the owner'), turns.indexOf('the owner again')]).toEqual([1, 3]);
  });

  it('SES-3: takes browsers that are known first, and every fourth time one that is not', async () => {
    const queue = queueOf(4);
    for (const name of ['a', 'b']) queue.add(stranger(name), name);
    for (const name of ['K', 'L', 'M', 'N']) queue.add(known(name), name);
    expect(await queue.run()).toEqual(['K', 'L', 'M', 'a', 'N', 'b']);
  });

  it('SES-3: has places for browsers that are known, whoever else waits, and shares them among accounts', async () => {
    const queue = queueOf(2);
    for (const name of ['a', 'b', 'c']) queue.add(stranger(name), name);
    for (const name of ['K1', 'K2', 'K3']) queue.add(known('K'), name);
    queue.add(known('L'), 'L');
    expect((await queue.run()).toSorted()).toEqual([
      'K1',
      'K2 UNAVAILABLE',
      'K3 UNAVAILABLE',
      'L',
      'a',
      'b',
      'c UNAVAILABLE',
    ]);
  });
});
