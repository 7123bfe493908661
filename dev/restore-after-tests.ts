import { afterAll, vi } from 'vitest';

// Test files share the global object of their worker: a replacement that one file leaves behind breaks the next.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
