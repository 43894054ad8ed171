import { pairKey } from '../../../market/pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { openAnomalies } from './anomaly-life.ts'
import { type AnomalyPayload, type AnomalyRequest, fingerprintOf } from './subject.ts'

/**
 * A peg that was asked about once is watched from then on, until another is named for the same asset: by a question
 * that was answered, about no earlier moment.
 */
export async function watchedPegs(records: TenantRecords): Promise<AnomalyRequest[]> {
  const asked = await records.find<AnomalyPayload>('LiquidityAnomaly', {
    exceptStatus: ['ABSTAINED'],
    where: sql`${member('payload.kind')} = 'STABLECOIN_DEPEG'`,
  })
  const said = ({ payload, createdAt }: (typeof asked)[number]) => `${payload.at}${createdAt}`
  const newest = new Map<string, AnomalyRequest['subject']>()
  for (const { payload } of asked.toSorted((a, b) => (said(a) < said(b) ? -1 : 1))) {
    newest.set(pegKey(payload.subject), payload.subject)
  }
  return [...newest.values()].map((subject) => ({
    schemaVersion: 'anomaly-evaluation-v1',
    kind: 'STABLECOIN_DEPEG',
    subject,
  }))
}

/** What one peg is watched of at a time. */
const pegKey = ({ pair, asset = '', venueId = '' }: AnomalyRequest['subject']) =>
  `${pairKey(pair)}|${asset.toLowerCase()}|${venueId}`

/** The id of the open depeg that a question would replace by naming another peg; null where it replaces none. */
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
