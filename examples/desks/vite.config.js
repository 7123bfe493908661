import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/desks/',
  plugins: [react()],
  // In an application of your own, `portico/react` comes from the package `portico`; here from the built web beside this folder.
  resolve: {
    alias: { 'portico/react': fileURLToPath(new URL('../../web/dist/portico-react.js', import.meta.url)) },
    dedupe: ['react'],
  },
});
