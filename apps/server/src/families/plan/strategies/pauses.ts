import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { isSamePair } from '../../../market/pair.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import { member } from '../../../store/records/find.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { openAdmissions } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { withExpirations } from './lapses.ts'
import { strategies } from './records.ts'

type Anomaly = Static<typeof contract.LiquidityAnomaly>

/**
 * Pauses every VALIDATED strategy that is configured to pause on the anomaly, and ends its
 * admissions. Only an operator can validate it again.
 */
export async function pausesOn(
  records: TenantRecords,
  { id, resourceVersion, payload }: VersionedRecord<Anomaly>,
): Promise<Change[]> {
  const { kind, severity, subject } = payload
  const affected = await records.find<StrategyPayload>('StrategyDefinitionV2', {
    status: ['VALIDATED'],
    where: sql`${member('payload.definition.guards.pauseOn')} like ${`%"${kind}"%`}`,
  })
  const concerned = affected.filter(({ payload: { definition } }) =>
    subject.venueId === undefined
      ? isSamePair(definition.pair, subject.pair)
      : definition.venue.id === subject.venueId,
  )
  const anomaly = { id, resourceVersion, kind, severity }
  return Promise.all(
    concerned.map(async (strategy) => {
      const current = await strategies.current(records, strategy.id)
      if (!current) throw new Error(`Strategy ${strategy.id} does not exist.`)
      return paused(records, current, anomaly)
    }),
  )
}

async function paused(
  records: TenantRecords,
  current: Current<StrategyPayload>,
  anomaly: Readonly<Record<string, unknown>>,
): Promise<Change> {
  const { id, payload, evidenceHashes } = current.record
  const { sealed, change } = strategies.next(records, current, {
    status: 'PAUSED',
    payload,
    evidenceHashes,
    reason: `${anomaly.kind} was detected, and the guards of the strategy list it`,
    event: 'strategy.paused',
    eventPayload: { anomaly },
  })
  const { record } = sealed
  const context = {
    resourceVersion: record.resourceVersion,
    packageRevoked: false,
    now: records.now,
  }
  return withExpirations(records, change, record, await openAdmissions(records, id, context))
}
