/// <reference types="node" />
import { defineConfig } from '@playwright/test';

// Tests that capture the tab need the whole browser, and declare that themselves.
const executablePath = process.env['HEADLESS_SHELL'] ?? process.env['CHROMIUM'];

/** Those that take a minute or more, or a worker of their own, come first, so that none runs alone at the end. */
const longest = /\/(?:add-a-capability|behind-portico|map|screenshot-capture|sentry-sdks)\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  testMatch: '{e2e,features/*/e2e}/**/*.spec.ts',
  outputDir: 'test-results',
  // One test may run two servers and a browser, on machines with two cores; each waits for the thing itself.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Some wait for the real clock: one worker more than the cores of the smallest machine uses these fully.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  projects: [
    { name: 'longest', testMatch: longest },
    { name: 'others', testIgnore: longest },
  ],
  use: {
    // A trace takes as long as the test itself; `playwright test --trace on` makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    contextOptions: { reducedMotion: 'reduce' },
    // Chromium refuses its sandbox to root, who has it in containers alone.
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives for seconds: to compile ahead what it may call takes a sixth of the CPU time here.
        '--js-flags=--max-lazy',
      ],
    },
  },
});
