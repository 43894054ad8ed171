import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { valueAt } from '../../json-pointer.ts'
import { currentSources } from '../../sources.ts'
import {
  isSameMeasure,
  measureWords,
  predictedMeasure,
  scoreSizeOf,
  sizeWords,
  unitlessWords,
} from './bind-metrics.ts'
import { isValue, refuse } from './bind-pack.ts'
import { measureAt } from './measure-at.ts'
import { differenceOf, type Pack } from './pack-types.ts'

type OutcomeEvidence = Extract<
  contract.DecisionPackCommand,
  { command: 'RECORD_OUTCOME' }
>['evidence']

const maxReviews = 128

/**
 * Actual values for metrics of the chosen option, or of the status quo, from later records.
 *
 * @throws Failure 422 for an unknown metric, for evidence from before the decision, for a figure
 * with another unit or asset, for another figure of the same kind of record, such as that of
 * another scenario, and for a score of another trade size
 */
export async function reviewed(
  records: TenantRecords,
  pack: Pack,
  evidence: OutcomeEvidence,
): Promise<Pack['review']> {
  const { outcome } = pack
  if (outcome === null) throw new Error('A decided packet must have an outcome.')
  const option = pack.options.find(({ optionId, statusQuo }) =>
    outcome.optionId === null ? statusQuo : optionId === outcome.optionId,
  )
  if (!option) throw new Error(`The packet has no alternative ${outcome.optionId}.`)
  const named = evidence.map(({ source }, index) => ({
    ref: source,
    at: `evidence.${index}.source`,
  }))
  const found = await currentSources(records, named)
  const predictedSizes = await sizesOfScores(records, option.metrics)
  const namedIds = new Set(evidence.map(({ metricId }) => metricId))
  const predictedLabels = await labelsOf(
    records,
    option.metrics.filter(({ metricId }) => namedIds.has(metricId)),
  )
  const faults: FieldErrors = {}
  const unbound: FieldErrors = {}
  const unitless: FieldErrors = {}
  const mismatched: FieldErrors = {}
  const review = evidence.flatMap(({ metricId, source, pointer }, index) => {
    const at = `evidence.${index}`
    const metric = option.metrics.find((one) => one.metricId === metricId)
    const record = found[index]
    const value = valueAt(record, pointer)
    if (!metric)
      faults[`${at}.metricId`] = [`must be a metric of ${option.optionId}, got ${metricId}`]
    else if (!record || Date.parse(record.createdAt) <= Date.parse(outcome.decidedAt)) {
      faults[`${at}.source`] = [`must be later than the decision of ${outcome.decidedAt}`]
    } else if (!isValue(value)) unbound[`${at}.pointer`] = [`must point to a value, got ${pointer}`]
    else {
      const figure = measureAt(record, pointer)
      if ('problem' in figure) {
        unitless[`${at}.pointer`] = [unitlessWords({ pointer, source }, figure.problem)]
        return []
      }
      const predicted = predictedMeasure(metric)
      if (!isSameMeasure(figure, predicted)) {
        const expected = `must point to ${measureWords(predicted)}, the predicted measure of ${metricId}`
        mismatched[`${at}.pointer`] = [`${expected}, got ${measureWords(figure)} at ${pointer}`]
        return []
      }
      const expectedLabel = predictedLabels.get(metricId)
      if (record.resourceType === metric.source.resourceType && figure.label !== expectedLabel) {
        faults[`${at}.pointer`] = [
          `must point to “${expectedLabel}”, the predicted figure of ${metricId}, got “${figure.label}” at ${pointer}`,
        ]
        return []
      }
      const [expectedSize, size] = [predictedSizes.get(metricId), scoreSizeOf(record)]
      if (expectedSize !== undefined && size !== null && size !== expectedSize) {
        mismatched[`${at}.source`] = [sizeWords(expectedSize, size)]
        return []
      }
      return [
        {
          optionId: option.optionId,
          metricId,
          predicted: metric.value,
          realised: value,
          difference: differenceOf(value, metric.value),
          label: figure.label,
          source,
          pointer,
          recordedAt: new Date(records.now).toISOString(),
        },
      ]
    }
    return []
  })
  const all = [...pack.review, ...review]
  if (all.length > maxReviews)
    faults.evidence = [`must leave at most ${maxReviews} reviews in the packet`]
  refuse('LIQUIDITY_DECISION_PACK_INVALID', faults)
  refuse('LIQUIDITY_DECISION_PACK_METRIC_UNBOUND', unbound)
  refuse('LIQUIDITY_DECISION_PACK_METRIC_UNITLESS', unitless)
  refuse('LIQUIDITY_DECISION_PACK_UNIT_MISMATCH', mismatched)
  return all
}

/** Labels of the predicted figures by metric, without the spend. They name scenario and kind. */
async function labelsOf(
  records: TenantRecords,
  metrics: Pack['options'][number]['metrics'],
): Promise<ReadonlyMap<string, string>> {
  const labels = await Promise.all(
    metrics.map(async ({ metricId, pointer, source: { resourceType, id, resourceVersion } }) => {
      const bound = await records.version(resourceType as ResourceType, id, resourceVersion)
      const figure = bound && measureAt(bound.record, pointer)
      return !figure || 'problem' in figure ? [] : [[metricId, figure.label] as const]
    }),
  )
  return new Map(labels.flat())
}

/** Trade sizes of the scores behind the predictions, by metric. */
async function sizesOfScores(
  records: TenantRecords,
  metrics: Pack['options'][number]['metrics'],
): Promise<ReadonlyMap<string, string>> {
  const sizes = await Promise.all(
    metrics
      .filter(({ source }) => source.resourceType === 'MarketQualityScore')
      .map(async ({ metricId, source: { id, resourceVersion } }) => {
        const bound = await records.version('MarketQualityScore', id, resourceVersion)
        const size = bound && scoreSizeOf(bound.record)
        return size === null ? [] : [[metricId, size] as const]
      }),
  )
  return new Map(sizes.flat())
}
