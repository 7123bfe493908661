import type { Plugin } from 'vite';

/**
 * The build knows no base path: what a script loads later is found from where the script itself is. Vite
 * would name it from the root, or hand the script's own address to each import, for many bytes.
 */
export function besideEachOther(): Plugin {
  let isDone = false;
  return {
    name: 'portico:beside-each-other',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined;
      // Scripts are in `assets`, and these names begin with that.
      const changed = code.replace('return "/"+dep', 'return "../"+dep');
      isDone = changed !== code;
      return { code: changed, map: null };
    },
    generateBundle() {
      if (!isDone) this.error('The addresses of what is loaded later could not be made relative.');
    },
  };
}
