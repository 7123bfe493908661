import { expect, it, vi } from 'vitest';
import { smallerPicture } from './smaller-picture.ts';

it('CON-1: a picture with transparent parts becomes a photograph on white, not on black', async () => {
  const steps: string[] = [];
  const context = {
    fillStyle: '#000',
    fillRect: (...at: number[]) => steps.push(`${context.fillStyle} ${at.join(' ')}`),
    drawImage: (_picture: unknown, ...at: number[]) => steps.push(`picture ${at.join(' ')}`),
  };
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 3_840, height: 1_920, close: () => {} }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly width: number;
      readonly height: number;
      constructor(width: number, height: number) {
        [this.width, this.height] = [width, height];
      }
      getContext = () => context;
      convertToBlob = ({ type }: { type: string }) => Promise.resolve(new Blob(['smaller'], { type }));
    },
  );
  const smaller = await smallerPicture(new Blob(['large'], { type: 'image/webp' }));
  vi.unstubAllGlobals();
  expect(smaller.type).toBe('image/jpeg');
  expect(steps).toEqual(['#fff 0 0 1920 960', 'picture 0 0 1920 960']);
});
