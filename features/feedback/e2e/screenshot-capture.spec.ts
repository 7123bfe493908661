import type { Page } from '@playwright/test';
import { expect, test } from '#e2e/fixtures.ts';
import { openSources, send, wholeBrowser } from './report-picture.ts';

test.use(wholeBrowser);
// One after the other: each worker begins with an installation and this browser.
test.describe.configure({ mode: 'default' });

test('BUG-3: the tab is captured without the dialog, which is shown again with the focus inside', async ({
  signIn,
}) => {
  const page = await signIn('operator', { at: '/people', before: recordStreams });
  await openSources(page);
  await page.evaluate(() => {
    const wall = document.createElement('div');
    wall.style.cssText = 'position:fixed;inset:0;z-index:1;background:#0000c8';
    document.body.append(wall);
  });
  await page.getByRole('button', { name: 'Capture this tab' }).click();
  await expect(page.getByRole('group', { name: 'Edit the picture' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Report a Bug' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Crop' })).toBeFocused();
  await expect.poll(() => streams(page)).toEqual([['ended']]);

  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const picture = await send(page);
  expect([picture.width, picture.height]).toEqual([width, height]);
  // The picture shows the page behind the dialog. A capture is a video, whose colours are not exact.
  for (const [x, y] of [
    [width / 2, height / 2],
    [width / 2, 60],
    [30, height - 30],
  ] as const) {
    const [red, green, blue] = picture.at(x, y);
    expect(Math.max(red, green), `at ${x}, ${y}`).toBeLessThan(60);
    expect(blue, `at ${x}, ${y}`).toBeGreaterThan(140);
  }
});

test('BUG-3: a closed question is no error; a refusal, a silent tab and a page that stays black are reported, a black first frame is waited out, and the dialog always returns', async ({
  signIn,
}) => {
  const page = await signIn('operator', { before: recordStreams });
  await openSources(page);
  const dialog = page.getByRole('dialog', { name: 'Report a Bug' });
  const capture = page.getByRole('button', { name: 'Capture this tab' });
  const note = page.getByRole('alert').filter({ hasText: 'has one colour only' });
  await expect(capture).toBeFocused();

  // The person closes the question, after having seen it.
  await answerCapture(page, 'ask');
  await capture.click();
  await expect(dialog).toBeHidden();
  await page.waitForFunction(() => performance.now() > Number(Reflect.get(window, 'askedAt')) + 400);
  await page.evaluate(() => (Reflect.get(window, 'closeQuestion') as () => void)());
  await expect(dialog).toBeVisible();
  await expect(capture).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await answerCapture(page, 'black');
  await capture.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('img', { name: 'Picture, 300 × 150 pixels' })).toBeVisible();
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Remove screenshot' }).click();
  await expect(note).toHaveCount(0);

  for (const [answer, words] of [
    ['refuse', /^The browser does not allow a picture of this tab\./],
    ['fail', /^The picture could not be taken\./],
    ['stay silent', /^The browser gave no picture of this tab in time\./],
  ] as const) {
    await answerCapture(page, answer);
    await capture.click();
    await expect(page.getByRole('alert')).toHaveText(words);
    await expect(dialog).toBeVisible();
    await expect(capture).toBeFocused();
  }

  await answerCapture(page, 'black first');
  await capture.click();
  await expect(page.getByRole('img', { name: 'Picture, 300 × 150 pixels' })).toBeVisible();
  await expect(note).toHaveCount(0);
  await expect.poll(() => streams(page)).toEqual([['ended'], ['ended'], ['ended']]);
  // Nothing is left of what keeps the page painting.
  expect(
    await page.evaluate(() => document.body.lastElementChild?.getAttribute('style') ?? ''),
  ).not.toContain('1px');
  const [red, green, blue] = (await send(page)).at(225, 75);
  expect(Math.max(red, green)).toBeLessThan(80);
  expect(blue).toBeGreaterThan(140);
});

/** Records the streams that the page was given, and lets the test answer the browser's question. */
async function recordStreams(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const devices = navigator.mediaDevices;
    const ask = devices.getDisplayMedia.bind(devices);
    const streams: MediaStream[] = [];
    Reflect.set(window, 'streams', streams);
    devices.getDisplayMedia = async (options) => {
      const answer: unknown = Reflect.get(window, 'captureAnswer');
      // A refusal at once, and a first frame, of a machine that may stand still meanwhile.
      if (answer === 'refuse' || answer === 'black first') performance.now = () => 0;
      if (answer === 'refuse') throw new DOMException('Permission denied', 'NotAllowedError');
      if (answer === 'fail') throw new DOMException('Could not start', 'NotReadableError');
      if (answer === 'ask')
        return new Promise((_resolve, reject) => {
          Reflect.set(window, 'askedAt', performance.now());
          Reflect.set(window, 'closeQuestion', () =>
            reject(new DOMException('Permission denied by user', 'NotAllowedError')),
          );
        });
      const still = document.createElement('canvas');
      const context = still.getContext('2d');
      const isBlack = answer === 'black' || answer === 'black first';
      const stream =
        answer === 'stay silent'
          ? still.captureStream(0)
          : isBlack
            ? still.captureStream()
            : await ask(options);
      if (isBlack && context !== null) {
        let frames = 0;
        const paint = () => {
          frames += 1;
          context.fillStyle = '#000000';
          context.fillRect(0, 0, still.width, still.height);
          context.fillStyle = '#0000c8';
          // Like a tab whose first paint comes after some frames.
          if (answer === 'black first' && frames > 10)
            context.fillRect(still.width / 2, 0, still.width, still.height);
          if (frames < 300) requestAnimationFrame(paint);
        };
        paint();
      }
      streams.push(stream);
      return stream;
    };
  });
}

async function answerCapture(
  page: Page,
  answer: 'ask' | 'refuse' | 'fail' | 'stay silent' | 'black' | 'black first',
): Promise<void> {
  await page.evaluate((what) => Reflect.set(window, 'captureAnswer', what), answer);
}

/** The states of the tracks of each stream. */
function streams(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    (Reflect.get(window, 'streams') as MediaStream[]).map((stream) =>
      stream.getTracks().map((track) => track.readyState),
    ),
  );
}
