import type { contract, FieldErrors } from '@liquidity-os/contract'
import { decimalOf } from '@liquidity-os/drawing'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { measureOf } from './figure-at.ts'
import type { Figure } from './measure-at.ts'
import type { InputOption, Metric, MetricInput, Option } from './pack-types.ts'

/** Alternatives whose figures have the label, unit, asset and direction of the fields at their pointers. */
export interface BoundMetrics {
  readonly options: Option[]
  readonly unitless: FieldErrors
  readonly mismatched: FieldErrors
}

const maxNote = 120

/** @param at path of the content in the request, with a dot at its end */
export function bindMetrics(
  options: readonly InputOption[],
  records: ReadonlyMap<string, VersionedRecord>,
  at: string,
): BoundMetrics {
  const [unitless, mismatched]: [FieldErrors, FieldErrors] = [{}, {}]
  const sizes = new Map<string, string>()
  const bound = options.map((option, index) => ({
    ...option,
    metrics: option.metrics.flatMap((metric, itemIndex) => {
      const path = `${at}options.${index}.metrics.${itemIndex}`
      const record = records.get(metric.source.resourceVersion)
      const found = record ? measureOf(record, metric) : { problem: 'the record does not exist' }
      if ('problem' in found) {
        unitless[`${path}.pointer`] = [unitlessWords(metric, found.problem)]
        return []
      }
      const problems = validateAgainst(metric, found)
      const size = record ? scoreSizeOf(record) : null
      if (size !== null) {
        const firstSize = sizes.get(metric.metricId) ?? size
        sizes.set(metric.metricId, firstSize)
        if (size !== firstSize) problems.push(['source', sizeWords(firstSize, size)])
      }
      for (const [member, message] of problems) mismatched[`${path}.${member}`] = [message]
      return problems.length > 0 ? [] : [boundMetric(metric, found)]
    }),
  }))
  return { options: bound, unitless, mismatched }
}

export const unitlessWords = (
  { pointer, source }: Pick<Metric, 'pointer' | 'source'>,
  problem: string,
) => `must point to a field with a unit, got ${pointer} of ${source.resourceType}: ${problem}`

/** Request fields that contradict the schema: name, expected and received value. */
function validateAgainst(
  { unit, asset, better, label, note, pointer }: MetricInput,
  found: Figure,
): [string, string][] {
  const problems: [string, string][] = []
  if (unit !== undefined && unit !== found.unit) {
    problems.push(['unit', `must be ${found.unit}, the unit of ${pointer}, got ${unit}`])
  }
  if (asset !== undefined && asset !== found.asset) {
    const expected = found.asset ?? `left out with ${found.unit}`
    problems.push(['asset', `must be ${expected} for ${pointer}, got ${asset}`])
  }
  if (better !== undefined && isInverted(better, found.better)) {
    problems.push(['better', `must be ${found.better} or NEITHER for ${pointer}, got ${better}`])
  }
  if (label !== undefined && label !== found.label) {
    if (note !== undefined) {
      problems.push(['label', `must be “${found.label}” if a note is set, got “${label}”`])
    } else if (label.length > maxNote) {
      const expected = `must be “${found.label}”, or a note of at most ${maxNote} characters`
      problems.push(['label', `${expected}, got ${label.length} characters`])
    }
  }
  return problems
}

/**
 * If the schema has no direction, the author may set one. An existing direction cannot be inverted.
 */
const isInverted = (given: Metric['better'], found: Metric['better']) =>
  given !== 'NEITHER' && found !== 'NEITHER' && given !== found

function boundMetric(metric: MetricInput, { label, unit, asset, better }: Figure): Metric {
  const { metricId, value, source, pointer, afterSpend } = metric
  const note = metric.note ?? (metric.label === label ? undefined : metric.label)
  return {
    metricId,
    label,
    value,
    unit,
    better: metric.better ?? better,
    source,
    pointer,
    ...(note === undefined ? {} : { note }),
    ...(asset === undefined ? {} : { asset }),
    ...(afterSpend === undefined ? {} : { afterSpend }),
  }
}

/**
 * Trade size of a score, as text that is equal for comparable scores; null for other records. Graded
 * scores compare across tokens of one currency, others only within their pair.
 */
export function scoreSizeOf({ resourceType, payload }: VersionedRecord): string | null {
  if (resourceType !== 'MarketQualityScore') return null
  const { gradedSize, requestedSize, request } = payload as contract.MarketQualityScore
  const { chainId, base, quote, quoteDecimals } = request.pair
  if (gradedSize) {
    return `${decimalOf(gradedSize.tradeSizeQuote, quoteDecimals)} ${gradedSize.currency}`
  }
  // Earlier releases stored the size in the request only.
  const size = requestedSize?.tradeSizeQuote ?? request.referenceTradeSizeQuote
  return `${size} atoms for ${base.toLowerCase()}/${quote.toLowerCase()} on chain ${chainId}`
}

export const sizeWords = (expected: string, got: string) =>
  `must be a score of the same trade size, ${expected}, got ${got}`

/** True if two figures are comparable: unit and asset are equal. */
export const isSameMeasure = (
  a: Pick<Metric, 'unit' | 'asset'>,
  b: Pick<Metric, 'unit' | 'asset'>,
) => a.unit === b.unit && a.asset === b.asset

/**
 * Measure that an outcome must have. After a spend the asset names the spend, so it is not part of
 * the measure.
 */
export const predictedMeasure = ({
  unit,
  asset,
  afterSpend,
}: Pick<Metric, 'unit' | 'asset' | 'afterSpend'>): Pick<Metric, 'unit' | 'asset'> =>
  asset === undefined || afterSpend !== undefined ? { unit } : { unit, asset }

export const measureWords = ({ unit, asset }: Pick<Metric, 'unit' | 'asset'>) =>
  asset === undefined ? unit : `${unit} of ${asset}`
