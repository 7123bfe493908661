import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run kit`: the controls of `src/ui` in each state, for people and for `e2e/kit.spec.ts` (CON-6). */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite-kit',
  plugins: [react()],
  // Scans the kit only, not the other pages in this folder.
  optimizeDeps: { entries: ['kit/index.html'] },
  server: { host: '127.0.0.1', port: 5175, open: false },
});
