import { MarkError, type MarkMistake } from './mark-error.ts';

/*
 * A mark as an SVG. Nothing of the file is passed on: it is read strictly, and a drawing is written anew from what is known to be
 * harmless. What could act or reach elsewhere is refused and not taken out in silence, since somebody put it there; what editors
 * leave behind (comments, metadata, their own namespaces) is left out.
 */

type Element = { name: string; attributes: Map<string, string>; children: (Element | string)[] };

const mostElements = 2_000;
const mostDepth = 40;
/** Elements as they are drawn, those counted again that are drawn again by reference. */
const mostDrawn = 10_000;

const svgNamespace = 'http://www.w3.org/2000/svg';

const elements = new Set(
  (
    'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan ' +
    'linearGradient radialGradient stop clipPath mask pattern style'
  ).split(' '),
);
const gradients = new Set(['linearGradient', 'radialGradient']);
/** Say something about the drawing and are not drawn. */
const leftOut = new Set(['metadata', 'title', 'desc']);
const acting = /^(script|handler|listener|set|animate.*|discard)$/i;

const attributes = new Set(
  (
    'id class style d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height points transform viewBox ' +
    'preserveAspectRatio fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color clip-path clip-rule mask offset stop-color ' +
    'stop-opacity gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform ' +
    'maskUnits maskContentUnits clipPathUnits font-family font-size font-weight font-style text-anchor letter-spacing ' +
    'dominant-baseline display visibility vector-effect paint-order shape-rendering mix-blend-mode rotate textLength'
  ).split(' '),
);

/** Reads an SVG and answers the drawing, written anew. Throws MarkError. */
export function readSvgMark(bytes: Uint8Array): string {
  const root = parse(decoded(bytes));
  if (root.name !== 'svg') throw mistake('type', 'is no SVG');
  const namespace = root.attributes.get('xmlns');
  if (namespace !== undefined && namespace !== svgNamespace) throw mistake('type', 'is no SVG');
  const drawing = kept(root);
  if (drawing === null) throw mistake('type', 'is no SVG');
  refuseEndless(drawing);
  return written(drawing, true);
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw mistake('broken', 'is not written in UTF-8');
  }
}

// ---- reading: the XML that drawings are written in (XML 1.0), and nothing else of it

const name = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const attribute = /\s+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

function parse(text: string): Element {
  let at = 0;
  let count = 0;
  const open: Element[] = [];
  let root: Element | null = null;

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  }

  function skipPast(end: string, what: string): string {
    const to = text.indexOf(end, at);
    if (to === -1) throw mistake('broken', `has ${what} without an end`);
    const skipped = text.slice(at, to);
    at = to + end.length;
    return skipped;
  }

  function add(child: Element | string): void {
    const parent = open.at(-1);
    if (parent !== undefined) parent.children.push(child);
    else if (typeof child === 'string') {
      if (child.trim() !== '') throw mistake('broken', 'has text outside of the drawing');
    } else if (root !== null) throw mistake('broken', 'has more than one drawing');
    else root = child;
  }

  function readTag(): void {
    const opened = match(name);
    if (opened === null) throw mistake('broken', 'has a tag without a name');
    count += 1;
    if (count > mostElements) throw mistake('too-complex', `has more than ${mostElements} elements`);
    const element: Element = { name: opened[0], attributes: new Map(), children: [] };
    for (let found = match(attribute); found !== null; found = match(attribute)) {
      const [, key = '', double, single] = found;
      if (element.attributes.has(key)) throw mistake('broken', `gives ${key} twice`);
      element.attributes.set(key, unescaped(double ?? single ?? ''));
    }
    const end = match(/\s*(\/?)>/y);
    if (end === null) throw mistake('broken', `has a broken <${element.name}>`);
    add(element);
    if (end[1] === '/') return;
    open.push(element);
    if (open.length > mostDepth) throw mistake('too-complex', `is nested more than ${mostDepth} deep`);
  }

  while (at < text.length) {
    const next = text.indexOf('<', at);
    const characters = text.slice(at, next === -1 ? undefined : next);
    if (characters !== '') add(unescaped(characters));
    if (next === -1) break;
    at = next;
    if (text.startsWith('<!--', at)) {
      at += 4;
      skipPast('-->', 'a comment');
    } else if (text.startsWith('<![CDATA[', at)) {
      at += 9;
      add(skipPast(']]>', 'a section'));
    } else if (text.startsWith('<?xml ', at) && at === 0) {
      skipPast('?>', 'a declaration');
    } else if (text.startsWith('<?', at)) {
      throw mistake('external', 'holds a processing instruction');
    } else if (text.startsWith('<!DOCTYPE', at)) {
      if (skipPast('>', 'a document type').includes('[')) throw mistake('entities', 'declares entities');
    } else if (text.startsWith('<!', at)) {
      throw mistake('entities', 'holds declarations');
    } else if (text.startsWith('</', at)) {
      at += 2;
      const closed = match(name)?.[0];
      if (match(/\s*>/y) === null || closed === undefined || open.pop()?.name !== closed)
        throw mistake('broken', 'has tags that do not match');
    } else {
      at += 1;
      readTag();
    }
  }
  if (root === null || open.length > 0) throw mistake('broken', 'is empty or cut off');
  return root;
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function unescaped(text: string): string {
  const plain = text.replaceAll(/&([^;&]{0,12});?/g, (whole, reference: string) => {
    const known = characters[reference];
    if (known !== undefined && whole.endsWith(';')) return known;
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(reference) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (!whole.endsWith(';') || !(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff))
      throw mistake('entities', 'refers to an entity');
    return String.fromCodePoint(code);
  });
  if (notXml.test(plain)) throw mistake('broken', 'holds control characters');
  return plain;
}

// ---- judging

/** What stays of an element; null: nothing. */
function kept(element: Element): Element | null {
  const { name: tag } = element;
  refuseActing(element);
  if (tag.includes(':') || leftOut.has(tag)) {
    // Nobody hides what acts in there.
    visit(element, refuseActing);
    return null;
  }
  if (!elements.has(tag)) throw mistake('element', `holds <${tag}>`);
  const isText = tag === 'text' || tag === 'tspan' || tag === 'style';
  const children: (Element | string)[] = [];
  for (const child of element.children) {
    const stays = typeof child === 'string' ? (isText ? child : null) : kept(child);
    if (stays !== null) children.push(stays);
  }
  if (tag === 'style') refuseStyles(textOf(children), 'sheet');
  return { name: tag, attributes: keptAttributes(element), children };
}

/** Of what holds text alone. */
function textOf(children: readonly (Element | string)[]): string {
  return children
    .map((child) => {
      if (typeof child !== 'string') throw mistake('broken', 'has elements in its styles');
      return child;
    })
    .join('');
}

function refuseActing({ name: tag, attributes: given }: Element): void {
  const local = tag.split(':').at(-1) ?? tag;
  if (acting.test(local)) throw mistake('script', `holds <${local}>`);
  for (const key of given.keys()) {
    if (/^(?:\w+:)?on/i.test(key)) throw mistake('script', `holds ${key}`);
  }
}

function keptAttributes({ attributes: given }: Element): Map<string, string> {
  const stay = new Map<string, string>();
  for (const [key, value] of given) {
    if (key === 'href' || key === 'xlink:href') {
      if (!/^#[\w.:-]+$/.test(value.trim())) throw mistake('external', 'refers to something elsewhere');
      stay.set('href', value.trim());
    } else if (key === 'style') {
      refuseStyles(value, 'attribute');
      stay.set(key, value);
    } else if (attributes.has(key)) {
      if (key === 'id' && !/^[\w.:-]{1,200}$/.test(value)) throw mistake('broken', 'has an id that is none');
      refuseFunctions(value);
      stay.set(key, value);
    }
  }
  return stay;
}

const reference = /url\(\s*(['"]?)#([\w.:-]+)\1\s*\)/gi;

/** Everything that CSS could load something with, or hide something behind. */
function refuseFunctions(value: string): void {
  const rest = value.replaceAll(reference, '');
  if (
    /\\|url|src\s*\(|image(?:-set)?\s*\(|element\s*\(|cross-fade|paint\s*\(|expression|javascript|:\/\//i.test(
      rest,
    )
  )
    throw mistake('external', 'refers to something elsewhere');
}

function refuseStyles(css: string, where: 'sheet' | 'attribute'): void {
  refuseFunctions(css);
  if (/@(?!media\b)/i.test(css) || (where === 'attribute' && css.includes('@')))
    throw mistake('external', 'holds styles that may load others');
  if (css.includes('<')) throw mistake('broken', 'holds a style that is none');
}

/** What is drawn by reference is drawn each time, and references of references multiply. */
function refuseEndless(root: Element): void {
  const byId = new Map<string, Element>();
  visit(root, (element) => {
    const id = element.attributes.get('id');
    if (id === undefined) return;
    if (byId.has(id)) throw mistake('broken', 'gives two elements one id');
    byId.set(id, element);
  });
  const costs = new Map<Element, number>();
  const underWay = new Set<Element>();

  function cost(element: Element): number {
    const known = costs.get(element);
    if (known !== undefined) return known;
    if (underWay.has(element)) throw mistake('too-complex', 'refers to itself');
    underWay.add(element);
    let sum = 1;
    for (const id of referencesOf(element)) {
      const target = byId.get(id);
      if (target !== undefined) sum += cost(target);
    }
    for (const child of element.children) if (typeof child !== 'string') sum += cost(child);
    underWay.delete(element);
    if (sum > mostDrawn) throw mistake('too-complex', 'draws too much');
    costs.set(element, sum);
    return sum;
  }

  cost(root);
  // Which elements a style sheet applies to is not followed: what it refers to must be cheap, whoever does.
  visit(root, (element) => {
    if (element.name !== 'style') return;
    for (const [, , id = ''] of textOf(element.children).matchAll(reference)) {
      if (!gradients.has(byId.get(id)?.name ?? 'linearGradient'))
        throw mistake('too-complex', 'fills with more than colours in its styles');
    }
  });
}

function referencesOf({ name: tag, attributes: given }: Element): string[] {
  return [...given].flatMap(([key, value]) => {
    if (key === 'href') return [value.slice(1)];
    return tag === 'style' ? [] : [...value.matchAll(reference)].map(([, , id = '']) => id);
  });
}

function visit(element: Element, look: (element: Element) => void): void {
  look(element);
  for (const child of element.children) if (typeof child !== 'string') visit(child, look);
}

// ---- writing

function written({ name: tag, attributes: given, children }: Element, isRoot = false): string {
  const pairs = [...given].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  const start = `<${tag}${isRoot ? ` xmlns="${svgNamespace}"` : ''}${pairs}`;
  if (children.length === 0) return `${start}/>`;
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : written(child)));
  return `${start}>${inside.join('')}</${tag}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function mistake(code: MarkMistake, what: string): MarkError {
  return new MarkError(code, what);
}
