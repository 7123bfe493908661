import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { encode } from 'modern-gif';

const size = { width: 620, height: 430 };
/** Pixels between the two windows. */
const gap = 12;

/**
 * Takes a moving picture of two browsers side by side: an operator switches a flag on, and a member's
 * application follows.
 *
 * @returns milliseconds between the press and the change in the other browser
 */
export async function takeLiveFlag(operator: Page, member: Page, url: string, file: string): Promise<number> {
  for (const page of [operator, member]) await page.setViewportSize(size);
  await member.goto(new URL('/desks/', url).href);
  await member.getByText('Live', { exact: true }).waitFor();
  await operator.goto(`${url}/flags?search=DESKS_COMPACT`);
  for (const page of [operator, member])
    await page
      .getByRole('button', { name: /dismiss|close/i })
      .first()
      .click();
  const lever = operator.getByRole('switch');
  const frames = [{ data: await side(operator, member), delay: 1_800 }];
  await lever.hover();
  const begun = performance.now();
  await lever.click();
  await member.locator('ol.compact').waitFor();
  const took = Math.round(performance.now() - begun);
  await operator.getByRole('button', { name: 'Undo' }).waitFor();
  frames.push({ data: await side(operator, member), delay: 2_600 });
  const gif = await encode({ width: size.width * 2 + gap, height: size.height, frames, maxColors: 128 });
  writeFileSync(file, new Uint8Array(gif));
  return took;
}

/** Both pages in one picture, as RGBA. */
async function side(left: Page, right: Page): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const shots = [];
  for (const page of [left, right])
    shots.push((await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64'));
  const drawing = await left.context().newPage();
  const text = String(
    await drawing.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(${size.width * 2 + gap}, ${size.height});
      const pen = canvas.getContext('2d');
      pen.fillStyle = '#9aa0a6';
      pen.fillRect(0, 0, canvas.width, canvas.height);
      for (const [index, shot] of ${JSON.stringify(shots)}.entries()) {
        const picture = new Image();
        picture.src = 'data:image/png;base64,' + shot;
        await picture.decode();
        pen.drawImage(picture, index * ${size.width + gap}, 0);
      }
      return new Uint8Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer).toBase64();
    })()`),
  );
  await drawing.close();
  return new Uint8ClampedArray(Buffer.from(text, 'base64'));
}
