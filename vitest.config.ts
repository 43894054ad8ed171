import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { CpuReporter } from './testing/cpu-reporter.ts'
import { TestOrder } from './testing/test-order.ts'
import { isLong } from './testing/tiers.ts'

// Workers start many threads; glibc otherwise gives each its own arena and keeps what they freed.
process.env.MALLOC_ARENA_MAX ??= '2'

const root = import.meta.dirname
const exclude = ['**/node_modules/**', 'apps/*/test/browser/**']
const suites = {
  units: [
    'packages/**/*.test.ts',
    'apps/*/src/**/*.test.ts',
    'apps/*/bin/**/*.test.ts',
    'bench/**/*.test.ts',
    'trust/**/*.test.ts',
    'testing/**/*.test.ts',
    'tools/**/*.test.ts',
  ],
  services: ['apps/*/test/**/*.test.ts'],
}

/** The test files that a mode leaves out: `short` leaves out the long tier, `long` the short one. */
function filesOutside(mode: string): string[] {
  if (mode !== 'short' && mode !== 'long') return []
  return globSync([...suites.units, ...suites.services], { cwd: root, exclude }).filter(
    (file) => isLong(join(root, file)) !== (mode === 'long'),
  )
}

/**
 * Unit tests beside the code, and tests that talk to a running service, in two tiers. `--mode short` runs what
 * every change must prove, `--mode long` the files tagged `long`, no mode both. A worker runs many files in one
 * process, so compiled code stays warm and no file may leave anything behind. Each embedded database takes 0.3
 * to 0.8 GB, which bounds the number of workers.
 */
export default defineConfig(({ mode }) => ({
  // Outside the working tree, so that a clean clone finds the durations of earlier runs.
  cacheDir: join(tmpdir(), 'liquidity-test-cache'),
  // The build prints this module; tests of the console read it from the contract.
  resolve: {
    alias: { 'virtual:declarations': join(root, 'apps/console/declarations/for-tests.ts') },
  },
  test: {
    maxWorkers: 3,
    isolate: false,
    // Without a bound the heap of a worker grows to 1.5 GB before it is collected.
    execArgv: ['--max-old-space-size=768'],
    projects: Object.entries(suites).map(([name, include]) => ({
      extends: true as const,
      test: { name, include, exclude: [...exclude, ...filesOutside(mode)] },
    })),
    tags: [
      {
        name: 'long',
        description: 'left out of npm test; .ci/run runs it by closeness and in rotation',
      },
      {
        name: 'postgres',
        description: 'depends on the database, so .ci/run runs it on PostgreSQL',
      },
    ],
    // Computing threads of the services under test start in a third of the time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    // No test runs this long; a test that hangs ends here. A stopwatch per test fails on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    sequence: { sequencer: TestOrder },
    setupFiles: ['testing/cpu-time.ts'],
    reporters: [new CpuReporter(), 'default'],
  },
}))
