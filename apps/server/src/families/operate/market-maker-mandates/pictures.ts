import { daysOf } from '@liquidity-os/engine/mandates'
import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { DrawnMandate } from './drawn-mandate.ts'
import { evaluateEvidence } from './evaluate-evidence.ts'
import { windowOfKpi } from './evaluate-windows.ts'
import { daysOfTerms, readStoredDays } from './evidence-of-days.ts'
import { lastDays } from './hour-states.ts'
import { loanReadings } from './loan-readings.ts'
import { secondsOf, termsOf } from './mandate-terms.ts'
import { mandates } from './records.ts'

export const pictures: PictureFamily = {
  operationId: 'getMarketMakerMandates',
  read: readMandate,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** A mandate today, or at the end of its period: last days, loan of the month and KPI results. */
async function readMandate({ id, records, services }: PictureRequest): Promise<DrawnMandate> {
  const current = await mandates.current(records, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { payload, status } = current.record
  const terms = termsOf(payload)
  const asOf = Math.floor(records.now / 1000)
  const at = Math.max(terms.period.from, Math.min(asOf, secondsOf(payload.period.to) - 1))
  const month = windowOfKpi(terms, { window: 'MONTH' }, at) ?? terms.period
  const recent = lastDays(terms, at, limits.mandateHoursDays)
  const [storedDays, loan, { evaluations }] = await Promise.all([
    readStoredDays(records, id, daysOf(recent)),
    loanReadings(records, id, month),
    evaluateEvidence(records, services.reporting, current.record, {
      asOf,
      added: null,
      requested: terms.kpis.map((_, index) => ({ place: index, at })),
    }),
  ])
  return {
    title: payload.title,
    pair: payload.pair,
    status,
    terms,
    month,
    recent,
    asOf,
    evaluations,
    loan,
    days: daysOfTerms(terms, storedDays),
  }
}
