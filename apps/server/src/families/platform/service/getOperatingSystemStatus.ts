import { contract, operations } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { freshnessOf, type TaskFreshness } from '../../../jobs/schedules.ts'
import { limits } from '../../../limits.ts'
import type { RecordReading, ScheduleReading, Services } from '../../../services.ts'
import { integerOf, optionalTextOf, type Row } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { version } from '../../../version.ts'
import { logLag, publishedHead } from '../../prove/proof/api.ts'
import { printedContract } from './printed-contract.ts'

export default handle(contract.getOperatingSystemStatus, async ({ services, now }) => {
  const dependencies = await dependenciesOf(services, now)
  return {
    data: {
      service: 'liquidity-os',
      version,
      apiVersion: '2.0.0',
      contractHash: printedContract().hash,
      state: dependencies.every(({ state }) => state === 'UP') ? 'UP' : 'DEGRADED',
      startedAt: new Date(services.startedAt).toISOString(),
      uptimeSeconds: Math.floor((now - services.startedAt) / 1000),
      dependencies,
      freshness: await readFreshness(services, now),
      operations: { declared: operations.length, available: operations.length },
      proofLog: await readHead(services, now),
    },
  }
})

interface CachedFreshness {
  readonly at: number
  readonly freshness: Promise<TaskFreshness[]>
}

const freshnessCache = new WeakMap<object, CachedFreshness>()

/** Cached, because the endpoint is public. Empty during a database outage. */
function readFreshness(
  services: RecordReading & ScheduleReading & Pick<Services, 'log'>,
  now: number,
): Promise<TaskFreshness[]> {
  const last = freshnessCache.get(services)
  if (last && now - last.at < limits.freshnessMilliseconds) return last.freshness
  const freshness = freshnessOf(services).catch(() => [])
  freshnessCache.set(services, { at: now, freshness })
  return freshness
}

interface CachedHead {
  readonly at: number
  readonly head: ReturnType<typeof publishedHead>
}

const headCache = new WeakMap<object, CachedHead>()

/** Cached checkpoint, with the same lifetime as freshness. */
function readHead(services: Pick<Services, 'database' | 'log'>, now: number): CachedHead['head'] {
  const last = headCache.get(services)
  if (last && now - last.at < limits.freshnessMilliseconds) return last.head
  const head = publishedHead(services).catch((error: unknown) => {
    services.log.error({ err: error }, 'Failed to read the checkpoint of the proof log.')
    return null
  })
  headCache.set(services, { at: now, head })
  return head
}

async function dependenciesOf(services: Pick<Services, 'database'>, now: number) {
  const { database } = services
  const lag = logLag(services, now).catch(() => null)
  const answers = await database
    .dispatch([
      sql`select count(*) as waiting, min(created_at) as since from jobs where status = 'QUEUED' and waiting_until is null`,
      sql`select count(*) as waiting, min(next_attempt_at) as since from webhook_deliveries
        where status = 'WAITING' and next_attempt_at <= ${now}`,
    ])
    .catch(() => null)
  if (!answers) return [{ name: 'database', state: 'DOWN' as const }]
  const [jobs = [], webhooks = []] = answers
  return [
    { name: 'database', state: 'UP' as const },
    queue('jobs', jobs[0] ?? {}, now),
    queue('webhooks', webhooks[0] ?? {}, now),
    { name: 'proof-log', ...((await lag) ?? { state: 'DOWN' as const }) },
  ]
}

function queue(name: string, row: Row, now: number) {
  // Null without waiting events.
  const since = optionalTextOf(row, 'since')
  const lagSeconds = since === null ? 0 : Math.max(0, Math.floor((now - Number(since)) / 1000))
  return {
    name,
    state: lagSeconds > limits.queueStalledSeconds ? ('DEGRADED' as const) : ('UP' as const),
    waiting: integerOf(row, 'waiting'),
    lagSeconds,
  }
}
