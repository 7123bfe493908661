import type { Plugin } from 'vite';
import { replaceMethods } from './replace-methods.ts';

/**
 * Leaves out of GrowthBook's SDK the experiments that change the page by themselves: those made in a visual
 * editor, which Portico's Content-Security-Policy would refuse, and redirects, with which a flag host could
 * send people away. Experiments within flags stay.
 */
export function withoutExperiments(): Plugin {
  return {
    name: 'portico:without-experiments',
    enforce: 'pre',
    resolveId: (id) => (id === 'dom-mutator' ? '\0without-dom-mutations' : undefined),
    load: (id) => (id === '\0without-dom-mutations' ? 'export default {}' : undefined),
    transform(code, id) {
      if (!id.endsWith('/growthbook/dist/esm/GrowthBook.mjs')) return undefined;
      const rest = replaceMethods(this, code, 'GrowthBook', {
        triggerExperiment: 'triggerExperiment() { return null; }',
        _runAutoExperiment: '',
        _undoActiveAutoExperiment: '',
        _updateAllAutoExperiments: '_updateAllAutoExperiments() {}',
        _isAutoExperimentBlockedByContext: '',
        _getNavigateFunction: '',
        _applyDOMChanges: '',
      });
      return { code: rest, map: null };
    },
  };
}
