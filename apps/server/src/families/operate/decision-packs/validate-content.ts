import type { FieldErrors } from '@liquidity-os/contract'
import { wholeWeight } from './compare-options.ts'
import { type BoundInput, integerOf, type Metric, type Option } from './pack-types.ts'

/** Validates dependencies between fields of a pack that the schema cannot express. */
export function validateContent(input: BoundInput, now: number, at: string): FieldErrors {
  const { options, criteria = [], limits = [], recommendation, decisionBy, expiresAt } = input
  const faults: FieldErrors = {}
  const say = (path: string, message: string) => {
    faults[`${at}${path}`] = [message]
  }
  const quiet = options.filter(({ statusQuo }) => statusQuo).length
  if (quiet !== 1) say('options', `must have exactly one statusQuo, got ${quiet}`)
  const metrics = metricsOf(options)
  twice(
    options,
    ({ optionId }) => optionId,
    (itemIndex, id) => say(`options.${itemIndex}.optionId`, `must be unique, got ${id} twice`),
  )
  for (const [index, option] of options.entries()) {
    validateOption(option, metrics, (path, message) => say(`options.${index}.${path}`, message))
  }
  twice(
    criteria,
    ({ criterionId }) => criterionId,
    (place, id) => say(`criteria.${place}.criterionId`, `must be unique, got ${id} twice`),
  )
  const weight = criteria.reduce((sum, { weightPips }) => sum + weightPips, 0)
  if (criteria.length > 0 && weight !== wholeWeight) {
    say('criteria', `must have weights that sum to ${wholeWeight}, got ${weight}`)
  }
  for (const [place, { metricId }] of criteria.entries()) {
    if (metricId === undefined) continue
    const known = metrics.get(metricId)
    if (!known || known.better === 'NEITHER') {
      say(
        `criteria.${place}.metricId`,
        `must be a metric for which more or less is better, got ${metricId}`,
      )
    }
  }
  for (const [place, { metricId }] of limits.entries()) {
    const known = metrics.get(metricId)
    if (!known || integerOf(known.value) === null) {
      say(`limits.${place}.metricId`, `must be an integer metric, got ${metricId}`)
    }
  }
  if (recommendation && !options.some(({ optionId }) => optionId === recommendation.optionId)) {
    say(
      'recommendation.optionId',
      `must be an alternative of the packet, got ${recommendation.optionId}`,
    )
  }
  if (Date.parse(decisionBy) <= now) say('decisionBy', `must be in the future, got ${decisionBy}`)
  if (expiresAt !== undefined && Date.parse(expiresAt) < Date.parse(decisionBy)) {
    say('expiresAt', `must not be before decisionBy (${decisionBy}), got ${expiresAt}`)
  }
  return faults
}

/** First metric by name, as reference for metrics with the same name. */
function metricsOf(options: readonly Option[]): ReadonlyMap<string, Metric> {
  const all = options.flatMap(({ metrics }) => metrics)
  return new Map(all.toReversed().map((metric) => [metric.metricId, metric]))
}

function validateOption(
  { metrics }: Option,
  known: ReadonlyMap<string, Metric>,
  say: (path: string, message: string) => void,
): void {
  twice(
    metrics,
    ({ metricId }) => metricId,
    (place, id) => say(`metrics.${place}.metricId`, `must be unique, got ${id} twice`),
  )
  for (const [index, metric] of metrics.entries()) {
    const first = known.get(metric.metricId) ?? metric
    for (const member of ['unit', 'asset', 'better'] as const) {
      if (metric[member] === first[member]) continue
      const stated = first[member] ?? 'none'
      say(
        `metrics.${index}.${member}`,
        `must match the other alternatives, ${stated}, got ${metric[member] ?? 'none'}`,
      )
    }
    const fault = unitFault(metric)
    if (fault) say(`metrics.${index}.${fault.member}`, fault.message)
  }
}

/** True if a value is valid for its unit. */
function unitFault({
  unit,
  asset,
  value,
  afterSpend,
}: Metric): { member: 'asset' | 'value'; message: string } | null {
  if (unit === 'ATOMS' && asset === undefined) {
    return { member: 'asset', message: 'must name the asset of the atoms, got none' }
  }
  // After a spend, the asset names the spent one.
  if (unit !== 'ATOMS' && asset !== undefined && afterSpend === undefined) {
    return { member: 'asset', message: `must be omitted with ${unit}, got ${asset}` }
  }
  const isOfUnit =
    unit === 'FLAG'
      ? typeof value === 'boolean'
      : unit === 'TEXT' || unit === 'TIME'
        ? typeof value === 'string'
        : integerOf(value) !== null
  if (isOfUnit) return null
  const form =
    unit === 'FLAG' ? 'a flag' : unit === 'TEXT' || unit === 'TIME' ? 'a text' : 'an integer'
  return { member: 'value', message: `must be ${form} with ${unit}, got ${value}` }
}

function twice<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  say: (place: number, name: string) => void,
): void {
  for (const [index, one] of all.entries()) {
    const name = nameOf(one)
    if (all.findIndex((other) => nameOf(other) === name) !== index) say(index, name)
  }
}
