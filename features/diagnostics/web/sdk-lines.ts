/** The lines that connect a browser application. */
export function sdkLines(dsn: string): string {
  return [
    `import * as Sentry from '@sentry/browser';`,
    `const dsn = '${dsn}';`,
    `Sentry.init({ dsn, release: 'shop@1.0.0' });`,
  ].join('\n');
}
