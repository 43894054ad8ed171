import { contract } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { handle, type Outcome } from '../../../http/handler.ts'
import { serializePublication } from './admit-batch.ts'
import { evaluateEvidence } from './evaluate-evidence.ts'
import { findPublished } from './evidence-of-days.ts'
import { isoOf, secondsOf } from './mandate-terms.ts'
import { mandates } from './records.ts'

export default handle(contract.evaluateMarketMakerMandate, async (request): Promise<Outcome> => {
  const { params, query, records, services, now, fail } = request
  const current = await mandates.current(records, params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const mandate = current.record
  if (mandate.status === 'DRAFT') {
    throw fail('LIQUIDITY_MANDATE_NOT_OBSERVED', {
      fieldErrors: { id: ['must have been ACTIVE, got DRAFT'] },
    })
  }
  const asOf = Math.floor(now / 1000)
  const { kpis, period } = mandate.payload
  const wanted = query.at === undefined ? asOf : secondsOf(query.at)
  // After the end of the period, its last windows apply.
  const at = query.at === undefined ? Math.min(wanted, secondsOf(period.to) - 1) : wanted
  if (query.kpiId !== undefined && !kpis.some(({ kpiId }) => kpiId === query.kpiId)) {
    const known = kpis.map(({ kpiId }) => kpiId).join(', ')
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { 'query.kpiId': [`must be one of ${known}, got ${query.kpiId}`] },
    })
  }
  const requested = kpis.flatMap(({ kpiId }, index) =>
    query.kpiId === undefined || query.kpiId === kpiId ? [{ place: index, at }] : [],
  )
  const { evaluations } = await evaluateEvidence(records, services.awaited, mandate, {
    asOf,
    added: null,
    requested,
  })
  const published = await findPublished(
    records,
    mandate.id,
    evaluations.map(({ kpiId, window }) => ({ kpiId, from: window.from })),
  )
  const { id, resourceVersion } = mandate
  const data: contract.MandateEvaluations = {
    mandate: { id, resourceVersion },
    asOf: isoOf(asOf),
    evaluations: evaluations.map((one, index) => ({
      ...one,
      told: serializePublication(published[index]),
    })),
    engineVersion,
    engineBuildHash: engineBuildHash(),
    executionPerformed: false,
    executionAuthorityGranted: false,
  }
  return { data }
})
