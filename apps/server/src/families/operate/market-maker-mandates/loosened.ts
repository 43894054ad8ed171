import type { contract, FieldErrors } from '@liquidity-os/contract'
import { isoOf, secondsOf, usualCoveragePips } from './mandate-terms.ts'

type Mandate = contract.MarketMakerMandate
type Kpi = contract.MandateKpi

/**
 * Finds loosened terms for elapsed time. Before the period starts, any change is allowed.
 * Afterwards a KPI can be tightened or added, but not loosened or removed.
 *
 * @param stood previous terms, and whether they were binding; null without earlier terms
 * @param now Unix seconds
 */
export function validateLoosened(
  stood: { readonly terms: Mandate; readonly isBinding: boolean } | null,
  next: Mandate,
  now: number,
): FieldErrors {
  const faults: Record<string, string[]> = {}
  const at = (path: string, message: string) => {
    faults[`payload.${path}`] ??= [message]
  }
  validateExclusion(stood?.terms.exclusions ?? [], next, now, at)
  if (!stood?.isBinding || secondsOf(stood.terms.period.from) >= now) return faults
  const before = stood.terms
  validateFrame(before, next, now, at)
  for (const kpi of before.kpis) {
    const itemIndex = next.kpis.findIndex((one) => one.kpiId === kpi.kpiId)
    if (itemIndex < 0) at('kpis', `must include ${kpi.kpiId}`)
    else validatePromise(kpi, next.kpis[itemIndex]!, `kpis.${itemIndex}`, at)
  }
  return faults
}

type At = (path: string, message: string) => void

/** Exclusions must be agreed before they start. A started exclusion cannot change. */
function validateExclusion(known: Mandate['exclusions'], next: Mandate, now: number, at: At): void {
  const same = (a: Mandate['exclusions'][number], b: Mandate['exclusions'][number]) =>
    a.from === b.from && a.to === b.to
  for (const [index, exclusion] of next.exclusions.entries()) {
    if (secondsOf(exclusion.from) >= now || known.some((one) => same(one, exclusion))) continue
    at(
      `exclusions.${index}.from`,
      `must be in the future (now ${isoOf(now)}), got ${exclusion.from}`,
    )
  }
  for (const exclusion of known) {
    if (secondsOf(exclusion.from) > now) continue
    if (next.exclusions.some((one) => same(one, exclusion))) continue
    at(
      'exclusions',
      `must include the exclusion from ${exclusion.from} to ${exclusion.to}, which has begun`,
    )
  }
}

function validateFrame(before: Mandate, next: Mandate, now: number, at: At): void {
  const pairOf = ({ pair }: Mandate) => JSON.stringify(Object.entries(pair).sort())
  if (pairOf(before) !== pairOf(next)) at('pair', 'must not change')
  if (next.samplingSeconds > before.samplingSeconds) {
    at('samplingSeconds', `must be at most ${before.samplingSeconds}, got ${next.samplingSeconds}`)
  }
  if (next.period.from !== before.period.from) {
    at('period.from', `must remain ${before.period.from}, got ${next.period.from}`)
  }
  const earliest = Math.min(now, secondsOf(before.period.to))
  if (secondsOf(next.period.to) < earliest) {
    at('period.to', `must be at least ${isoOf(earliest)}, got ${next.period.to}`)
  }
  const keysOf = ({ venues }: Mandate) =>
    venues
      .map(({ venueKey }) => venueKey)
      .sort()
      .join(', ')
  if (keysOf(before) !== keysOf(next)) {
    at('venues', `must remain ${keysOf(before)}, got ${keysOf(next)}`)
  }
}

const fixed = ['metric', 'venueKey', 'side', 'comparator', 'window'] as const

function validatePromise(before: Kpi, next: Kpi, path: string, at: At): void {
  for (const member of fixed) {
    if (before[member] === next[member]) continue
    at(`${path}.${member}`, `must remain ${before[member]}, got ${next[member]}`)
  }
  const isAtLeast = before.comparator === 'GTE'
  const [was, is] = [BigInt(before.threshold), BigInt(next.threshold)]
  if (isAtLeast ? is < was : is > was) {
    at(`${path}.threshold`, `must be at ${isAtLeast ? 'least' : 'most'} ${was}, got ${is}`)
  }
  validateBand(before, next, path, at)
  const coverage = before.minimumCoveragePips ?? usualCoveragePips
  const nextCoverage = next.minimumCoveragePips ?? usualCoveragePips
  if (nextCoverage < coverage) {
    at(`${path}.minimumCoveragePips`, `must be at least ${coverage}, got ${nextCoverage}`)
  }
}

/** For a minimum, a narrower band and a larger size are stricter. */
function validateBand(before: Kpi, next: Kpi, path: string, at: At): void {
  const isAtLeast = before.comparator === 'GTE'
  const [band, nextBand] = [before.bandPips ?? 0, next.bandPips ?? 0]
  if (isAtLeast ? nextBand > band : nextBand < band) {
    at(`${path}.bandPips`, `must be at ${isAtLeast ? 'most' : 'least'} ${band}, got ${nextBand}`)
  }
  const [size, nextSize] = [BigInt(before.sizeQuote ?? 0), BigInt(next.sizeQuote ?? 0)]
  if (isAtLeast ? nextSize < size : nextSize > size) {
    at(`${path}.sizeQuote`, `must be at ${isAtLeast ? 'least' : 'most'} ${size}, got ${nextSize}`)
  }
}
