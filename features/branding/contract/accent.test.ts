import { describe, expect, it } from 'vitest';
import { accentPalette, contrastOf, leastContrast, readColour, type AccentShades } from './accent.ts';

const grounds = {
  light: ['#faf9f6', '#ffffff', '#f2f0eb'],
  dark: ['#131618', '#1a1e21', '#0e1113'],
};

function lowest({ accent, strong, ink, weak }: AccentShades, on: readonly string[]): number {
  return Math.min(
    ...[...on, weak].map((ground) => contrastOf(accent, ground)),
    contrastOf(ink, accent),
    contrastOf(ink, strong),
  );
}

describe('the accent colour', () => {
  it('LOOK-1 LOOK-2: every colour there is becomes readable on light and on dark', () => {
    const steps = ['00', '33', '66', '99', 'cc', 'ff', '7f', 'c8'];
    for (const r of steps) {
      for (const g of steps) {
        for (const b of steps) {
          const colour = `#${r}${g}${b}`;
          const palette = accentPalette(colour);
          const reached = [lowest(palette.light, grounds.light), lowest(palette.dark, grounds.dark)];
          expect([colour, reached.map((contrast) => contrast >= leastContrast)]).toEqual([
            colour,
            [true, true],
          ]);
        }
      }
    }
  });

  it('LOOK-1: one that is readable is used as it is, and the answer names which was not', () => {
    const { light, dark, chosen } = accentPalette('#0b5e63');
    expect(light.accent).toBe('#0b5e63');
    expect(dark.accent).not.toBe('#0b5e63');
    expect(chosen.light.readable).toBe(true);
    expect(chosen.dark).toEqual({ contrast: expect.any(Number) as number, readable: false });
    expect(chosen.dark.contrast).toBeLessThan(leastContrast);
    expect(accentPalette('#ffe600').chosen.light).toEqual({ contrast: 1.1, readable: false });
  });

  it('LOOK-1: reads what people write, and nothing else', () => {
    expect(readColour('#0B5E63')).toBe('#0b5e63');
    expect(readColour('#f0a')).toBe('#ff00aa');
    for (const nonsense of [
      '',
      '#',
      '#12',
      '#12345',
      '#1234567',
      '0b5e63',
      'red',
      '#ggg',
      'rgb(1,2,3)',
      '#12345678',
    ])
      expect([nonsense, readColour(nonsense)]).toEqual([nonsense, null]);
    expect(contrastOf('#000000', '#ffffff')).toBe(21);
  });
});
