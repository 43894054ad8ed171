import { defineConfig } from 'vitest/config'

/**
 * The tests that need a browser: the pages of the service in the system's Chromium. `--mode long` judges the
 * accessibility of every page instead of one page of each kind.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['apps/*/test/browser/**/*.test.ts'],
    globalSetup: ['apps/server/test/browser/build-console.ts'],
    env: { TEST_TIER: mode === 'long' ? 'long' : 'short' },
    maxWorkers: 2,
    // Pages share a browser and are looked at side by side.
    maxConcurrency: 3,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
}))
