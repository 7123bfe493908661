import type { Breadcrumb, FailedCall } from '#features/feedback/contract/feedback.ts';
import { cut, isPlainSegment, maskedPath, scrub } from './scrub.ts';
import { watchCalls, watchConsole, watchMoves } from './watch-page.ts';

/*
 * Records what a person did before a report, and what went wrong then (BUG-7). It takes a window and nothing
 * else of the page, so that it works in any page; no value of a field, query or fragment is ever recorded.
 */

export type Recorder = {
  /** Returns the last breadcrumbs, in the order of time. */
  breadcrumbs(): readonly Breadcrumb[];
  /** Adds a failed call that the page's own client reports. */
  addCall(call: FailedCall): void;
};

export type RecorderOptions = {
  now?: () => number;
  /** The path pattern of the screen at a path, with the names of parameters; empty: ids in the path are masked. */
  screenAt?: (path: string) => string;
  /** Texts that are removed wherever they occur, such as the name of the person who is signed in. */
  words?: () => readonly string[];
  /** A selector of elements in which presses are not recorded. */
  ignored?: string;
  /** Watches `fetch` and XMLHttpRequest, for a page whose client reports no failed calls. */
  calls?: boolean;
};

const longestPath = 200;
/** The most fields that are read for typed text. */
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

  watchMoves(window, (path) => ring.add({ kind: 'navigation', at: now(), path: screen(path) }));
  watchConsole(
    window.console,
    () => [...words(), ...typedIn(document)],
    (line) => ring.add({ kind: 'console', at: now(), ...line }),
  );
  if (options.calls === true) watchCalls(window, (call) => ring.add({ kind: 'call', at: now(), ...call }));
  document.addEventListener('click', onClick, { capture: true, passive: true });
  ring.add({ kind: 'navigation', at: now(), path: screen(window.location.pathname) });

  return {
    breadcrumbs: ring.all,
    addCall: (call) => ring.add({ kind: 'call', ...call }),
  };
}

/** The typed texts in the fields of a page, since a console message may quote them. */
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

/** Roles that are named by their content, which the programmers of the page write rather than its users. */
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
/** Roles that are named only by their label, since their content is typed or chosen. */
const fields = new Set(['combobox', 'file', 'searchbox', 'slider', 'spinbutton', 'textbox']);
/** Roles that are recorded without a name, since their content is data. */
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
 * Returns the control on which an event happened; null: it was no control. A control inside an element with
 * `data-private` has no name.
 *
 * @param path the elements from the innermost outwards, as `composedPath` returns them
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

/** Whether a target is an element; not by `instanceof`, since elements of another window have other classes. */
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

/** Whether a link leads to one of many things (a person, a file): its text is then the name of the thing. */
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

/** The most breadcrumbs that a report takes (`contextLimits` of the contract). */
export const mostBreadcrumbs = 50;
const highestCount = 9999;

/** The last breadcrumbs of a page, in the order of time. */
type Ring = {
  add(crumb: Breadcrumb): void;
  all(): readonly Breadcrumb[];
};

/**
 * Stores the last breadcrumbs, and counts repeated ones. When there are too many, the most frequent kind loses its
 * oldest breadcrumb, so that many of one kind do not push out the other kinds.
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
    // A breadcrumb that was recorded elsewhere may be added late.
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
