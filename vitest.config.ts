import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,web,dev}/**/*.test.{ts,tsx}'],
  },
});
