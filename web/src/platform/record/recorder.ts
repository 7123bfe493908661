import type { Breadcrumb, FailedCall } from '#features/feedback/contract/feedback.ts';
import { cut, isPlainSegment, maskedPath, scrub } from './scrub.ts';
import { watchCalls, watchConsole, watchMoves } from './watch-page.ts';

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

/** A control that was pressed, as screen readers announce it. */
type Clicked = { readonly role: string; readonly name: string };

const longestName = 100;
const longestRead = 300;

const controls =
  'a[href], button, summary, input, select, textarea, [role], [contenteditable=""], [contenteditable=true]';
const valueHolders = 'input, select, textarea, [contenteditable], script, style, [aria-hidden=true]';

/** Their content names them, and is chosen by the programmers of the page rather than by its people. */
const named = new Set([
  'button',
  'checkbox',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'switch',
  'tab',
]);
/** Their content is what is typed or chosen: only their label names them. */
const fields = new Set(['combobox', 'file', 'searchbox', 'slider', 'spinbutton', 'textbox']);
/** Their content is data: they are recorded without a name. */
const unnamed = new Set(['cell', 'gridcell', 'listbox', 'option', 'row', 'treeitem']);

const inputRoles: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'file',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};

/**
 * The control that an event happened on; null where it is none. Inside an element with `data-private` it has
 * no name.
 *
 * @param path from the innermost element outwards, as `composedPath` answers it
 * @param words texts that are removed from names
 */
function clickedControl(path: readonly EventTarget[], words: readonly string[]): Clicked | null {
  for (const target of path) {
    if (!isElement(target) || !target.matches(controls)) continue;
    const role = roleOf(target);
    if (named.has(role) || fields.has(role) || unnamed.has(role)) {
      const name = isPrivate(path) ? '' : scrub(nameOf(target, role), { most: longestName, words });
      return { role, name };
    }
  }
  return null;
}

/** Elements of another window are no instances of this one's classes. */
function isElement(target: EventTarget): target is Element {
  return 'nodeType' in target && target.nodeType === 1;
}

function isPrivate(path: readonly EventTarget[]): boolean {
  return path.some((target) => isElement(target) && target.hasAttribute('data-private'));
}

function roleOf(element: Element): string {
  const [given] = (element.getAttribute('role') ?? '').trim().split(/\s+/);
  if (given !== undefined && given !== '') return given.toLowerCase();
  switch (element.localName) {
    case 'a':
      return 'link';
    case 'button':
    case 'summary':
      return 'button';
    case 'select':
      return 'combobox';
    case 'input':
      return inputRoles[(element.getAttribute('type') ?? '').toLowerCase()] ?? 'textbox';
    default:
      return 'textbox';
  }
}

function nameOf(element: Element, role: string): string {
  if (unnamed.has(role)) return '';
  const label = element.getAttribute('aria-label')?.trim() ?? '';
  if (fields.has(role) || element.localName === 'input')
    return label || labelledBy(element) || labelOf(element);
  if (role === 'link' && namesAThing(element)) return '';
  const seen = wordsIn(element);
  // A button with the label "Discard: the text of the draft" shows only "Discard".
  if (seen !== '' && label.toLowerCase().includes(seen.toLowerCase())) return seen;
  return label || labelledBy(element) || seen || (element.getAttribute('title') ?? '');
}

/** Of a link to one of many things the text is that thing's name: of a person, of a file. */
function namesAThing(link: Element): boolean {
  const href = link.getAttribute('href') ?? '';
  const [place = '', query = ''] = (href.split('#', 1)[0] ?? '').split('?', 2);
  const [, path = place] = /^[a-z]+:\/\/[^/]*(.*)$/i.exec(place) ?? [];
  const values = [...new URLSearchParams(query).values()];
  return [...path.split('/'), ...values].some((part) => !isPlainSegment(part));
}

function labelledBy(element: Element): string {
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
  const root = element.getRootNode() as Document | ShadowRoot;
  return ids
    .map((id) => root.getElementById?.(id))
    .map((other) => (other === null || other === undefined ? '' : wordsIn(other)))
    .join(' ')
    .trim();
}

function labelOf(element: Element): string {
  const labels = 'labels' in element ? (element.labels as NodeListOf<Element> | null) : null;
  const [label] = labels ?? [];
  if (label !== undefined) return wordsIn(label);
  // The words on a button of a form are its value.
  const isButton = /^(?:button|submit|reset)$/i.test(element.getAttribute('type') ?? '');
  return isButton ? (element.getAttribute('value') ?? '') : (element.getAttribute('alt') ?? '');
}

/** The texts in an element and the names of its pictures, without what its fields hold. */
function wordsIn(element: Element): string {
  const words: string[] = [];
  let length = 0;
  const read = (node: Node): void => {
    if (length > longestRead) return;
    if (node.nodeType === 3) {
      words.push(node.nodeValue ?? '');
      length += node.nodeValue?.length ?? 0;
    } else if (isElement(node) && !(node !== element && node.matches(valueHolders))) {
      const alt = node.getAttribute('alt');
      if (alt !== null) words.push(alt);
      for (const child of node.childNodes) read(child);
    }
  };
  read(element);
  return words.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The most that a report takes (`contextLimits` of the contract). */
export const mostBreadcrumbs = 50;
const highestCount = 9999;

/** The last breadcrumbs of a page, in the order of time. */
type Ring = {
  add(crumb: Breadcrumb): void;
  all(): readonly Breadcrumb[];
};

/**
 * Stores the last ones. A repeated one is counted. Where there are too many, the kind that has the most loses
 * its oldest: many of one kind drive out no others.
 */
export function createRing(most: number = mostBreadcrumbs): Ring {
  let crumbs: readonly Breadcrumb[] = [];

  function add(crumb: Breadcrumb): void {
    const last = crumbs.at(-1);
    if (last !== undefined && isSame(last, crumb)) {
      const count = Math.min(highestCount, (last.count ?? 1) + (crumb.count ?? 1));
      crumbs = [...crumbs.slice(0, -1), { ...last, count }];
      return;
    }
    const next = [...crumbs, crumb];
    // What was recorded elsewhere may be added late.
    if (last !== undefined && crumb.at < last.at) next.sort((one, other) => one.at - other.at);
    crumbs = next.length <= most ? next : withoutOldest(next);
  }

  return { add, all: () => crumbs };
}

function isSame(one: Breadcrumb, other: Breadcrumb): boolean {
  const facts = ({ at: _at, count: _count, ...rest }: Breadcrumb) => JSON.stringify(rest);
  return facts(one) === facts(other);
}

function withoutOldest(crumbs: readonly Breadcrumb[]): Breadcrumb[] {
  const counts = new Map<Breadcrumb['kind'], number>();
  for (const { kind } of crumbs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const gone = crumbs.findIndex(({ kind }) => counts.get(kind) === most);
  return crumbs.toSpliced(gone, 1);
}
