import { afterAll, vi } from 'vitest';

// Test files share the global object of their worker: what one replaced and did not put back broke the next.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
