import type { Plugin } from 'vite';

/**
 * The build knows no base path, so scripts and styles load other files by addresses relative to their own. Vite
 * would write addresses from the root, or pass the script's own address to each import, which takes many bytes.
 */
export function besideEachOther(): Plugin {
  let isDone = false;
  return {
    name: 'portico:beside-each-other',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined;
      // Scripts are in `assets`, and the names of these files begin with `assets/`.
      const changed = code.replace('return "/"+dep', 'return "../"+dep');
      isDone = changed !== code;
      return { code: changed, map: null };
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        if (!isDone) this.error('The addresses of what is loaded later could not be made relative.');
        for (const built of Object.values(bundle))
          if (built.type === 'asset' && built.fileName.endsWith('.css'))
            built.source = built.source.toString().replaceAll('url(/assets/', 'url(');
      },
    },
  };
}
