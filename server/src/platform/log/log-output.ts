import { write, writeSync } from 'node:fs';

/*
 * Lines on their way to a file descriptor that may take none: a file on a full disk, or a pipe that is full
 * because its reader stopped. Neither may hold requests up, end the process or fill its memory. pino's own
 * destination does all three: its queue has no bound, and its synchronous flush tries for ever.
 *
 * One write runs at a time, outside the event loop. What fails is tried again until it succeeds, and
 * until then lines wait. Where too much waits, further lines are dropped and counted. A line whose first bytes
 * are out is always written to its end.
 */

export type LogOutput = {
  /** Takes one line with its line break. Returns at once; drops the line where too much waits already. */
  write(line: string): void;
  /** Takes lines that are never dropped, whole. Resolves once they are written, however long that takes. */
  writeAll(lines: string): Promise<void>;
  /** Calls back with the number of dropped lines, as soon as lines are taken again. */
  onDropped(report: (count: number) => void): void;
  /** Writes what waits, for a second at the longest; for the end of the process. */
  flushSync(): void;
};

/** Bytes that may wait; after a drop, lines are taken again below half of this. */
const mostWaiting = 1_048_576;
/** Bytes of one write. */
const mostAtOnce = 65_536;
/** A full pipe may be read within milliseconds, a full disk takes a person to free space. */
const againMs = { pipe: 10, other: 1_000 };
const flushMs = 1_000;

type Waiting = { bytes: Buffer; written?: () => void };

/** @param fd open for writing; a pipe or a socket must not block */
export function createLogOutput(fd: number): LogOutput {
  const queue: Waiting[] = [];
  let waiting = 0;
  /** What is left of the write that runs, or that was cut short. */
  let rest: Buffer = Buffer.alloc(0);
  let whenWritten: (() => void)[] = [];
  let writing = false;
  let flushing = false;
  let again: NodeJS.Timeout | undefined;
  let dropped = 0;
  let report = (_count: number): void => undefined;

  function add(item: Waiting): void {
    queue.push(item);
    waiting += item.bytes.length;
    startWrite();
  }

  /** The next lines become `rest`; false where none wait. */
  function takeNext(): boolean {
    if (rest.length > 0) return true;
    const taken: Buffer[] = [];
    let bytes = 0;
    do {
      const item = queue.shift();
      if (item === undefined) break;
      taken.push(item.bytes);
      bytes += item.bytes.length;
      if (item.written !== undefined) whenWritten.push(item.written);
    } while (bytes < mostAtOnce);
    rest = taken.length === 1 ? (taken[0] ?? rest) : Buffer.concat(taken, bytes);
    return rest.length > 0;
  }

  function startWrite(): void {
    if (writing || flushing || again !== undefined || !takeNext()) return;
    writing = true;
    const begun = rest;
    write(fd, begun, 0, begun.length, null, (error, bytes) => {
      // A flush went on without waiting for this write.
      if (rest !== begun) return;
      writing = false;
      if (error === null) {
        advance(bytes);
        startWrite();
      } else {
        again = setTimeout(tryAgain, error.code === 'EAGAIN' ? againMs.pipe : againMs.other);
        again.unref();
      }
    });
  }

  function tryAgain(): void {
    again = undefined;
    startWrite();
  }

  function advance(bytes: number): void {
    rest = rest.subarray(bytes);
    waiting -= bytes;
    if (rest.length === 0) {
      const done = whenWritten;
      whenWritten = [];
      for (const resolve of done) resolve();
    }
    if (dropped > 0 && waiting <= mostWaiting / 2) reportDropped();
  }

  function reportDropped(): void {
    const count = dropped;
    dropped = 0;
    report(count);
  }

  /** One attempt, without the event loop; false where nothing can be written now. */
  function writeNow(): boolean {
    try {
      advance(writeSync(fd, rest));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      return true;
    }
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      // Once lines were dropped, none is taken until there is room for many: one gap with its count rather
      // than hundreds.
      if (dropped > 0 || (waiting > 0 && waiting + bytes.length > mostWaiting)) dropped += 1;
      else add({ bytes });
    },
    writeAll: (lines) => new Promise((written) => add({ bytes: Buffer.from(lines), written })),
    onDropped(given) {
      report = given;
    },
    flushSync() {
      const until = performance.now() + flushMs;
      flushing = true;
      // The write that runs cannot be waited for here. The system still does it where the output takes it.
      if (writing) {
        waiting -= rest.length;
        rest = Buffer.alloc(0);
        writing = false;
      }
      while (takeNext() && performance.now() < until && writeNow());
      flushing = false;
      startWrite();
    },
  };
}

let standard: LogOutput | undefined;

/** The one output of this process to its standard output, emptied when the process ends. */
export function standardOutput(): LogOutput {
  if (standard !== undefined) return standard;
  // Asking for it makes a pipe or a socket one that does not block: a blocked write would hold the end of the
  // process up.
  void process.stdout;
  standard = createLogOutput(1);
  process.once('exit', standard.flushSync);
  return standard;
}
