import type { Orientation } from '../../amm/market.ts'
import { integerSquareRoot } from '../../arithmetic/integer.ts'
import { RECOVERY_SECONDS, SHOCK_BAND_PIPS } from '../../measures/shock-recovery.ts'
import type { MonteCarloArm } from '../arms.ts'
import type { FailureRule } from '../failure.ts'
import { type RunConfig, sampledSteps, sampleTerms } from '../run-path.ts'
import type { PathMemory } from './path-memory.ts'
import type { PathsExports } from './paths-module.ts'

const MILLION = 1_000_000n
/** As `assembly/paths/trades.ts`. */
export const BAND = { side: 32, times: 24, over: 28, kept: 64, bytes: 72 }
/** As `assembly/paths/samples.ts`. */
const RULE = {
  allowed: 32,
  broken: 40,
  first: 48,
  kind: 56,
  place: 60,
  side: 64,
  bytes: 72,
}
const RULE_KINDS = [
  'DEPTH_BELOW',
  'SLIPPAGE_ABOVE',
  'OUT_OF_RANGE',
  'QUOTE_BELOW',
  'BASE_SHARE_ABOVE',
  'LOSS_VS_HOLD',
  'DRAWDOWN',
  'PRICE_BELOW',
] satisfies FailureRule['kind'][]
const MARK = { sample: 1, measured: 2, kept: 4 }

const isPips = (value: number) => Number.isInteger(value) && value >= 0 && value < 2 ** 31

/** Whether bands, sizes and rules are ones that the compiled engine can look at. */
export function areSamplesHeld(cfg: RunConfig): boolean {
  const { bandsPips, failure, sampleEverySteps, tradeSizesQuote = [] } = cfg
  const areRules = failure.every(
    (rule) =>
      (!('pips' in rule) || isPips(rule.pips)) && (!('maxPips' in rule) || isPips(rule.maxPips)),
  )
  const isEvery = Number.isInteger(sampleEverySteps) && sampleEverySteps > 0
  return isEvery && areRules && bandsPips.every(isBand) && areQuotesHeld(tradeSizesQuote, failure)
}

/** Whether sizes, and the sizes and bands of rules, are ones that the compiled engine can quote. */
export function areQuotesHeld(sizes: readonly bigint[], rules: readonly FailureRule[]): boolean {
  const { sizesQuote, bandsPips } = askedQuotes(sizes, rules)
  return sizesQuote.every((size) => size >= 0n) && bandsPips.every(isBand)
}

/** Sizes with requested slippage, and bands in depth rules, without duplicates. */
export function askedQuotes(sizes: readonly bigint[], rules: readonly FailureRule[]) {
  const asked = rules.flatMap((rule) => ('sizeQuote' in rule ? [rule.sizeQuote] : []))
  const watched = rules.flatMap((rule) => ('bandPips' in rule ? [rule.bandPips] : []))
  return { sizesQuote: [...new Set([...sizes, ...asked])], bandsPips: [...new Set(watched)] }
}

function isBand(pips: number): boolean {
  return Number.isInteger(pips) && pips >= 1 && pips < 1_000_000
}

/** Sizes and addresses of samples. */
export interface SampleLayout {
  readonly bandsPips: readonly number[]
  readonly sizes: readonly bigint[]
  readonly rules: number
  readonly measured: number
}

/**
 * Lays out what is sampled of one arm, and writes its bands, sizes, rules and marked steps.
 *
 * @param worth of the capital at the start, quote atoms
 */
export function laySamples(
  x: PathsExports,
  memory: PathMemory,
  cfg: RunConfig,
  steps: number,
  arm: MonteCarloArm,
  worth: bigint,
): SampleLayout {
  const { bandsPips, tradeSizesQuote, failure, horizonSeconds, ...terms } = sampleTerms(
    cfg,
    steps,
    arm,
  )
  const watched = failure.flatMap((rule) => (rule.kind === 'DEPTH_BELOW' ? [rule.bandPips] : []))
  // Reported bands come first, without duplicates, in the order of the TypeScript recorder.
  const bands = [...new Set([...bandsPips, ...watched])]
  const marked = [0, ...sampledSteps(cfg, steps)]
  const measured = marked.filter((step) => terms.measuredSteps.has(step)).length
  const isWatched = watched.length > 0 ? 1 : 0
  const { length: rules } = failure
  const { length: kept } = terms.keptSteps
  x.setSamples(rules, bands.length, tradeSizesQuote.length, measured, kept, isWatched)
  x.setTarget(terms.target?.pips ?? -1, terms.target?.tolerancePips ?? 0)
  for (const [index, band] of bands.entries()) {
    const at = x.bands() + index * BAND.bytes
    writeBand(memory, at, band, cfg.orientation)
    memory.writeNumber(at + BAND.kept, bandsPips.includes(band) ? 1 : 0)
  }
  for (const [index, size] of tradeSizesQuote.entries()) {
    memory.writeSigned(x.sizes() + 32 * index, size)
  }
  for (const [index, rule] of failure.entries()) {
    const allowed =
      'timeSharePips' in rule ? (rule.timeSharePips * (horizonSeconds ?? 0)) / 1e6 : -1
    writeRule(memory, x.rules() + index * RULE.bytes, { rule, allowed, bands, worth })
  }
  const keptSteps = new Set(terms.keptSteps)
  const { bytes } = memory
  for (const step of marked) {
    bytes[x.marks() + step] =
      MARK.sample |
      (terms.measuredSteps.has(step) ? MARK.measured : 0) |
      (keptSteps.has(step) ? MARK.kept : 0)
  }
  return { bandsPips: [...new Set(bandsPips)], sizes: tradeSizesQuote, rules, measured }
}

/** Writes the shock band and the delays after a shock. @param followed maximum tracked shocks */
export function layShocks(
  x: PathsExports,
  memory: PathMemory,
  orientation: Orientation,
  followed: number,
): void {
  const waits = x.openShocks(followed)
  memory.floats.set(RECOVERY_SECONDS, waits >> 3)
  writeBand(memory, x.SHOCK_BAND.value, SHOCK_BAND_PIPS, orientation)
}

/**
 * Writes the square roots of the band factors for the pool price, times 2^160. The factors are
 * inverted if the base is token1.
 */
export function writeBand(memory: PathMemory, at: number, pips: number, o: Orientation): void {
  for (const [side, change] of [pips, -pips].entries()) {
    const factor = MILLION + BigInt(change)
    const [times, over] = o.base === 0 ? [factor, MILLION] : [MILLION, factor]
    const place = at + side * BAND.side
    memory.write192(place, integerSquareRoot((times << 320n) / over))
    memory.writeNumber(place + BAND.times, Number(times))
    memory.writeNumber(place + BAND.over, Number(over))
  }
}

interface PlacedRule {
  readonly rule: FailureRule
  /** Seconds that it may be broken; below zero for a rule that breaks at once. */
  readonly allowed: number
  readonly bands: readonly number[]
  readonly worth: bigint
}

function writeRule(memory: PathMemory, at: number, placed: PlacedRule): void {
  const { rule, allowed } = placed
  const { limit, place } = limitOf(placed)
  memory.writeSigned(at, limit)
  memory.floats[(at + RULE.allowed) >> 3] = allowed
  memory.writeNumber(at + RULE.kind, RULE_KINDS.indexOf(rule.kind))
  memory.writeNumber(at + RULE.place, place)
  memory.writeNumber(at + RULE.side, 'side' in rule && rule.side === 'SELL' ? 1 : 0)
}

/** Threshold of a rule. Shares of the capital are converted to amounts, rounded down. */
function limitOf({ rule, bands, worth }: PlacedRule): { limit: bigint; place: number } {
  const share = (pips: number) => (BigInt(pips) * worth) / MILLION
  switch (rule.kind) {
    case 'DEPTH_BELOW':
      return { limit: rule.minQuote, place: bands.indexOf(rule.bandPips) }
    case 'SLIPPAGE_ABOVE':
      return { limit: rule.sizeQuote, place: rule.maxPips }
    case 'OUT_OF_RANGE':
      return { limit: 0n, place: 0 }
    case 'QUOTE_BELOW':
      return { limit: rule.minQuote, place: 0 }
    case 'BASE_SHARE_ABOVE':
      return { limit: 0n, place: rule.pips }
    case 'LOSS_VS_HOLD':
      return { limit: -share(rule.pips), place: 0 }
    case 'DRAWDOWN':
      return { limit: share(rule.pips), place: 0 }
    case 'PRICE_BELOW':
      return { limit: rule.priceX18, place: 0 }
  }
}

/** When each rule broke first, and how long it was broken. */
export function readRules(x: PathsExports, { floats }: PathMemory, rules: number) {
  const at = (rule: number, field: number) => floats[(x.rules() + rule * RULE.bytes + field) >> 3]!
  const places = Array.from({ length: rules }, (_, rule) => rule)
  return {
    failedAt: places.map((rule) => secondsOrNull(at(rule, RULE.first))),
    brokenSeconds: places.map((rule) => at(rule, RULE.broken)),
  }
}

/** A moment, which is below zero where it never came. */
export function secondsOrNull(seconds: number): number | null {
  return seconds < 0 ? null : seconds
}
