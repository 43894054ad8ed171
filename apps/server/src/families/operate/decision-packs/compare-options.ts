import type { contract } from '@liquidity-os/contract'
import {
  type BoundInput,
  differenceOf,
  integerOf,
  type Metric,
  type Option,
  type PackInput,
} from './pack-types.ts'

type Comparison = contract.DecisionComparison
type Row = Comparison['rows'][number]

const million = 1_000_000

/**
 * Compares options. Each metric is a row with the difference from the status quo, the best option
 * and broken limits. Also finds dominated options. Exact integer comparison; figures are not
 * weighed against each other. Criteria weights sum up the criteria in favor of an option.
 */
export function compareOptions({
  options,
  criteria = [],
  limits = [],
}: Pick<BoundInput, 'options' | 'criteria' | 'limits'>): Comparison {
  const rows = rowsOf(options)
  const measuredCriteria = criteria.filter(({ metricId }) => metricId !== undefined)
  const whole = measuredCriteria.reduce((sum, { weightPips }) => sum + weightPips, 0)
  return {
    rows,
    options: options.map((option, index) => ({
      optionId: option.optionId,
      supportPips:
        whole === 0
          ? null
          : measuredCriteria
              .filter(({ metricId }) => isBestIn(rows, metricId, index))
              .reduce((sum, { weightPips }) => sum + weightPips, 0),
      dominatedBy: options
        .filter((_, other) => other !== index && dominates(rows, other, index))
        .map(({ optionId }) => optionId),
      breaks: limits.flatMap((limit) => {
        const observed = figureOf(option, limit.metricId)
        return observed === null || isWithin(limit, observed)
          ? []
          : [{ ...limit, observed: `${observed}` }]
      }),
      untold: limits
        .map(({ metricId }) => metricId)
        .filter((metricId) => figureOf(option, metricId) === null),
    })),
  }
}

const figureOf = ({ metrics }: Option, metricId: string) =>
  integerOf(metrics.find((metric) => metric.metricId === metricId)?.value)

function rowsOf(options: readonly Option[]): Row[] {
  const all = options.flatMap(({ metrics }) => metrics)
  const byId = Map.groupBy(all, ({ metricId }) => metricId)
  const itemIndex = options.findIndex(({ statusQuo }) => statusQuo)
  return [...byId].flatMap(([metricId, metrics]) => {
    const [first] = metrics
    if (!first) return []
    const { unit, asset, better, note } = first
    const isNoted = note !== undefined && metrics.every((metric) => metric.note === note)
    const values = options.map(
      ({ metrics }) => metrics.find((metric) => metric.metricId === metricId)?.value ?? null,
    )
    const known = values.map((value) => integerOf(value))
    const row: Row = {
      metricId,
      label: commonLabel(metrics),
      unit,
      asset: asset ?? null,
      better,
      ...(isNoted ? { note } : {}),
      cells: options.map(({ optionId }, at) => ({
        optionId,
        value: values[at] ?? null,
        difference: differenceOf(values[at] ?? null, values[itemIndex] ?? null),
        isBest: isBest(known, at, better),
      })),
    }
    return [row]
  })
}

const partSeparator = ' · '

/**
 * Common label of a row. The columns already name the scenario or alternative, so that prefix is
 * removed. Figures with different measures show all labels.
 */
export function commonLabel(
  metrics: readonly Pick<Metric, 'label' | 'pointer' | 'source'>[],
): string {
  const labels = [...new Set(metrics.map(({ label }) => label))]
  const [only] = labels
  if (labels.length === 1 && only !== undefined) return only
  const members = new Set(
    metrics.map(
      ({ pointer, source }) =>
        `${source.resourceType}${pointer.replace(/(?<=\/)\d+(?=\/|$)/g, '*')}`,
    ),
  )
  const measures = new Set(
    labels.map((label) => label.split(partSeparator).slice(1).join(partSeparator)),
  )
  const [measure = ''] = measures
  if (members.size === 1 && measures.size === 1 && measure !== '') return measure
  return labels.join(' / ').slice(0, maxLabel)
}

const maxLabel = 400

/** True if a value is known and no known value is better. */
function isBest(known: readonly (bigint | null)[], at: number, better: Metric['better']): boolean {
  const own = known[at] ?? null
  if (own === null || better === 'NEITHER') return false
  return known.every((other) => other === null || !isBetter(other, own, better))
}

const isBetter = (a: bigint, b: bigint, better: Metric['better']) =>
  better === 'HIGHER' ? a > b : better === 'LOWER' && a < b

const isBestIn = (rows: readonly Row[], metricId: string | undefined, index: number) =>
  rows.find((row) => row.metricId === metricId)?.cells[index]?.isBest ?? false

/** True if one option is at least equal in every common metric, and better in one. */
function dominates(rows: readonly Row[], one: number, other: number): boolean {
  let isAhead = false
  for (const { cells, better } of rows) {
    if (better === 'NEITHER') continue
    const [a, b] = [integerOf(cells[one]?.value), integerOf(cells[other]?.value)]
    // A metric known for only one option leaves the comparison open.
    if ((a === null) !== (b === null)) return false
    if (a === null || b === null) continue
    if (isBetter(b, a, better)) return false
    isAhead ||= isBetter(a, b, better)
  }
  return isAhead
}

const isWithin = (
  { comparator, value }: NonNullable<PackInput['limits']>[number],
  observed: bigint,
) => (comparator === 'GTE' ? observed >= BigInt(value) : observed <= BigInt(value))

/** The weights of all criteria together. */
export const wholeWeight = million
