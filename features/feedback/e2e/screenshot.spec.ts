import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
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
    const photograph = withExif(await jpeg(page, 40, 30), 6, 'GPS 47.1 8.2');
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
    expect(await paste(page, pattern(60, 50), 'cells')).toBe('left to the field');
    await expect(page.getByRole('button', { name: 'Add a screenshot' })).toBeVisible();
    expect(await paste(page, pattern(60, 50))).toBe('taken');
    await expect(page.getByRole('img', { name: 'Picture, 60 × 50 pixels' })).toBeVisible();
    await expect(description).toBeFocused();

    await drop(page, pattern(70, 60));
    await expect(page.getByRole('img', { name: 'Picture, 70 × 60 pixels' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('img', { name: 'Picture, 60 × 50 pixels' })).toBeVisible();
    expect((await send(page)).width).toBe(60);
  });

  test('BUG-3: files that are no picture, too heavy or too large are refused with the reason, and a large picture is scaled down', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openSources(page);
    const alert = page.getByRole('alert');

    await choose(page, 'letter.png', 'image/png', Buffer.from('Dear all, this is a letter.'));
    await expect(alert).toHaveText(/^That file is not a picture that this browser can read\./);
    await choose(
      page,
      'drawing.svg',
      'image/svg+xml',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    );
    await expect(alert).toHaveText(/^That file is not a picture/);
    await choose(page, 'bomb.png', 'image/png', bomb(20_000));
    await expect(alert).toHaveText(/^That picture has more than 16,384 pixels on one side\./);
    await chooseZeros(page, 31 * 1024 * 1024);
    await expect(alert).toHaveText(/^That file is larger than 30 MB\./);
    await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible();

    await choose(page, 'wide.png', 'image/png', bomb(4200));
    await expect(pictureOf(page, 4096, 4096)).toBeVisible();
    await expect(alert).toHaveCount(0);

    // Noise does not compress: its png has 10 MB, and the server takes 8.
    await drop(page, noise(1800));
    await expect(pictureOf(page, 1800, 1800)).toBeVisible();
    const [sent] = await sentPictures(page);
    const bytes = Buffer.from(sent?.data ?? '', 'base64');
    expect(bytes.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(1400);
    expect(bytes.readUInt32BE(16)).toBe(bytes.readUInt32BE(20));
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

    // It is chosen again on the whole picture, and can be undone.
    await page.getByRole('button', { name: 'Crop' }).click();
    await expect(pictureOf(page, 400, 300)).toBeVisible();
    await page.getByRole('button', { name: 'Do not crop' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(pictureOf(page, 400, 300)).toBeVisible();
    await page.getByRole('button', { name: 'Redo' }).click();
    await expect(pictureOf(page, 200, 150)).toBeVisible();

    await page.getByRole('button', { name: 'Crop' }).click();
    await drag(page, [300, 200], [350, 250]);
    const sent = await send(page);
    expect([sent.width, sent.height]).toEqual([250, 200]);
    expect(sent.at(0, 0)).toEqual(inPattern(100, 50));
    expect(sent.at(249, 199)).toEqual(inPattern(349, 249));
  });

  test('BUG-3: is 33 pixels or more as displayed and as sent, whatever picture, window and zoom', async ({
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
    const devtools = await page.context().newCDPSession(page);
    for (const [width, height, deviceScaleFactor] of [
      [1280, 720, 1],
      [853, 480, 1.5],
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

    await test.step('a picture that is lower than that has the same height', async () => {
      await openWith(page, pattern(400, 20));
      await page.getByRole('button', { name: 'Crop' }).click();
      await drag(page, [100, 5], [110, 8]);
      await expect(page.getByText('33 × 20 pixels').first()).toBeVisible();
      const sent = await send(page);
      expect([sent.width, sent.height]).toEqual([33, 20]);
    });

    await test.step('a smaller picture is sent as it is, with a note', async () => {
      await openWith(page, pattern(33, 12));
      const crop = page.getByRole('button', { name: 'Crop' });
      await expect(crop).toHaveAttribute('aria-disabled', 'true');
      await expect(page.getByText('too small to be cropped')).toBeVisible();
      await crop.press('Enter');
      await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0);
      const sent = await send(page);
      expect([sent.width, sent.height]).toEqual([33, 12]);
    });
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

  test('BUG-3 LOOK-2: by keys alone, with undo, and the focus is never lost', async ({ signIn }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    const blackOut = page.getByRole('button', { name: 'Black out' });
    await tabTo(page, blackOut);
    await page.keyboard.press('Enter');
    await expect(blackOut).toHaveAttribute('aria-pressed', 'true');
    await tabTo(page, page.getByRole('button', { name: 'Add a box' }));
    await page.keyboard.press('Enter');
    const box = page.getByRole('button', { name: /^Blacked out 1/ });
    await expect(box).toBeFocused();
    await expect(box).toHaveAccessibleName(
      'Blacked out 1, 133 × 60 pixels, 134 from the left, 120 from the top',
    );
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+ArrowUp');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(box).toHaveAccessibleName(
      'Blacked out 1, 133 × 68 pixels, 150 from the left, 119 from the top',
    );

    // The moves were one step, the size another.
    await page.keyboard.press('Control+z');
    await expect(box).toHaveAccessibleName(/133 × 60 pixels, 150 from the left/);
    await page.keyboard.press('Control+z');
    await expect(box).toHaveAccessibleName(/134 from the left, 120 from the top/);
    await page.keyboard.press('Control+z');
    await expect(box).toHaveCount(0);
    await expect(blackOut).toBeFocused();
    await page.keyboard.press('Control+Shift+z');
    await expect(box).toHaveCount(1);
    await tabTo(page, box);
    await page.keyboard.press('Delete');
    await expect(box).toHaveCount(0);
    await expect(blackOut).toBeFocused();
    const undo = page.getByRole('button', { name: 'Undo' });
    await tabTo(page, undo);
    await page.keyboard.press('Enter');
    await expect(box).toHaveCount(1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(undo).toHaveAttribute('aria-disabled', 'true');
    await expect(undo).toBeFocused();
    const redo = page.getByRole('button', { name: 'Redo' });
    await tabTo(page, redo);
    await page.keyboard.press('Enter');

    // A dialog that was closed still knows what was done.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Report a Bug' }).click();
    await expect(box).toHaveCount(1);
    await undo.click();
    await expect(box).toHaveCount(0);
    await redo.click();
    const sent = await send(page);
    expect(sent.at(134, 120)).toEqual(black);
    expect(sent.at(133, 120)).toEqual(inPattern(133, 120));
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
    const sent = await send(page);
    expect(sent.at(100, 70)).toEqual(black);

    await openWith(page, pattern(100, 80));
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

    // Inside of the frame, and one where the arrow is: a press places, and on its own kind it selects.
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

  test('BUG-3 LOOK-2: by keys alone, each is placed, moved, resized, typed and deleted, and each step undone', async ({
    signIn,
  }) => {
    const page = await signIn('operator');
    await openWith(page, pattern(400, 300));
    const mark = (name: RegExp) => page.getByRole('button', { name });
    const keys = async (...names: string[]) => {
      for (const name of names) await page.keyboard.press(name);
    };
    await tabTo(page, tool(page, 'Arrow'));
    await keys('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Add an arrow' }));
    await keys('Enter');
    await expect(mark(/^Arrow 1, from 134 .* 180 .*, to 267 and 120$/)).toBeFocused();
    await keys('ArrowDown', 'Shift+ArrowRight', 'Shift+Control+ArrowUp');
    await expect(mark(/^Arrow 1, from 134 .* 188 .*, to 275 and 127$/)).toBeFocused();
    await keys('Delete');
    await expect(mark(/^Arrow 1,/)).toHaveCount(0);

    await tabTo(page, tool(page, 'Number'));
    await keys('Enter');
    const add = page.getByRole('button', { name: 'Add a number' });
    for (let time = 0; time < 2; time += 1) {
      await tabTo(page, add);
      await keys('Enter');
    }
    // They do not cover each other.
    await expect(mark(/^Number 1, 186 from the left/)).toBeVisible();
    await expect(mark(/^Number 2, 228 from the left/)).toBeFocused();
    await keys('ArrowLeft', 'Shift+ArrowDown');
    await expect(mark(/^Number 2, 220 from the left/)).toBeFocused();

    await tabTo(page, tool(page, 'Text'));
    await keys('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Add a text' }));
    await keys('Enter');
    const words = page.getByRole('textbox', { name: 'Text in the picture' });
    await expect(words).toBeFocused();
    await page.keyboard.type('שלום 👋');
    // It neither sends the report nor closes the dialog.
    await keys('Enter');
    await expect(mark(/^Text 1: שלום 👋,/)).toBeFocused();
    const { height } = await restingBox(mark(/^Text 1/));
    await keys('Shift+ArrowDown', 'Enter');
    await expect(words).toBeFocused();
    expect((await restingBox(mark(/^Text 1/))).height).toBeGreaterThan(height);
    await page.keyboard.type('!');
    await keys('Escape');
    await expect(mark(/^Text 1: שלום 👋!,/)).toBeFocused();

    for (const left of [/^Text 1: שלום 👋,/, /^Text 1: שלום 👋,/, /^Number 2,/]) {
      await keys('Control+z');
      await expect(mark(left)).toBeVisible();
    }
    await expect(mark(/^Text \d/)).toHaveCount(0);
    await keys('Control+Shift+z', 'Control+Shift+z', 'Control+Shift+z');
    await expect(mark(/^Text 1: שלום 👋!,/)).toBeVisible();
    expect((await send(page)).width).toBe(400);
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
  await page.getByRole('button', { name: 'Crop' }).click();
  // The stage of the crop has another place than that of the marks.
  await expect(page.locator('.ReactCrop__crop-selection')).toBeVisible();
  await swipe(page, [280, 200], [180, 140]);
  await expect(page.getByText('180 × 140 pixels').first()).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(pictureOf(page, 180, 140)).toBeVisible();
  const cropped = await send(page);
  expect([cropped.width, cropped.height]).toEqual([180, 140]);
  expect(cropped.at(0, 0)).toEqual(inPattern(0, 0));
  expect(cropped.at(139, 99)).toEqual(black);
  expect(cropped.at(140, 99)).toEqual(inPattern(140, 99));

  await openWith(page, pattern(280, 200));
  const names = ['Crop', 'Highlight', 'Arrow', 'Text', 'Number', 'Black out', 'Undo', 'Redo'];
  const boxes = await Promise.all(names.map((name) => restingBox(tool(page, name))));
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  for (const { x, width, height } of boxes) {
    expect(x + width).toBeLessThanOrEqual(360);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(32);
  }
  // A tap that a busy machine stretches is a long press for the browser, which presses no button.
  await tool(page, 'Arrow').click();
  await swipe(page, [40, 40], [140, 90]);
  await expect(
    page.getByRole('button', { name: /^Arrow 1, from 40 .* 40 .*, to 140 and 90$/ }),
  ).toBeFocused();
  await swipe(page, [140, 90], [160, 60]);
  await expect(page.getByRole('button', { name: /^Arrow 1, .* to 160 and 60$/ })).toBeVisible();
  await tool(page, 'Number').click();
  await tap(page, [200, 150]);
  await tap(page, [240, 150]);
  await expect(page.getByRole('button', { name: /^Number 2,/ })).toBeFocused();
  await tool(page, 'Text').click();
  await tap(page, [60, 150]);
  await expect(page.getByRole('textbox', { name: 'Text in the picture' })).toBeFocused();
  await page.keyboard.type('Here');
  const sent = await send(page);
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

/** Chooses a file of so many bytes, which is made in the page: as a parameter it would take long. */
async function chooseZeros(page: Page, length: number): Promise<void> {
  await page.locator('input[type=file]:not([capture])').evaluate((input, size) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(size)], 'heavy.png', { type: 'image/png' }));
    if (input instanceof HTMLInputElement) input.files = data.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, length);
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

/** Pastes a picture where the focus is, with a text where one is given. */
async function paste(page: Page, picture: Buffer, text?: string): Promise<'taken' | 'left to the field'> {
  const taken = await page.evaluate(
    ([base64, words]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      if (words !== null) data.setData('text/plain', words);
      const event = new ClipboardEvent('paste', {
        clipboardData: data,
        bubbles: true,
        cancelable: true,
        composed: true,
      });
      document.activeElement?.dispatchEvent(event);
      return event.defaultPrevented;
    },
    [picture.toString('base64'), text ?? null] as const,
  );
  return taken ? 'taken' : 'left to the field';
}

async function drop(page: Page, picture: Buffer): Promise<void> {
  await page.getByRole('dialog', { name: 'Report a Bug' }).evaluate((dialog, base64) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
    const options = { dataTransfer: data, bubbles: true, cancelable: true, composed: true };
    dialog.dispatchEvent(new DragEvent('dragover', options));
    dialog.dispatchEvent(new DragEvent('drop', options));
  }, picture.toString('base64'));
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

function noise(side: number): Buffer {
  const row = 1 + side * 3;
  const rows = randomBytes(row * side);
  // Each row begins with how it is filtered: not at all.
  for (let y = 0; y < side; y += 1) rows[y * row] = 0;
  return png(side, side, 8, 2, rows);
}

/** A small file that unpacks to very many pixels. */
function bomb(side: number): Buffer {
  return png(side, side, 1, 0, Buffer.alloc((1 + Math.ceil(side / 8)) * side));
}

/** https://www.w3.org/TR/png-3/ */
function png(width: number, height: number, depth: number, colours: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colours], 8);
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
    const around = Buffer.alloc(4);
    around.writeUInt32BE(content.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([around, named, check]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
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

/** Puts into a JPEG how the camera was held, and a note (Exif 3.0). */
function withExif(photograph: Buffer, orientation: number, note: string): Buffer {
  const words = Buffer.from(`${note}\0`, 'latin1');
  const entries = Buffer.alloc(2 + 2 * 12 + 4);
  entries.writeUInt16LE(2, 0);
  // ImageDescription, text of so many bytes, behind the entries.
  entries.writeUInt16LE(0x01_0e, 2);
  entries.writeUInt16LE(2, 4);
  entries.writeUInt32LE(words.length, 6);
  entries.writeUInt32LE(8 + entries.length, 10);
  // Orientation, one short number.
  entries.writeUInt16LE(0x01_12, 14);
  entries.writeUInt16LE(3, 16);
  entries.writeUInt32LE(1, 18);
  entries.writeUInt16LE(orientation, 22);
  const content = Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'), entries, words]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([photograph.subarray(0, 2), head, content, photograph.subarray(2)]);
}
