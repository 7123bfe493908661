import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a server under measurement (--import): reports over IPC the longest time that its event loop
// was blocked since it was last asked.

/** Milliseconds between two measurements: a shorter block is not seen. */
const resolution = 1;

const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on('message', () => {
  process.send?.(Math.max(0, delay.max / 1e6 - resolution));
  delay.reset();
});
// The IPC channel does not keep the process alive: only the server decides when it ends.
process.channel?.unref();
