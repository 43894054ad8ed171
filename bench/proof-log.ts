import { performance } from 'node:perf_hooks'
import { storedConsistency, storedInclusion } from '@liquidity-os/evidence'
import { pino } from 'pino'
import { readConfig } from '../apps/server/src/config.ts'
import { createServices, openDatabase } from '../apps/server/src/context.ts'
import { fromStored } from '../apps/server/src/families/prove/proof/log-store.ts'
import { sequenceEvents } from '../apps/server/src/families/prove/proof/sequence-events.ts'
import type { Database } from '../apps/server/src/store/database/database.ts'
import type { Benchmark } from './benchmark.ts'
import { startPostgres, temporaryFolder } from './processes.ts'

const leavesPerRound = 20_000
const proofsPerRound = 200

/**
 * Events of twenty organizations taken into the proof log and its head signed, on PostgreSQL with fsync; then proofs of
 * inclusion and of consistency of a log that grows by every round, each made of stored hashes with one question.
 */
export const proofLog: Benchmark = {
  name: 'proof-log',
  title: `${leavesPerRound} events a round into the proof log, PostgreSQL with fsync`,
  units: { appended: 'leaves/s', inclusion: 'ms', consistency: 'ms' },
  comparisons: [
    { name: 'leaves a second', of: 'appended', mark: { atLeast: 500 } },
    { name: 'proof of inclusion, ms', of: 'inclusion', mark: { atMost: 10 } },
    { name: 'proof of consistency, ms', of: 'consistency', mark: { atMost: 10 } },
  ],
  open: async () => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const config = readConfig({
      DATABASE_URL: await postgres.newDatabase('proof_log'),
      DATA_DIR: folder.path,
    })
    const database = await openDatabase(config)
    const services = createServices(config, database, pino({ level: 'silent' }))
    let size = 0
    return {
      round: async (index) => {
        await commitEvents(database, index)
        const start = performance.now()
        size += await sequenceEvents(services)
        const appended = leavesPerRound / ((performance.now() - start) / 1000)
        if (size !== (index + 1) * leavesPerRound) throw new Error(`The log has ${size} leaves.`)
        const inclusion = await meanMilliseconds((turn) =>
          fromStored(database, [storedInclusion((turn * 7919) % size, size)]),
        )
        const consistency = await meanMilliseconds((turn) =>
          fromStored(database, [storedConsistency(((turn * 104_729) % size) + 1, size)]),
        )
        return { appended, inclusion, consistency }
      },
      close: async () => {
        await services.closeThreads()
        await database.close()
        await postgres.stop()
        folder.remove()
      },
    }
  },
}

/** Effect of a committed event that the log reads: its position and its hash. */
async function commitEvents(database: Database, round: number): Promise<void> {
  await database.pool.query(
    `insert into events (organization_id, subject_id, sequence, body, kind, at, era, transaction_id, ordinal)
      select 'org_' || n % 20, 'subject_' || n, ${round + 1},
        '{"actor":{},"evidenceHash":"0x' || encode(sha256(('${round}/' || n)::bytea), 'hex') || '"}',
        'bench.event', 0, (select max(era) from event_eras), pg_current_xact_id()::text::bigint, n
      from generate_series(1, ${leavesPerRound}) as n`,
  )
}

async function meanMilliseconds(work: (turn: number) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let turn = 0; turn < proofsPerRound; turn += 1) await work(turn)
  return (performance.now() - start) / proofsPerRound
}
