import { defineConfig } from 'vitest/config'

/** The tests that need a browser: the pages of the service in the system's Chromium. */
export default defineConfig({
  test: {
    include: ['apps/*/test/browser/**/*.test.ts'],
    globalSetup: ['apps/server/test/browser/build-console.ts'],
    maxWorkers: 2,
    // Pages that are looked at beside each other in one browser.
    maxConcurrency: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
