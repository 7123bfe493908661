import { cut, scrub } from './scrub.ts';

/** What a page writes to its console. */
export type ConsoleLine = { readonly level: 'error' | 'warning'; readonly text: string };

type Console = Pick<globalThis.Console, 'error' | 'warn'>;

const longestText = 200;
const methods = { error: 'error', warn: 'warning' } as const;

/**
 * Reports what is written by `console.error` and `console.warn`, which go on writing.
 *
 * @param words texts that are removed
 * @returns restores both; where another script has wrapped them since, they only no longer report
 */
export function watchConsole(
  console: Console,
  words: () => readonly string[],
  onLine: (line: ConsoleLine) => void,
): () => void {
  let isWatching = true;
  let isReporting = false;

  function report(level: ConsoleLine['level'], values: readonly unknown[]): void {
    // What reporting itself writes would be reported without end.
    if (!isWatching || isReporting) return;
    isReporting = true;
    try {
      onLine({ level, text: textOf(values, words()) });
    } catch {
      // The page's own writing must not fail by it.
    } finally {
      isReporting = false;
    }
  }

  const restores = (['error', 'warn'] as const).map((method) => {
    const original = console[method];
    function wrapped(this: unknown, ...values: unknown[]): void {
      report(methods[method], values);
      return original.apply(this, values);
    }
    console[method] = wrapped;
    return () => {
      if (console[method] === wrapped) console[method] = original;
    };
  });

  return () => {
    isWatching = false;
    for (const restore of restores) restore();
  };
}

/**
 * The first text, which a programmer wrote, and the kind and message of the first error. All else are values,
 * and may be what a person typed: they are left out.
 */
function textOf(values: readonly unknown[], words: readonly string[]): string {
  const [first] = values;
  const error = values.find((value) => value instanceof Error);
  const said = typeof first === 'string' ? withoutFormats(first) : '';
  const thrown = error === undefined || said.includes(error.message) ? '' : `${error.name}: ${error.message}`;
  const text = scrub([said, thrown].filter((part) => part !== '').join(' '), { most: longestText, words });
  return text === '' ? cut(first === null ? 'null' : typeof first, longestText) : text;
}

/** `%s` and the like stand for values that follow; `%c` for a style. */
function withoutFormats(text: string): string {
  return text.replaceAll(/%[csdifoO]/g, '').trim();
}
