import type { Plugin } from 'vite';

type Hook = (this: unknown, one: string, other?: string) => unknown;

/**
 * Makes a plugin fail the build when the plugin has changed nothing: otherwise a path or a pattern that no longer
 * matches would go unnoticed.
 *
 * @param within a pattern for the path of a module that the plugin has to change; left out: any module
 */
export function mustChange(plugin: Plugin, within = /./): Plugin {
  let changed = false;
  /** @param path which of the hook's parameters is the path of the module */
  const watched = (hook: unknown, path: 0 | 1) =>
    typeof hook !== 'function'
      ? hook
      : function (this: unknown, ...args: [string, string?]) {
          const answer: unknown = (hook as Hook).apply(this, args);
          const code = (answer as { code?: string } | undefined)?.code ?? answer;
          changed ||= code !== undefined && code !== args[0] && within.test(args[path] ?? '');
          return answer;
        };
  const { resolveId, load, transform, ...rest } = plugin;
  return {
    ...rest,
    ...(resolveId === undefined ? {} : { resolveId: watched(resolveId, 1) as typeof resolveId }),
    ...(load === undefined ? {} : { load: watched(load, 0) as typeof load }),
    ...(transform === undefined ? {} : { transform: watched(transform, 1) as typeof transform }),
    buildEnd(error) {
      if (!changed && error === undefined)
        this.error(`${plugin.name} changed nothing in ${within.source}: look at the paths it looks for.`);
    },
  };
}
