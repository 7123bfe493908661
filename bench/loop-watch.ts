import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a server under measurement (--import): tells over IPC how long its event loop was held up at the longest
// since it was last asked.

/** Milliseconds between two looks: what is held up for less is not seen. */
const resolution = 1;

const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on('message', () => {
  process.send?.(Math.max(0, delay.max / 1e6 - resolution));
  delay.reset();
});
// Only the server decides when its process ends.
process.channel?.unref();
