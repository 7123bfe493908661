import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { pngOf } from '#server/testing/png.ts';
import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, restingBox, signInQuickly, tabTo, test } from '#e2e/fixtures.ts';
import { operator } from '#e2e/installation.ts';
import { type Colour, decode, openSources, send, sentPictures } from './report-picture.ts';

test.describe('where a picture comes from', () => {
  test('BUG-3: a file, upright and without its data about the person; a paste; a drop', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openSources(page);

    // A photograph taken with the camera on its side: 40 × 30 pixels, to be shown as 30 × 40.
    const photograph = withExif(await jpeg(page, 40, 30), 'GPS 47.1 8.2');
    expect(photograph.includes('GPS 47.1 8.2')).toBe(true);
    await choose(page, 'photo.jpg', 'image/jpeg', photograph);
    await expect(page.getByRole('group', { name: 'Edit the picture' })).toBeVisible();
    const upright = await send(page);
    expect([upright.width, upright.height]).toEqual([30, 40]);
    // What was red on the left is on top now.
    expect(near(upright.at(15, 3), [255, 0, 0])).toBe(true);
    expect(near(upright.at(15, 36), [0, 0, 255])).toBe(true);
    expect(upright.bytes.includes('GPS')).toBe(false);
    expect(chunks(upright.bytes).filter((name) => /^(?:eXIf|tEXt|iTXt|zTXt)$/.test(name))).toEqual([]);

    await page.goto('/');
    await page.getByRole('button', { name: 'Report a Bug' }).click();
    const description = page.getByLabel(/^Description/);
    await description.focus();
    // A table is copied as text and as a picture of it: into a field goes the text.
    expect(await hand(page, 'paste', pattern(60, 50), 'cells')).toBe('left to the field');
    await expect(page.getByRole('button', { name: 'Add a screenshot' })).toBeVisible();
    expect(await hand(page, 'paste', pattern(33, 12))).toBe('taken');
    await expect(pictureOf(page, 33, 12)).toBeVisible();
    await expect(description).toBeFocused();

    await hand(page, 'drop', pattern(70, 60));
    await expect(pictureOf(page, 70, 60)).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    // One that is too small to be cropped is sent as it is, with a note.
    await expect(page.getByText('too small to be cropped')).toBeVisible();
    const crop = page.getByRole('button', { name: 'Crop' });
    await expect(crop).toHaveAttribute('aria-disabled', 'true');
    await crop.press('Enter');
    await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0);
    const small = await send(page);
    expect([small.width, small.height]).toEqual([33, 12]);
  });

  test('BUG-3: files that are no picture or too large are refused with the reason, and a large picture is scaled down', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openSources(page);
    const alert = page.getByRole('alert');

    await choose(page, 'letter.png', 'image/png', Buffer.from('Dear all, this is a letter.'));
    await expect(alert).toHaveText(/^That file is not a picture that this browser can read\./);
    await choose(page, 'bomb.png', 'image/png', png(20_000, 1, 1, 0, Buffer.alloc(2501)));
    await expect(alert).toHaveText(/^That picture has more than 16,384 pixels on one side\./);
    await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible();

    await choose(page, 'wide.png', 'image/png', png(6000, 2000, 1, 0, Buffer.alloc(751 * 2000)));
    await expect(pictureOf(page, 4096, 1365)).toBeVisible();
    await expect(alert).toHaveCount(0);

    // Noise does not compress: its png has 8.6 MB, and the server takes 8.
    await hand(page, 'drop', noise(1800, 1600));
    await expect(pictureOf(page, 1800, 1600)).toBeVisible();
    const [sent] = await sentPictures(page);
    const bytes = Buffer.from(sent?.data ?? '', 'base64');
    expect(bytes.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    expect(width).toBeGreaterThan(1400);
    expect(width / height).toBeCloseTo(1800 / 1600, 2);
  });
});

test.describe('the crop', () => {
  test('BUG-3: by mouse, confirmed, changed, and applied on sending though not confirmed', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    await page.getByRole('button', { name: 'Crop' }).click();
    await drag(page, [100, 50], [300, 200]);
    await expect(page.getByText('200 × 150 pixels').first()).toBeVisible();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(pictureOf(page, 200, 150)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Crop' })).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: 'Picture cropped' })).toBeAttached();

    // It is chosen again on the whole picture.
    await page.getByRole('button', { name: 'Crop' }).click();
    await drag(page, [300, 200], [350, 250]);
    const sent = await send(page);
    expect([sent.width, sent.height]).toEqual([250, 200]);
    expect(sent.at(0, 0)).toEqual(inPattern(100, 50));
    expect(sent.at(249, 199)).toEqual(inPattern(349, 249));
  });

  test('BUG-3: is 33 pixels or more as displayed and as sent, whatever window and zoom', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(1600, 1200));
    await page.getByRole('button', { name: 'Crop' }).click();
    expect((await boxOf(page)).width).toBeLessThan(1600);
    const part = page.locator('.ReactCrop__crop-selection');
    /** As the browser measures it: nothing is rounded here. */
    const measured = () =>
      part.evaluate((element) => {
        const { width, height } = element.getBoundingClientRect();
        return Math.min(width, height);
      });

    // A press alone draws nothing.
    await drag(page, [50, 50], [52, 51]);
    await expect(page.getByText('1600 × 1200 pixels').first()).toBeVisible();
    await drag(page, [50, 50], [58, 55]);
    expect(await measured()).toBeGreaterThanOrEqual(33);
    const devtools = await page.context().newCDPSession(page);
    for (const [width, height, deviceScaleFactor] of [
      [1920, 1080, 0.67],
      [360, 740, 2.625],
    ] as const) {
      // The part that is chosen stays large enough in a window that becomes smaller.
      await devtools.send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor,
        mobile: false,
      });
      await expect.poll(measured, `${width} × ${height} @${deviceScaleFactor}`).toBeGreaterThanOrEqual(33);
      await page.getByRole('button', { name: /^Right edge/ }).focus();
      for (let press = 0; press < 8; press += 1) await page.keyboard.press('Shift+ArrowLeft');
      await page.getByRole('button', { name: /^Top left corner/ }).focus();
      for (let press = 0; press < 8; press += 1) await page.keyboard.press('Shift+ArrowDown');
      await boxOf(page);
      expect(await measured(), `${width} × ${height} @${deviceScaleFactor}`).toBeGreaterThanOrEqual(33);
      expect(await measured()).toBeLessThan(36);
    }
    await devtools.send('Emulation.clearDeviceMetricsOverride');
    const smallest = await send(page);
    expect(Math.min(smallest.width, smallest.height)).toBeGreaterThanOrEqual(33);
  });

  test('BUG-3 LOOK-2: by keys and by buttons, spoken, left by Escape without closing the dialog', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    await tabTo(page, page.getByRole('button', { name: 'Crop' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: /^Top left corner/ }));
    // 4 pixels, 32 with Shift, one with Ctrl.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+ArrowRight');
    await expect(page.getByRole('status').filter({ hasText: '395 × 268 pixels' })).toBeAttached();
    await page.keyboard.press('Escape');
    await expect(pictureOf(page, 400, 300)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Crop' })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0);

    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: /^Bottom right corner/ }));
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+ArrowLeft');
    await tabTo(page, page.getByRole('button', { name: 'Shorter' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Move right' }), 'Shift+Tab');
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Confirm' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Crop' })).toBeFocused();
    const sent = await send(page);
    expect([sent.width, sent.height]).toEqual([304, 290]);
    expect(sent.at(0, 0)).toEqual(inPattern(10, 0));
  });
});

test.describe('marks', () => {
  test('BUG-3: what is blacked out is not in what is sent, and a highlight only frames', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    await page.getByRole('button', { name: 'Black out' }).click();
    await drag(page, [50, 40], [150, 100]);
    const box = page.getByRole('button', { name: /^Blacked out 1, 100 × 60 pixels, 50 from the left/ });
    await expect(box).toBeFocused();
    // Moved by its middle, resized by its corner, out to the edge of the picture and no further.
    await drag(page, [100, 70], [110, 75]);
    await drag(page, [58, 43], [-30, 23]);
    await expect(
      page.getByRole('button', { name: 'Blacked out 1, 160 × 80 pixels, 0 from the left, 25 from the top' }),
    ).toBeVisible();
    await drag(page, [180, 30], [240, 60]);
    await expect(page.getByRole('button', { name: /^Blacked out 2, 60 × 30 pixels/ })).toBeFocused();
    await page.getByRole('button', { name: 'Highlight' }).click();
    await drag(page, [200, 150], [300, 250]);
    await expect(page.getByRole('button', { name: /^Highlight 1, 100 × 100 pixels/ })).toBeFocused();
    // Half inside of the crop.
    await page.getByRole('button', { name: 'Crop' }).click();
    await drag(page, [20, 10], [380, 290]);

    const sent = await send(page);
    expect([sent.width, sent.height]).toEqual([360, 280]);
    for (let y = 0; y < sent.height; y += 1)
      for (let x = 0; x < sent.width; x += 1) {
        const [inX, inY] = [x + 20, y + 10];
        const isHidden =
          (inX < 160 && inY >= 25 && inY < 105) || (inX >= 180 && inX < 240 && inY >= 30 && inY < 60);
        const isFramed =
          inX >= 197 &&
          inX < 303 &&
          inY >= 147 &&
          inY < 253 &&
          !(inX > 203 && inX < 297 && inY > 153 && inY < 247);
        if (isFramed) continue;
        const expected = isHidden ? black : inPattern(inX, inY);
        const found = sent.at(x, y);
        if (found.some((value, index) => value !== expected[index]))
          throw new Error(`at ${inX}, ${inY}: ${found.join(' ')} in place of ${expected.join(' ')}`);
      }
    expect(sent.at(200 - 20, 200 - 10)).toEqual([230, 0, 126, 255]);
    expect(
      chunks(sent.bytes).filter((name) => !/^(?:IHDR|sRGB|gAMA|cHRM|iCCP|sBIT|pHYs|IDAT|IEND)$/.test(name)),
    ).toEqual([]);
  });

  test('BUG-3: the draft has the black boxes too, and a removed screenshot is gone', async ({ signIn }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    await page.getByRole('button', { name: 'Black out' }).click();
    await drag(page, [50, 40], [150, 100]);
    await page.getByLabel(/^Description/).fill('It looks wrong.');
    // In the stored picture the box replaces the pixels below it.
    await expect.poll(() => storedPixel(page, 100, 70)).toEqual(black);
    await page.reload();
    await expect(pictureOf(page, 400, 300)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Blacked out/ })).toHaveCount(0);
    // What it was drawn over is gone.
    await page.getByRole('button', { name: 'Remove screenshot' }).click();
    await expect(page.getByRole('button', { name: 'Capture this tab' })).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: 'Screenshot removed' })).toBeAttached();
    expect(await sentPictures(page)).toEqual([]);
  });
});

test.describe('arrows, texts and numbers', () => {
  test('BUG-3: are drawn into what is sent, below what is blacked out; numbers count up and are counted again', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    const mark = (name: RegExp) => page.getByRole('button', { name });
    await tool(page, 'Highlight').click();
    await drag(page, [20, 20], [380, 280]);
    await tool(page, 'Arrow').click();
    await drag(page, [300, 60], [200, 80]);
    await expect(mark(/^Arrow 1, from 300 .* 60 .*, to 200 and 80$/)).toBeFocused();
    // Its tip, then all of it.
    await drag(page, [200, 80], [220, 70]);
    await drag(page, [260, 65], [260, 85]);
    await expect(mark(/^Arrow 1, from 300 .* 80 .*, to 220 and 90$/)).toBeVisible();

    // A press places a mark inside the frame and on the arrow; on a mark of its own kind it selects.
    await tool(page, 'Number').click();
    for (const place of [
      [60, 200],
      [120, 200],
      [260, 85],
      [180, 200],
    ] as const)
      await press(page, place);
    await expect(mark(/^Number 4,/)).toBeFocused();
    await press(page, [60, 200]);
    await expect(mark(/^Number 1,/)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(mark(/^Number \d,/)).toHaveCount(3);
    await expect(mark(/^Number 1, 10\d from the left/)).toBeVisible();

    await tool(page, 'Text').click();
    await press(page, [40, 130]);
    const words = page.getByRole('textbox', { name: 'Text in the picture' });
    await expect(words).toBeFocused();
    await page.keyboard.type('Here ✓');
    await expect(mark(/^Text 1: Here ✓,/)).toBeVisible();
    // A press outside it ends the typing and begins no other text; without words none stays.
    await press(page, [300, 250]);
    await expect(words).toHaveCount(0);
    await press(page, [300, 250]);
    await expect(words).toBeFocused();
    await press(page, [330, 220]);
    await expect(mark(/^Text \d/)).toHaveCount(1);

    await tool(page, 'Black out').click();
    await drag(page, [100, 180], [140, 220]);

    const sent = await send(page);
    const has = (colour: Colour, from: Place, to: Place) => {
      for (let x = from[0]; x <= to[0]; x += 1)
        for (let y = from[1]; y <= to[1]; y += 1)
          if (sent.at(x, y).every((value, index) => value === colour[index])) return true;
      return false;
    };
    expect(sent.at(260, 83), 'the number over the arrow').not.toEqual(inPattern(260, 83));
    expect(has(markColour, [230, 86], [240, 92]), 'the arrow').toBe(true);
    expect(has(white, [225, 82], [240, 95]), 'its outline').toBe(true);
    expect(has(markColour, [40, 120], [110, 140]), 'the text').toBe(true);
    expect(has(markColour, [168, 190], [192, 210]), 'a number').toBe(true);
    for (let x = 100; x < 140; x += 1)
      for (let y = 180; y < 220; y += 1)
        if (sent.at(x, y).some((value, index) => value !== black[index])) throw new Error(`at ${x}, ${y}`);
  });

  test('BUG-3 LOOK-2: by keys alone each is placed, moved, resized, typed and deleted, each step undone, and the focus is never lost', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    const mark = (name: RegExp) => page.getByRole('button', { name });
    const keys = async (...names: string[]) => {
      for (const name of names) await page.keyboard.press(name);
    };
    const add = async (kind: string, one: string) => {
      await tabTo(page, tool(page, kind));
      await keys('Enter');
      await tabTo(page, page.getByRole('button', { name: one }));
      await keys('Enter');
    };
    const blackOut = tool(page, 'Black out');
    const box = mark(/^Blacked out 1/);
    await add('Black out', 'Add a box');
    await expect(blackOut).toHaveAttribute('aria-pressed', 'true');
    await expect(mark(/^Blacked out 1, 133 × 60 pixels, 134 .* left, 120 .* top$/)).toBeFocused();
    await keys('ArrowRight', 'ArrowRight', 'Control+ArrowUp', 'Shift+ArrowDown');
    await expect(mark(/^Blacked out 1, 133 × 68 pixels, 150 .* left, 119 .* top$/)).toBeFocused();
    // The moves were one step, the size another.
    for (const left of [/133 × 60 pixels, 150 from the left/, /134 from the left, 120 from the top/]) {
      await keys('Control+z');
      await expect(mark(left)).toBeVisible();
    }
    await keys('Control+z');
    await expect(box).toHaveCount(0);
    await expect(blackOut).toBeFocused();
    await keys('Control+Shift+z');
    await tabTo(page, box);
    await keys('Delete');
    await expect(box).toHaveCount(0);
    await expect(blackOut).toBeFocused();
    const undo = page.getByRole('button', { name: 'Undo' });
    await tabTo(page, undo);
    await keys('Enter');
    await expect(box).toHaveCount(1);
    await keys('Enter', 'Enter');
    await expect(undo).toHaveAttribute('aria-disabled', 'true');
    await expect(undo).toBeFocused();

    await add('Arrow', 'Add an arrow');
    await expect(mark(/^Arrow 1, from 134 .* 180 .*, to 267 and 120$/)).toBeFocused();
    await keys('ArrowDown', 'Shift+ArrowRight', 'Shift+Control+ArrowUp');
    await expect(mark(/^Arrow 1, from 134 .* 188 .*, to 275 and 127$/)).toBeFocused();
    await add('Number', 'Add a number');
    await expect(mark(/^Number 1,/)).toBeFocused();
    await add('Text', 'Add a text');
    const words = page.getByRole('textbox', { name: 'Text in the picture' });
    await expect(words).toBeFocused();
    await page.keyboard.type('שלום 👋');
    // It neither sends the report nor closes the dialog.
    await keys('Enter');
    const text = mark(/^Text 1: שלום 👋,/);
    await expect(text).toBeFocused();
    const { height } = await restingBox(text);
    await keys('Shift+ArrowDown', 'Enter');
    await expect(words).toBeFocused();
    expect((await restingBox(text)).height).toBeGreaterThan(height);
    await page.keyboard.type('!');
    await keys('Escape');
    await expect(mark(/^Text 1: שלום 👋!,/)).toBeFocused();
    await keys('Control+z', 'Control+z', 'Control+z');
    await expect(mark(/^Number 1,/)).toBeVisible();
    await expect(mark(/^Text \d/)).toHaveCount(0);
  });
});

test('BUG-3 LOOK-2: on a phone the camera is offered and the tab is not, and crop, box, arrow, number and text work by touch, in one row at 360 px', async ({
  browser,
  installation,
}) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await context.addInitScript(() => Reflect.deleteProperty(MediaDevices.prototype, 'getDisplayMedia'));
  const page = await context.newPage();
  await signInQuickly(page, installation.url, operator);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await openSources(page);
  await expect(page.getByRole('button', { name: 'Capture this tab' })).toHaveCount(0);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Take a photo' }).click();
  const camera = (await chooser).element();
  expect(await camera.getAttribute('capture')).toBe('environment');
  expect(await camera.getAttribute('accept')).toBe('image/*');

  await choose(page, 'picture.png', 'image/png', pattern(280, 200));
  await page.getByRole('button', { name: 'Black out' }).click();
  await swipe(page, [20, 30], [120, 90]);
  await expect(page.getByRole('button', { name: /^Blacked out 1, 100 × 60 pixels/ })).toBeFocused();
  // By its corner, which is large enough for a finger.
  await swipe(page, [128, 98], [148, 108]);
  await expect(page.getByRole('button', { name: /^Blacked out 1, 120 × 70 pixels/ })).toBeVisible();
  const names = ['Crop', 'Highlight', 'Arrow', 'Text', 'Number', 'Black out', 'Undo', 'Redo'];
  const boxes = await Promise.all(names.map((name) => restingBox(tool(page, name))));
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  for (const { x, width, height } of boxes) {
    expect(x + width).toBeLessThanOrEqual(360);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(32);
  }
  // A tap that a busy machine stretches is a long press for the browser, which presses no button.
  await tool(page, 'Arrow').click();
  await swipe(page, [170, 40], [230, 90]);
  await expect(
    page.getByRole('button', { name: /^Arrow 1, from 170 .* 40 .*, to 230 and 90$/ }),
  ).toBeFocused();
  await swipe(page, [230, 90], [250, 60]);
  await expect(page.getByRole('button', { name: /^Arrow 1, .* to 250 and 60$/ })).toBeVisible();
  await tool(page, 'Number').click();
  await tap(page, [200, 150]);
  await tap(page, [240, 150]);
  await expect(page.getByRole('button', { name: /^Number 2,/ })).toBeFocused();
  await tool(page, 'Text').click();
  await tap(page, [60, 150]);
  await expect(page.getByRole('textbox', { name: 'Text in the picture' })).toBeFocused();
  await page.keyboard.type('Here');

  await tool(page, 'Crop').click();
  // The stage of the crop has another place than that of the marks.
  await expect(page.locator('.ReactCrop__crop-selection')).toBeVisible();
  await swipe(page, [280, 200], [260, 190]);
  await expect(page.getByText('260 × 190 pixels').first()).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(pictureOf(page, 260, 190)).toBeVisible();
  const sent = await send(page);
  expect([sent.width, sent.height]).toEqual([260, 190]);
  expect(sent.at(0, 0)).toEqual(inPattern(0, 0));
  expect(sent.at(139, 99)).toEqual(black);
  expect(sent.at(140, 99)).toEqual(inPattern(140, 99));
  expect(sent.at(191, 150)).toEqual(markColour);
  await context.close();
});

test('LOOK-1 LOOK-2: the editor is accessible in light and dark, fits from 320 px, and moves nothing as a mark is selected', async ({
  signIn,
}) => {
  const page = await signIn('operator');
  await openSources(page);
  await expectNoViolations(page, 'sources', { within: 'dialog' });
  await choose(page, 'picture.png', 'image/png', pattern(400, 300));
  const frame = page.locator('.shot-frame');
  await tool(page, 'Highlight').click();
  const place = await restingBox(frame);
  await drag(page, [50, 40], [150, 100]);
  await expect(page.getByRole('group', { name: 'Move and resize' })).toBeVisible();
  expect(await restingBox(frame)).toEqual(place);
  await tool(page, 'Arrow').click();
  await drag(page, [200, 40], [300, 100]);
  await tool(page, 'Text').click();
  const before = await restingBox(frame);
  await press(page, [50, 200]);
  await page.keyboard.type('Here');
  await expect(page.getByRole('group', { name: 'Move and resize' })).toBeVisible();
  expect(await restingBox(frame)).toEqual(before);
  for (const crop of [false, true]) {
    if (crop) await page.getByRole('button', { name: 'Crop' }).click();
    const what = crop ? 'crop' : 'mark';
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    for (const width of [320, 1280]) {
      // High enough for all of it: what is scrolled under the dialog's buttons would count as covering them.
      await page.setViewportSize({ width, height: 1600 });
      // On a phone the page's own button lies under one of the dialog's, which counts as covering it too.
      const skipped = width === 320 ? ['target-size'] : [];
      await expectNoViolations(page, `${what} at ${width}`, { within: 'dialog', without: skipped });
      await expect
        .poll(() =>
          page.evaluate(
            () =>
              [...document.querySelectorAll('dialog, dialog .dialog-body')].filter(
                (element) => element.scrollWidth > element.clientWidth,
              ).length,
          ),
        )
        .toBe(0);
    }
    // The scheme changes colours alone.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expectNoViolations(page, `${what}, dark`, { within: 'dialog', rules: ['color-contrast'] });
  }
});

type Place = readonly [x: number, y: number];

const black: Colour = [0, 0, 0, 255];
const white: Colour = [255, 255, 255, 255];
const markColour: Colour = [230, 0, 126, 255];

function near(found: Colour, expected: readonly number[]): boolean {
  return expected.every((value, index) => Math.abs(value - (found[index] ?? 0)) < 40);
}

// ── The dialog ──

async function openWith(page: Page, file: Buffer): Promise<void> {
  await openSources(page);
  await choose(page, 'picture.png', 'image/png', file);
  await expect(page.getByRole('group', { name: 'Edit the picture' })).toBeVisible();
}

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await page.locator('input[type=file]:not([capture])').setInputFiles({ name, mimeType, buffer });
}

function pictureOf(page: Page, width: number, height: number) {
  return page.getByRole('img', { name: `Picture, ${width} × ${height} pixels`, exact: true });
}

function boxOf(page: Page) {
  return restingBox(page.getByRole('img', { name: /^Picture, / }));
}

/** From one place of what is displayed to another, in CSS pixels. */
async function drag(page: Page, from: Place, to: Place): Promise<void> {
  const { x, y } = await boxOf(page);
  await page.mouse.move(x + from[0], y + from[1]);
  await page.mouse.down();
  await page.mouse.move(x + (from[0] + to[0]) / 2, y + (from[1] + to[1]) / 2);
  await page.mouse.move(x + to[0], y + to[1]);
  await page.mouse.up();
}

function tool(page: Page, name: string) {
  return page.getByRole('group', { name: 'Edit the picture' }).getByRole('button', { name, exact: true });
}

async function press(page: Page, [x, y]: Place): Promise<void> {
  const box = await boxOf(page);
  await page.mouse.click(box.x + x, box.y + y);
}

async function tap(page: Page, [x, y]: Place): Promise<void> {
  const box = await boxOf(page);
  await page.touchscreen.tap(box.x + x, box.y + y);
}

/** As `drag`, by a finger. */
async function swipe(page: Page, from: Place, to: Place): Promise<void> {
  const { x, y } = await boxOf(page);
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', place: Place | null) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: place === null ? [] : [{ x: x + place[0], y: y + place[1] }],
    });
  await touch('touchStart', from);
  await touch('touchMove', [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
  await touch('touchMove', to);
  await touch('touchEnd', null);
  await devtools.detach();
}

/** A pixel of the picture that this browser stores with the draft; null without one. */
async function storedPixel(page: Page, x: number, y: number): Promise<Colour | null> {
  const base64 = await page.evaluate(async () => {
    const asked = indexedDB.open('portico-feedback');
    await new Promise((resolve) => asked.addEventListener('success', resolve));
    const reading = asked.result.transaction('drafts').objectStore('drafts').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    asked.result.close();
    const blob = (reading.result as unknown[]).find((value) => value instanceof Blob);
    if (!(blob instanceof Blob)) return null;
    let text = '';
    for (const value of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(value);
    return btoa(text);
  });
  return base64 === null ? null : (await decode(page, Buffer.from(base64, 'base64'))).at(x, y);
}

// ── Clipboard and drops ──

/** Pastes a picture where the focus is, with a text where one is given, or drops it on the dialog. */
async function hand(
  page: Page,
  how: 'paste' | 'drop',
  picture: Buffer,
  text?: string,
): Promise<'taken' | 'left to the field'> {
  const taken = await page.evaluate(
    ([kind, base64, words]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      if (words !== null) data.setData('text/plain', words);
      const options = { bubbles: true, cancelable: true, composed: true };
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, ...options })
          : new DragEvent('drop', { dataTransfer: data, ...options });
      const dialog = document.querySelector('dialog[open]');
      if (kind === 'drop')
        dialog?.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, ...options }));
      (kind === 'paste' ? document.activeElement : dialog)?.dispatchEvent(event);
      return event.defaultPrevented;
    },
    [how, picture.toString('base64'), text ?? null] as const,
  );
  return taken ? 'taken' : 'left to the field';
}

// ── Files ──

/** The colour at a place of `pattern`: no two places within 4096 pixels have the same. */
function inPattern(x: number, y: number): Colour {
  return [x % 256, y % 256, (Math.floor(x / 256) * 16 + Math.floor(y / 256)) % 256, 255];
}

/** A picture whose pixels differ by their place. */
function pattern(width: number, height: number): Buffer {
  const rows = Buffer.alloc((1 + width * 3) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.set(inPattern(x, y).slice(0, 3), y * (1 + width * 3) + 1 + x * 3);
  return png(width, height, 8, 2, rows);
}

function noise(width: number, height: number): Buffer {
  const row = 1 + width * 3;
  const rows = randomBytes(row * height);
  // The first byte of each row names its filter: none.
  for (let y = 0; y < height; y += 1) rows[y * row] = 0;
  return png(width, height, 8, 2, rows);
}

/** https://www.w3.org/TR/png-3/ */
function png(width: number, height: number, depth: number, colours: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colours], 8);
  return pngOf([
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(rows, { level: 1 }) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ]);
}

/** The names of the chunks of a png. */
function chunks(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let offset = 8; offset < bytes.length; offset += 12 + bytes.readUInt32BE(offset))
    names.push(bytes.toString('latin1', offset + 4, offset + 8));
  return names;
}

/** Red on the left, blue on the right. */
async function jpeg(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([wide, high]) => {
      const canvas = new OffscreenCanvas(wide, high);
      const context = canvas.getContext('2d');
      if (context === null) return '';
      context.fillStyle = '#ff0000';
      context.fillRect(0, 0, wide / 2, high);
      context.fillStyle = '#0000ff';
      context.fillRect(wide / 2, 0, wide / 2, high);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    },
    [width, height] as const,
  );
  return Buffer.from(base64, 'base64');
}

/** Puts into a JPEG that the camera was held on its side, and a note (Exif 3.0). */
function withExif(photograph: Buffer, note: string): Buffer {
  const words = Buffer.from(`${note}\0`, 'latin1');
  // Two entries: ImageDescription, so many bytes of text behind them, and Orientation, which is 6.
  const entries = Buffer.from('02000e010200000000002600000012010300010000000600000000000000', 'hex');
  entries.writeUInt32LE(words.length, 6);
  const content = Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'), entries, words]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([photograph.subarray(0, 2), head, content, photograph.subarray(2)]);
}
