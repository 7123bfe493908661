/** One bit of work, some microseconds long. Answers whether it was the last one. */
export type Bit = () => boolean;

/** Work that is done in the order in which it is added. */
export type WorkLine = { add(work: Bit): void };

type Line = { work: Bit[]; done: number };

/** How long all lines together may hold up the event loop at once, milliseconds. */
const sliceMs = 4;

/** Lines that have work left; they take turns, bit by bit, so that no line waits for all work of another. */
const busy = new Set<Line>();
/** When the slice of this turn of the event loop ends; null before its first bit. */
let endsAt: number | null = null;
let running = false;

/**
 * A line of work that is done in slices, so that everything else can run between them. Work that fits into this
 * turn of the event loop is done at once, the rest in the next turns.
 */
export function createWorkLine(): WorkLine {
  const line: Line = { work: [], done: 0 };
  return {
    add(work) {
      line.work.push(work);
      busy.add(line);
      if (!running) run();
    },
  };
}

function run(): void {
  if (endsAt === null) {
    endsAt = performance.now() + sliceMs;
    setImmediate(nextTurn);
  }
  running = true;
  try {
    for (const line of busy) {
      if (performance.now() >= endsAt) return;
      doNextBit(line);
    }
  } finally {
    running = false;
  }
}

function doNextBit(line: Line): void {
  busy.delete(line);
  if (line.work[line.done]?.() !== false) line.done += 1;
  if (line.done < line.work.length) {
    // Behind all others.
    busy.add(line);
  } else {
    line.work = [];
    line.done = 0;
  }
}

function nextTurn(): void {
  endsAt = null;
  if (busy.size > 0) run();
}
