import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The icons that `portico.js` draws before the report dialog is loaded. */
const first = new Set(['alert', 'bug', 'check-circle', 'clock', 'close', 'info', 'warning']);
const drawing = /^ {2}'?([\w-]+)'?:\s*'[^']*',$/gm;
const late = 'virtual:portico-icons/late';

/**
 * Removes all but the few icons that `portico.js` starts with; `portico-icons/late` adds the others later.
 *
 * @param icons the module of the icons
 */
export function lateIcons(icons: string): Plugin {
  return {
    name: 'portico:late-icons',
    enforce: 'pre',
    resolveId: (id) => (id === late ? `\0${late}` : undefined),
    load(id) {
      if (id !== `\0${late}`) return undefined;
      const all = [...readFileSync(icons, 'utf8').matchAll(drawing)].map(([line]) => line).join('\n');
      return `import { addDrawings } from ${JSON.stringify(icons)};\naddDrawings({\n${all}\n});`;
    },
    transform(code, id) {
      if (id !== icons) return undefined;
      const few = code.replaceAll(drawing, (line, name: string) => (first.has(name) ? line : ''));
      return {
        code: `${few}\nexport const addDrawings = (more) => Object.assign(drawings, more);`,
        map: null,
      };
    },
  };
}
