import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a server under measurement (--import): reports over IPC how many bytes its objects and buffers
// take once all garbage is collected.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('message', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
// The IPC channel does not keep the process alive: only the server decides when it ends.
process.channel?.unref();
