import { pairKey } from '../../../market/pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { openAnomalies } from './anomaly-life.ts'
import { type AnomalyPayload, type AnomalyRequest, fingerprintOf } from './subject.ts'

/**
 * Pegs to watch. A peg is watched after its first evaluation that did not abstain, until a request
 * names another peg for the same asset.
 */
export async function watchedPegs(records: TenantRecords): Promise<AnomalyRequest[]> {
  const requested = await records.find<AnomalyPayload>('LiquidityAnomaly', {
    exceptStatus: ['ABSTAINED'],
    where: sql`${member('payload.kind')} = 'STABLECOIN_DEPEG'`,
  })
  const stated = ({ payload, createdAt }: (typeof requested)[number]) => `${payload.at}${createdAt}`
  const newest = new Map<string, AnomalyRequest['subject']>()
  for (const { payload } of requested.toSorted((a, b) => (stated(a) < stated(b) ? -1 : 1))) {
    newest.set(pegKey(payload.subject), payload.subject)
  }
  return [...newest.values()].map((subject) => ({
    schemaVersion: 'anomaly-evaluation-v1',
    kind: 'STABLECOIN_DEPEG',
    subject,
  }))
}

/** Only one peg is watched per key. */
const pegKey = ({ pair, asset = '', venueId = '' }: AnomalyRequest['subject']) =>
  `${pairKey(pair)}|${asset.toLowerCase()}|${venueId}`

/** Id of the open depeg that a request with another peg replaces, or null. */
export async function openPeg(
  records: TenantRecords,
  request: AnomalyRequest,
): Promise<string | null> {
  if (request.kind !== 'STABLECOIN_DEPEG') return null
  const key = pegKey(request.subject)
  const fingerprint = fingerprintOf(request)
  const replaced = (await openAnomalies(records)).find(
    ({ record: { payload } }) =>
      payload.kind === 'STABLECOIN_DEPEG' &&
      payload.fingerprint !== fingerprint &&
      pegKey(payload.subject) === key,
  )
  return replaced?.record.id ?? null
}
