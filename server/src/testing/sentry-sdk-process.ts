import { readFileSync } from 'node:fs';
import type * as Sentry from '@sentry/node';

// An application that reports with a real SDK of Sentry: node sentry-sdk-process.ts PACKAGE DSN MODE PICTURE SECRET.
// `usual`: an error with all that belongs to it, a message, feedback with a picture, and an error that nothing
// catches. `flood`: more errors than a limit allows, one after the other, then feedback.

const [, , name = '', dsn = '', mode = 'usual', picture = '', secret = ''] = process.argv;
const sdks: Record<string, () => Promise<unknown>> = {
  '@sentry/node': () => import('@sentry/node'),
  '@sentry/node-core/light': () => import('@sentry/node-core/light'),
};
const sdk = (await sdks[name]?.()) as typeof Sentry;

sdk.init({ dsn, release: 'till@2.0.0', environment: 'staging', shutdownTimeout: 60_000 });
sdk.setUser({ id: '7', email: `${secret}@example.org` });
sdk.setTag('shop', 'north');

function loadCart(): never {
  throw new TypeError('cannot load', { cause: new RangeError('out of range') });
}

const ids: Record<string, string> = {};

async function report(): Promise<void> {
  sdk.addBreadcrumb({ category: 'cart', message: 'opened', data: { password: secret } });
  try {
    loadCart();
  } catch (error) {
    ids['error'] = sdk.captureException(error);
  }
  ids['message'] = sdk.captureMessage('Order 4711 is late', 'warning');
  const data = readFileSync(picture);
  const attachments = [{ filename: 'screenshot.png', data, contentType: 'image/png' }];
  const feedback = { message: 'The till is slow.', name: 'Mia', email: 'mia@example.org' };
  ids['feedback'] = sdk.captureFeedback({ ...feedback, associatedEventId: ids['error'] }, { attachments });
  await sdk.flush(60_000);
  console.log(JSON.stringify(ids));
  setImmediate(() => {
    throw new Error('Nothing catches it');
  });
}

async function flood(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    sdk.captureException(new Error('Again'));
    await sdk.flush(60_000);
  }
  ids['feedback'] = sdk.captureFeedback({ message: 'It does not stop.' });
  await sdk.flush(60_000);
  console.log(JSON.stringify(ids));
}

await (mode === 'flood' ? flood() : report());
