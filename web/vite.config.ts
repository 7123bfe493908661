import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from './precompress.ts';

/** The application. The small pages before it are a build of their own: `vite.door.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutDomMutations(), precompress()],
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

/**
 * The flag SDK brings `dom-mutator` along for experiments made in a visual editor. Portico has none, and its
 * Content-Security-Policy would refuse what they inject.
 */
function withoutDomMutations(): Plugin {
  return {
    name: 'portico:without-dom-mutations',
    enforce: 'pre',
    resolveId: (id) => (id === 'dom-mutator' ? '\0without-dom-mutations' : undefined),
    load: (id) =>
      id === '\0without-dom-mutations'
        ? 'export default { declarative: () => ({ revert() {} }) }'
        : undefined,
  };
}
