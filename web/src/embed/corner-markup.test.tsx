import { createRef } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ReportTrigger } from '../features/feedback/report-trigger.tsx';
import { buttonMarkup, type CornerLook, linesMarkup, type Markup } from './corner-markup.ts';

const look = { label: 'Report a Bug', busy: false, waiting: '', refused: '', failed: '' };

function htmlOf([name, attributes, content = []]: Markup): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  const inside = content.map((one) => (typeof one === 'string' ? one : htmlOf(one)));
  return `<${name}${written.join('')}>${inside.join('')}</${name}>`;
}

/** As the component draws it, with its id as that of the corner. */
function component({ label, busy, waiting, refused }: CornerLook): string {
  const html = renderToStaticMarkup(
    <ReportTrigger
      {...{ label, busy, waiting, refused }}
      hidden={false}
      button={createRef()}
      onOpen={() => {}}
    >
      {null}
    </ReportTrigger>,
  );
  const id = / id="([^"]+)"/.exec(html)?.[1] ?? 'none';
  return html.replaceAll(`"${id}"`, '"report-waiting"');
}

it.each([
  look,
  { ...look, busy: true },
  { ...look, waiting: '2 reports waiting' },
  { ...look, refused: '1 report not accepted', waiting: '1 report waiting', busy: true },
])('GATE-3: the button of portico.js is that of Portico’s own pages: %j', (given) => {
  expect(`<div class="report-corner">${htmlOf(linesMarkup(given))}${htmlOf(buttonMarkup(given))}</div>`).toBe(
    component(given),
  );
});

it('GATE-3: that the form could not be had stands in the line that is announced, and describes the button', () => {
  const failed = { ...look, failed: 'The form could not be loaded.' };
  expect(htmlOf(linesMarkup(failed))).toMatch(/role="status".*The form could not be loaded\.<\/p><\/div>$/);
  expect(htmlOf(buttonMarkup(failed))).toContain('aria-describedby="report-waiting"');
});
