import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowestFiles } from './slowest-files.ts'
import { TestOrder } from './test-order.ts'

const exclude = ['**/node_modules/**', 'apps/*/test/browser/**']

/**
 * The whole suite: unit tests beside the code, and the tests that talk to a running service. A worker goes on
 * with the next file in the same process, so that what is loaded, compiled and warm stays so; no file may
 * leave anything behind there. Each embedded database takes 0.3–0.8 GB, so the number of workers is bounded.
 */
export default defineConfig({
  // Where the runner keeps what each file took: beside the working tree, so that a clean clone knows it too.
  cacheDir: join(tmpdir(), 'liquidity-test-cache'),
  test: {
    maxWorkers: 3,
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: [
            'packages/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'bench/**/*.test.ts',
            'trust/**/*.test.ts',
          ],
          exclude,
        },
      },
      {
        extends: true,
        test: { name: 'services', include: ['apps/*/test/**/*.test.ts'], exclude },
      },
    ],
    tags: [
      {
        name: 'postgres',
        description: 'writes, queues, locks, isolates or proves, so it runs on PostgreSQL too',
      },
    ],
    // Computing threads of the services under test start in a third of the time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: { sequencer: TestOrder },
    reporters: [new SlowestFiles(), 'default'],
  },
})
