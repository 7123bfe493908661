import { drawings } from '../ui/icon-drawings.ts';

/*
 * Draws the button in the corner without Preact, since an idle page draws nothing else. The result is the same as
 * that of the components in Portico's own pages; a test compares both.
 */

/** An element: its name, its attributes, what is in it. */
export type Markup = readonly [
  name: string,
  attributes: Readonly<Record<string, string>>,
  content?: readonly (Markup | string)[],
];

export type CornerLook = {
  label: string;
  /** The form is being downloaded. */
  busy: boolean;
  /** The texts about waiting reports, refused reports, and a failed download of the form; empty: none. */
  waiting: string;
  refused: string;
  failed: string;
};

const waitingId = 'report-waiting';

/** The lines about waiting reports. Their element is always in the document, so that a change is announced. */
export function linesMarkup({ waiting, refused, failed }: CornerLook): Markup {
  const paragraph = (text: string, icon: keyof typeof drawings, attributes = {}): Markup[] =>
    text === '' ? [] : [['p', attributes, [iconMarkup(icon, 14), text]]];
  return [
    'div',
    { id: waitingId, class: 'report-waiting', role: 'status' },
    [
      ...paragraph(failed, 'warning', { 'data-refused': 'true' }),
      ...paragraph(refused, 'warning', { 'data-refused': 'true' }),
      ...paragraph(waiting, 'clock'),
    ],
  ];
}

/** The button. It is never `disabled`, so that it keeps the focus while it is busy. */
export function buttonMarkup({ label, busy, waiting, refused, failed }: CornerLook): Markup {
  const attributes = {
    type: 'button',
    ...(waiting + refused + failed === '' ? {} : { 'aria-describedby': waitingId }),
    class: 'button report-trigger',
    ...(busy ? { 'aria-disabled': 'true', 'data-busy': 'true' } : {}),
  };
  const turning: Markup[] = busy ? [['span', { class: 'button-busy' }, [spinMarkup]]] : [];
  return ['button', attributes, [iconMarkup('bug', 16), label, ...turning]];
}

const square = (size: number) => ({
  width: `${size}`,
  height: `${size}`,
  viewBox: '0 0 16 16',
  fill: 'none',
});
const line = { stroke: 'currentColor', 'stroke-width': '1.5' };
const round = { 'stroke-linecap': 'round' };
const hidden = { 'aria-hidden': 'true' };

const iconMarkup = (name: keyof typeof drawings, size: number): Markup => [
  'svg',
  {
    class: 'icon',
    ...square(size),
    ...line,
    ...round,
    'stroke-linejoin': 'round',
    ...hidden,
    focusable: 'false',
  },
  [['path', { d: drawings[name] }]],
];

const spinMarkup: Markup = [
  'svg',
  { class: 'spinner-turn', ...square(16), ...hidden },
  [
    ['circle', { cx: '8', cy: '8', r: '6.25', ...line, opacity: '0.25' }],
    ['path', { d: 'M14.25 8A6.25 6.25 0 0 0 8 1.75', ...line, ...round }],
  ],
];

/** Creates the element; given `into`, an element of the same name, changes its attributes and content instead. */
export function elementOf(
  [name, attributes, content = []]: Markup,
  isInSvg = false,
  into?: Element,
): Element {
  const isSvg = isInSvg || name === 'svg';
  const space = `http://www.w3.org/${isSvg ? '2000/svg' : '1999/xhtml'}`;
  const element = into ?? document.createElementNS(space, name);
  for (const old of element.getAttributeNames()) if (!(old in attributes)) element.removeAttribute(old);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.replaceChildren(...content.map((one) => (typeof one === 'string' ? one : elementOf(one, isSvg))));
  return element;
}
