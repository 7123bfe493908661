import { HttpProblem } from '#server/platform/http/http-problem.ts';

/**
 * Whose work it is. `known`: a browser that has signed in before, a link or a session vouches for the client, and
 * `by` is the account; otherwise `by` is the network of the client.
 */
export type Turn = { known: boolean; by: string };

type Waiting = { begin(): void; refuse(): void };

/** After so many turns of known senders in a row, one of the others has its turn. */
const knownInARow = 3;

/**
 * Runs `atOnce` jobs at once and lets `mostWaiting` wait in each of two lanes, for known and unknown senders. In a
 * lane the senders take turns, however many jobs each has sent. Where a lane is full, the sender with the most
 * loses its last place to one with fewer. So guesses from one network neither delay nor refuse the others.
 *
 * @returns a function that waits for its turn and runs the job; throws UNAVAILABLE where there is no place
 */
export function createHashQueue({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
  const known = createLane(mostWaiting);
  const unknown = createLane(mostWaiting);
  let working = 0;
  let inARow = 0;

  function next(): Waiting | undefined {
    const isOthers = known.size() === 0 || (inARow >= knownInARow && unknown.size() > 0);
    inARow = isOthers ? 0 : inARow + 1;
    return isOthers ? unknown.take() : known.take();
  }

  return async function inTurn<T>({ known: isKnown, by }: Turn, work: () => Promise<T>): Promise<T> {
    if (working < atOnce) working += 1;
    else {
      await new Promise<void>((begin, fail) => {
        (isKnown ? known : unknown).add(by, { begin, refuse: () => fail(tooMany()) });
      });
    }
    try {
      return await work();
    } finally {
      // The place is handed on, not released, so that no other request takes it in between.
      const waiting = next();
      if (waiting === undefined) working -= 1;
      else waiting.begin();
    }
  };
}

function createLane(most: number) {
  /** The waiting jobs of each sender, in the order of the senders' next turns. */
  const senders = new Map<string, Waiting[]>();
  let size = 0;

  return {
    size: () => size,
    add(by: string, waiting: Waiting): void {
      const own = senders.get(by) ?? [];
      if (size >= most) {
        const [longest] = [...senders.values()].toSorted((one, other) => other.length - one.length);
        if (longest === undefined || longest.length <= own.length + 1) {
          waiting.refuse();
          return;
        }
        longest.pop()?.refuse();
        size -= 1;
      }
      own.push(waiting);
      senders.set(by, own);
      size += 1;
    },
    take(): Waiting | undefined {
      const [first] = senders;
      if (first === undefined) return undefined;
      const [by, own] = first;
      const waiting = own.shift();
      senders.delete(by);
      if (own.length > 0) senders.set(by, own);
      size -= 1;
      return waiting;
    },
  };
}

function tooMany(): HttpProblem {
  return new HttpProblem('UNAVAILABLE', {
    detail: 'Too many sign-ins at once; try again in a moment.',
    retryAfter: 5,
  });
}
