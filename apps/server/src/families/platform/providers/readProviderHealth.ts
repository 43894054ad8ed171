import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import {
  configurationOf,
  type ProviderPayload,
  type ProviderRecord,
  readPace,
} from '../../../integrations/providers/chain-providers.ts'
import { optionalTextOf, textOf } from '../../../store/database/row.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import { type LastProbe, providerHealth } from './provider-health.ts'

/** Minutes of the state, in seconds. */
const recentSeconds = 900

export default handle(contract.readProviderHealth, async (request): Promise<Outcome> => {
  const { params, query, records, services, actor, now, fail } = request
  const current = await records.current<ProviderPayload>('Provider', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { record } = current
  const configuration = configurationOf(record.payload)
  if (!configuration) throw fail('LIQUIDITY_PROVIDER_NOT_A_NODE')
  const start = startOfDay(query.day, now)
  if (start === null) {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { 'query.day': [`must be a UTC day, got ${query.day}`] },
    })
  }
  const version = {
    organizationId: record.organizationId,
    recordId: record.id,
    resourceVersion: record.resourceVersion,
  }
  const { nodeCalls } = services
  const until = Math.ceil(now / 1000) + 1
  const [day, recent, state, pace, probes] = await Promise.all([
    nodeCalls.minutes(version, { from: start, until: start + dayMilliseconds / 1000 }),
    nodeCalls.minutes(version, { from: until - recentSeconds, until }),
    nodeCalls.state(version),
    readPace(record, services),
    lastProbes(records, configuration.chainId),
  ])
  const health = providerHealth({
    probe: probes.get(record.id) ?? null,
    others: [...probes].filter(([id]) => id !== record.id).map(([, probe]) => probe),
    capabilities: record.payload.capabilities,
    day,
    recent: recent.map(({ counts }) => counts),
    state,
    configured: configuration.limits,
    pausedUntil: pace?.pausedUntil ?? null,
    now,
  })
  const isOperator = actor.permissions.has('operate')
  const { lastError } = health
  const shown =
    isOperator || !lastError ? lastError : { ...lastError, host: null, providerText: null }
  return { data: { ...health, lastError: shown } }
})

/** Unix seconds of the start of a UTC day; null if the text names none. */
function startOfDay(day: string | undefined, now: number): number | null {
  const time = day === undefined ? now - (now % dayMilliseconds) : Date.parse(`${day}T00:00:00Z`)
  if (!Number.isFinite(time)) return null
  // Date.parse moves 31 February to March.
  const isSame = day === undefined || new Date(time).toISOString().startsWith(day)
  return isSame ? Math.floor(time / 1000) : null
}

/** The newest probe of each active provider of a chain, by record ID. */
async function lastProbes(
  records: TenantRecords,
  chainId: number,
): Promise<ReadonlyMap<string, LastProbe>> {
  const active = await records.find<ProviderPayload>('Provider', { status: ['ACTIVE'] })
  const nodes = active.filter(({ payload }) => configurationOf(payload)?.chainId === chainId)
  const { organizationId } = records
  const answers = await records.query(
    nodes.flatMap(({ id }) => [
      newestProbe(organizationId, id, sql`status in ('COMPLETED', 'FAILED')`),
      newestProbe(organizationId, id, sql`status = 'COMPLETED'`),
    ]),
  )
  return new Map(
    nodes.flatMap((node, index) => {
      const [last] = answers[2 * index] ?? []
      const [completed] = answers[2 * index + 1] ?? []
      const success = newerOf(completed ? probeOfJob(completed) : null, probeOfRecord(node))
      const probe = withFactsOf(last ? probeOfJob(last) : null, success)
      return probe ? [[node.id, probe] as const] : []
    }),
  )
}

const newestProbe = (organizationId: string, id: string, hasStatus: Sql) =>
  sql`select status, result, finished_at from jobs where organization_id = ${organizationId}
    and kind = 'PROVIDER_PROBE' and subject_id = ${id} and ${hasStatus}
    order by created_at desc limit 1`

function probeOfJob(row: Record<string, string | null>): LastProbe {
  const result = optionalTextOf(row, 'result')
  const { facts = {} } = (result === null ? {} : JSON.parse(result)) as {
    facts?: Record<string, string>
  }
  const isOk = textOf(row, 'status') === 'COMPLETED'
  return { at: Number(textOf(row, 'finished_at')), isOk, facts }
}

function probeOfRecord({ payload: { probe } }: ProviderRecord): LastProbe | null {
  return probe && { at: Date.parse(probe.at), isOk: true, facts: probe.facts }
}

const newerOf = (stored: LastProbe | null, admitted: LastProbe | null): LastProbe | null =>
  stored && admitted ? (stored.at < admitted.at ? admitted : stored) : (stored ?? admitted)

/** The last probe. A failed one has no facts, so those of the last success remain. */
function withFactsOf(last: LastProbe | null, success: LastProbe | null): LastProbe | null {
  if (!last || (success && success.at >= last.at)) return success
  return { ...last, ...(success && { facts: success.facts, factsAt: success.at }) }
}
