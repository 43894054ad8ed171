import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { TestOrder } from './test-order.ts'

const exclude = ['**/node_modules/**', 'apps/*/test/browser/**']

/**
 * The whole suite: unit tests beside the code, and the tests that talk to a running service.
 * Each embedded database takes 0.3–0.8 GB, so the number of workers is bounded.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        // Unit tests leave nothing behind in their process, so its modules are loaded once.
        test: {
          name: 'units',
          include: ['packages/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'services', include: ['apps/*/test/**/*.test.ts'], exclude },
      },
    ],
    // Computing threads of the services under test start in a third of the time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: TestOrder },
  },
})
