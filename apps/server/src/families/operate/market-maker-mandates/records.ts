import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { HeldName } from '../../../family-parts.ts'
import { recordFamily } from '../../record-family.ts'

export type Mandate = VersionedRecord<contract.MarketMakerMandate>

/** Name kinds: evidence number, batch hash, affected days and published windows. */
export const numberKind = 'mandate-number'
export const batchKind = 'mandate-batch'
export const dayKind = 'mandate-day'
export const windowKind = 'mandate-window'
export const loanKind = 'mandate-loan'

const padded = (number: number) => `${number}`.padStart(8, '0')

/**
 * Evidence of a mandate is numbered, so the second of two concurrent batches is evaluated with the
 * first.
 */
export const numberName = (mandateId: string, number: number) => ({
  kind: numberKind,
  name: `${mandateId}|${padded(number)}`,
})

/** The same batch is one record; a signed and an unsigned copy are two. */
export const batchName = (
  mandateId: string,
  { batchHash, trust }: Pick<contract.MandateBookBatch, 'batchHash' | 'trust'>,
) => ({ kind: batchKind, name: `${mandateId}|${batchHash}|${trust}` })

/** Sorts by day, then by number: the last has the sums of the day. */
export const dayName = (mandateId: string, day: string, number: number) => ({
  kind: dayKind,
  name: `${mandateId}|${day}|${padded(number)}`,
})

/**
 * Name of a published window. It contains verdict and time, so readers of evaluations need no
 * further lookup.
 */
export const windowName = (
  mandateId: string,
  { kpiId, from, verdict, at }: { kpiId: string; from: string; verdict: string; at: string },
) => ({ kind: windowKind, name: `${mandateId}|${kpiId}|${from}|${verdict}|${at}` })

/** Loan observations by time; one for a single time. */
export const loanName = (mandateId: string, { at }: Pick<contract.MandateLoanReading, 'at'>) => ({
  kind: loanKind,
  name: `${mandateId}|${at}`,
})

export const observations = recordFamily(contract.marketMakerObservationFamily, {
  names: ({ payload }): HeldName[] => {
    const { id } = payload.mandate
    const counted = numberName(id, payload.number)
    if (payload.source === 'LOAN') return [counted, loanName(id, payload)]
    const days = payload.days.map(({ day }) => dayName(id, day, payload.number))
    return [counted, batchName(id, payload), ...days]
  },
  nameKinds: [numberKind, batchKind, dayKind, loanKind],
})

/** Fields of a window event that its name needs. */
export interface EvaluatedWindow {
  readonly kpiId: string
  readonly verdict: contract.KpiEvaluation['verdict']
  readonly window: { readonly from: string; readonly to: string }
}

export const mandates = recordFamily(contract.marketMakerMandateFamily, {
  nameKinds: [windowKind],
  held: ({ id }, events) =>
    events.flatMap(({ kind, payload, occurredAt }) => {
      if (kind !== 'mandate.kpi_evaluated') return []
      const { kpiId, verdict, window } = payload as unknown as EvaluatedWindow
      return [windowName(id, { kpiId, verdict, from: window.from, at: occurredAt })]
    }),
})
