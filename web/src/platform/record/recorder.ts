import type { Breadcrumb, FailedCall } from '#features/feedback/contract/feedback.ts';
import { clickedControl, isElement } from './clicked.ts';
import { createRing } from './ring.ts';
import { cut, maskedPath } from './scrub.ts';
import { watchCalls } from './watch-calls.ts';
import { watchConsole } from './watch-console.ts';
import { watchMoves } from './watch-moves.ts';

/*
 * Records what a person did before a report, and what went wrong then (BUG-7). It takes a window and nothing
 * else of the page, so that it works in any page; no value of a field, query or fragment is ever recorded.
 */

export type Recorder = {
  /** The last ones, in the order of time. */
  breadcrumbs(): readonly Breadcrumb[];
  /** Adds a failed call that the page's own client reports. */
  addCall(call: FailedCall): void;
  /** Ends it, and puts back what it had replaced. */
  end(): void;
};

export type RecorderOptions = {
  now?: () => number;
  /** The name of the screen at a path, parameters by their names; empty: its ids are masked. */
  screenAt?: (path: string) => string;
  /** Texts that are removed wherever they occur, such as the name of the person who is signed in. */
  words?: () => readonly string[];
  /** A selector; presses inside of what it matches are not recorded. */
  ignored?: string;
  /** Watches `fetch` and XMLHttpRequest, for a page whose client reports no failed calls. */
  calls?: boolean;
};

const longestPath = 200;
/** So many fields are read for what is typed in them. */
const mostFields = 200;

export function startRecorder(window: Window & typeof globalThis, options: RecorderOptions = {}): Recorder {
  const { now = Date.now, screenAt, words = () => [], ignored } = options;
  const { document } = window;
  const ring = createRing();

  function screen(path: string): string {
    const named = screenAt?.(path) ?? '';
    return cut(named === '' ? maskedPath(path) : named, longestPath) || '/';
  }

  function onClick(event: Event): void {
    try {
      const path = event.composedPath();
      if (ignored !== undefined && path.some((target) => isElement(target) && target.matches(ignored)))
        return;
      const clicked = clickedControl(path, words());
      if (clicked !== null) ring.add({ kind: 'click', at: now(), ...clicked });
    } catch {
      // The page must not fail by being recorded.
    }
  }

  const ends = [
    watchMoves(window, (path) => ring.add({ kind: 'navigation', at: now(), path: screen(path) })),
    watchConsole(
      window.console,
      () => [...words(), ...typedIn(document)],
      (line) => ring.add({ kind: 'console', at: now(), ...line }),
    ),
    options.calls === true
      ? watchCalls(window, (call) => ring.add({ kind: 'call', at: now(), ...call }))
      : () => {},
  ];
  document.addEventListener('click', onClick, { capture: true, passive: true });
  ring.add({ kind: 'navigation', at: now(), path: screen(window.location.pathname) });

  return {
    breadcrumbs: ring.all,
    addCall: (call) => ring.add({ kind: 'call', ...call }),
    end() {
      document.removeEventListener('click', onClick, { capture: true });
      for (const end of ends) end();
    },
  };
}

/** What is typed into the fields of a page: a message may quote it. */
function typedIn(document: Document): string[] {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].slice(0, mostFields);
  return fields
    .filter(({ type }) => !/^(?:checkbox|radio|submit|button|reset|hidden)$/.test(type))
    .map(({ value }) => value);
}
