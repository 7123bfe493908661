import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** The application. The small pages before it are a build of their own: `vite.door.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress()],
  // The server puts each page's own nonce in its place (API-2).
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.app.json',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: 'index.html' },
  },
});
