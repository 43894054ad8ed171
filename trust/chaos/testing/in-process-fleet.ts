import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../../apps/server/src/config.ts'
import { verifyLog } from '../../../apps/server/src/families/prove/proof/verify-log.ts'
import {
  type RunningService,
  startService,
  startWorkers,
} from '../../../apps/server/src/service.ts'
import type { Database } from '../../../apps/server/src/store/database/database.ts'
import { verifyHistory } from '../../../apps/server/src/whole-history.ts'
import { doneWith, testDatabase } from '../../../apps/server/test/support/database.ts'
import { LiquidityProcess } from '../../../apps/server/test/support/processes.ts'
import { newOrganization, TestClock } from '../../../apps/server/test/support/service.ts'
import { type Fleet, settings } from '../fleet.ts'

/** A fleet of one node in this process, on a database of its own. */
export interface InProcessFleet {
  readonly fleet: Fleet
  readonly database: Database
  /** Null for an embedded database. */
  readonly databaseUrl: string | null
  readonly organizationId: string
  /** Starts jobs, deliveries and the proof log; until then they wait. */
  readonly startWorkers: () => Promise<void>
}

/** @param receiver `host:port` of the webhook receiver */
export async function startInProcessFleet(receiver: string): Promise<InProcessFleet> {
  const { database, url } = await testDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-chaos-test-'))
  const config = readConfig({
    ...settings(directory, receiver, [8080]),
    NODE_ENV: 'development',
    PORT: '0',
    WORKER: 'none',
    LOG_LEVEL: 'silent',
  })
  const log = pino({ level: 'silent' })
  const service = await startService(config, { database, log })
  const member = await newOrganization({
    ...service,
    database,
    config,
    clock: new TestClock(Date.now()),
    databaseUrl: null,
  })
  const { organizationId } = member
  let workers: { stop: () => Promise<void> } | null = null
  return {
    database,
    databaseUrl: url,
    organizationId,
    startWorkers: async () => {
      workers = await startWorkers(service.services)
    },
    fleet: {
      kind: 'embedded',
      nodes: [
        // No fault of a test touches the process of a node.
        {
          baseUrl: service.baseUrl,
          metricsPort: 0,
          process: new LiquidityProcess(['serve'], {}),
        },
      ],
      workers: [],
      metricsPorts: {},
      postgres: null,
      line: null,
      environment: {},
      verify: verifierOf(service, database),
      administratorUrl: null,
      owner: { ...member.options, organizationId },
      stop: async () => {
        await workers?.stop()
        await service.stop()
        await doneWith(database)
        rmSync(directory, { recursive: true, force: true })
      },
    },
  }
}

const verifierOf =
  ({ services }: RunningService, database: Database): Fleet['verify'] =>
  async (command) => {
    const { faults } =
      command === 'verify-log'
        ? await verifyLog(database, null)
        : await verifyHistory(database, null, services.artifacts)
    return faults.map((fault) => JSON.stringify(fault))
  }
