import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { buttonMarkup, type CornerLook, linesMarkup, type Markup } from './corner-markup.ts';

const look = { label: 'Report a Bug', busy: false, waiting: '', refused: '', failed: '' };

function htmlOf([name, attributes, content = []]: Markup): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  const inside = content.map((one) => (typeof one === 'string' ? one : htmlOf(one)));
  return `<${name}${written.join('')}>${inside.join('')}</${name}>`;
}

/** As the components of Portico's own pages draw it. */
function components({ label, busy, waiting, refused }: CornerLook): string {
  return renderToStaticMarkup(
    <>
      <div id="report-waiting" className="report-waiting" role="status">
        {refused === '' ? null : (
          <p data-refused="true">
            <Icon name="warning" size={14} />
            {refused}
          </p>
        )}
        {waiting === '' ? null : (
          <p>
            <Icon name="clock" size={14} />
            {waiting}
          </p>
        )}
      </div>
      <Button
        className="report-trigger"
        icon="bug"
        busy={busy}
        aria-describedby={waiting + refused === '' ? undefined : 'report-waiting'}
      >
        {label}
      </Button>
    </>,
  );
}

it.each([
  look,
  { ...look, busy: true },
  { ...look, waiting: '2 reports waiting' },
  { ...look, refused: '1 report not accepted', waiting: '1 report waiting', busy: true },
])('GATE-3: the button of portico.js looks as in Portico’s own pages: %j', (given) => {
  expect(htmlOf(linesMarkup(given)) + htmlOf(buttonMarkup(given))).toBe(components(given));
});

it('GATE-3: that the form could not be had stands in the line that is announced, and describes the button', () => {
  const failed = { ...look, failed: 'The form could not be loaded.' };
  expect(htmlOf(linesMarkup(failed))).toMatch(/role="status".*The form could not be loaded\.<\/p><\/div>$/);
  expect(htmlOf(buttonMarkup(failed))).toContain('aria-describedby="report-waiting"');
});
