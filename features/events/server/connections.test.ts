import { expect, it } from 'vitest';
import { createConnections, type Connection } from './connections.ts';

const connect = (id: string, personId: string, sessionId: string): Connection => ({
  id,
  personId,
  sessionId,
  atOtherHost: false,
  stream: null,
  held: null,
  last: null,
});

it('RUN-1: the oldest of a session gives way, else the oldest of a person, and none of another one', () => {
  const connections = createConnections({ ofPerson: 3, ofSession: 2 });
  const [a1, a2, a3] = [connect('a1', 'ada', 'a'), connect('a2', 'ada', 'a'), connect('a3', 'ada', 'a')];
  const [b1, b2] = [connect('b1', 'ada', 'b'), connect('b2', 'ada', 'b')];
  const mia = connect('m1', 'mia', 'm');
  expect([a1, mia, a2].map((each) => connections.add(each))).toEqual([null, null, null]);
  expect(connections.add(a3)).toBe(a1);
  expect([connections.remove(a1), connections.remove(a1)]).toEqual([true, false]);
  expect(connections.add(b1)).toBe(null);
  expect(connections.add(b2)).toBe(a2);
  connections.remove(a2);
  expect(connections.ofPerson('ada')).toEqual([a3, b1, b2]);
  expect([connections.ofSession('a'), connections.ofSession('b')]).toEqual([[a3], [b1, b2]]);
  connections.remove(mia);
  expect([connections.ofPerson('mia'), connections.sessionIds(), connections.size]).toEqual([
    [],
    ['a', 'b'],
    3,
  ]);
});
