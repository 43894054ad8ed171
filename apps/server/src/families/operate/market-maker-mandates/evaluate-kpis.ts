import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import { serializePublication } from './admit-batch.ts'
import { evaluateEvidence } from './evaluate-evidence.ts'
import { findPublished } from './evidence-of-days.ts'
import type { Mandate } from './records.ts'

interface Moment {
  /** Evaluation time in Unix seconds. */
  readonly asOf: number
  /** Moment in the evaluated windows, Unix seconds. */
  readonly at: number
  /** Indexes of the KPIs. */
  readonly places: readonly number[]
}

/** KPIs over their windows at a moment, each with its published result. */
export async function evaluateKpis(
  records: TenantRecords,
  threads: Threads,
  mandate: Pick<Mandate, 'id' | 'payload'>,
  { asOf, at, places }: Moment,
): Promise<contract.KpiEvaluation[]> {
  const { evaluations } = await evaluateEvidence(records, threads, mandate, {
    asOf,
    added: null,
    requested: places.map((itemIndex) => ({ place: itemIndex, at })),
  })
  const published = await findPublished(
    records,
    mandate.id,
    evaluations.map(({ kpiId, window }) => ({ kpiId, from: window.from })),
  )
  return evaluations.map((one, index) => ({ ...one, told: serializePublication(published[index]) }))
}
