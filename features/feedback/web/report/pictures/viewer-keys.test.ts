import { describe, expect, it } from 'vitest';
import { viewerAction } from './viewer-keys.ts';

const press = (key: string, held: Partial<Parameters<typeof viewerAction>[0]> = {}) =>
  viewerAction({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('BUG-8 LOOK-2: a picture by keyboard', () => {
  it('BUG-8: plus, minus, 0 and 1 zoom', () => {
    expect(['+', '=', '-', '_', '0', '1'].map((key) => press(key)?.do)).toEqual([
      'in',
      'in',
      'out',
      'out',
      'fit',
      'full-size',
    ]);
  });

  it('BUG-8: arrows move the view the way they point, with Shift further', () => {
    expect(press('ArrowRight')).toEqual({ do: 'pan', x: -1, y: 0, far: false });
    expect(press('ArrowUp', { shiftKey: true })).toEqual({ do: 'pan', x: 0, y: 1, far: true });
  });

  it("LOOK-2: the browser's own zoom and everything else stays the browser's", () => {
    expect([
      press('+', { ctrlKey: true }),
      press('-', { metaKey: true }),
      press('ArrowLeft', { altKey: true }),
      press('Tab'),
      press('Escape'),
      press('Enter'),
    ]).toEqual([null, null, null, null, null, null]);
  });
});
