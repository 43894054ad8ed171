import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { startProgram, temporaryFolder } from './processes.ts'
import { timeToFirstAnswer } from './start/first-answer.ts'

/**
 * Start of the embedded database, from process start to its first row: new from the shipped image,
 * reopened, and created by PGlite (initdb). Also the whole service on a new directory, with its
 * schema, to its first 200.
 */
export const embeddedStart: Benchmark = {
  name: 'embedded-start',
  title: 'process start to first row of the embedded database',
  units: { first: 'ms', again: 'ms', initdb: 'ms', service: 'ms' },
  comparisons: [
    { name: 'first start / initdb', of: 'first', to: 'initdb', mark: { atMost: 0.35 } },
    { name: 'restart / initdb', of: 'again', to: 'initdb', mark: { atMost: 0.2 } },
    { name: 'whole service / initdb', of: 'service', to: 'initdb', mark: null },
  ],
  open: async () => {
    const folder = temporaryFolder()
    const time = async (way: 'initdb' | 'product', directory: string) => {
      const from = performance.now()
      const program = await startProgram(`bench/start/open-database.ts`, { DATA_DIR: directory }, [
        way,
      ])
      const elapsed = performance.now() - from
      await program.stop()
      return elapsed
    }
    const round = async () => {
      const [own, theirs, whole] = ['own', 'theirs', 'whole'].map((name) => join(folder.path, name))
      for (const path of [own, theirs, whole]) rmSync(path ?? '', { recursive: true, force: true })
      const initdb = await time('initdb', theirs ?? '')
      const first = await time('product', own ?? '')
      const again = await time('product', own ?? '')
      const service = await timeToFirstAnswer({
        arguments: ['bin/liquidity.js', 'serve'],
        environment: { DATA_DIR: whole ?? '', DATABASE_URL: '' },
        path: '/health/ready',
      })
      return { initdb, first, again, service }
    }
    await round()
    return { round, close: async () => folder.remove() }
  },
}
