import type { Market, Orientation } from '../amm/market.ts'
import { type JsonSafe, toJsonSafe } from '../amm/market-json.ts'
import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import { quoteValue } from '../depth/value.ts'
import type { MarketSession } from '../montecarlo/market-session.ts'
import { openSession } from '../montecarlo/open-session.ts'
import { checkStrategy, type StrategyError, swaps } from './check-strategy.ts'
import type { RangeTemplate, StrategyDefinition } from './definition.ts'
import { countOf, layRanges, type Place, TICKS_PER_LN } from './lay-ranges.ts'
import { LowerPipsError } from './range-edges.ts'
import { shareOut, type WeighedRange, wantsOf } from './share-out.ts'

export interface CompilationContext {
  readonly market: Market
  readonly orientation: Orientation
  /** Standard deviation of ln price per root of a second; null when it is not known. */
  readonly volatility: number | null
  /** Largest worth the venue is allowed, quote atoms. */
  readonly maxCapitalQuote?: bigint | null
  /** Fees that the capital is expected to earn in a day, quote atoms. */
  readonly expectedFeesQuotePerDay?: bigint | null
}

/** A position as it would be minted now with the whole capital. */
export interface PositionPreview {
  readonly positionId: string
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly base: bigint
  readonly quote: bigint
}

/** Maximum daily activity of a strategy; null if unbounded. */
export interface StrategyBounds {
  readonly actionsPerDay: number
  readonly turnoverQuotePerDay: bigint | null
  readonly gasQuotePerDay: bigint | null
  readonly maxPositions: number
}

export interface StrategyWarning {
  readonly code:
    | 'OVERLAPPING_RANGES'
    | 'RANGE_BELOW_DAILY_SIGMA'
    | 'GAS_ABOVE_FEES'
    | 'VOLATILITY_UNKNOWN'
    | 'RECENTER_ONE_SIDED'
  readonly detail: string
}

export interface CompilationReport {
  readonly checks: readonly {
    readonly code: string
    readonly ok: boolean
    readonly detail: string
  }[]
  readonly preview: readonly PositionPreview[]
  readonly bounds: StrategyBounds
  readonly requiredAdapters: readonly string[]
  readonly requiredData: readonly string[]
  readonly warnings: readonly StrategyWarning[]
}

export type Compilation = (
  | { readonly ok: true; readonly definition: StrategyDefinition; readonly ir: JsonSafe }
  | { readonly ok: false; readonly errors: readonly StrategyError[] }
) & { readonly report: CompilationReport }

/**
 * Compiles a definition against a market: checks it, aligns its ranges to the ticks, previews the exact mint,
 * and bounds the worst day.
 *
 * `ir` is the definition in its one form as JSON; what hashes to the same is the same strategy.
 */
export function compileStrategy(
  definition: StrategyDefinition,
  context: CompilationContext,
): Compilation {
  const session = openSession(context.market, context.orientation)
  const laid = lay(definition, context, session)
  const errors = [
    ...checkStrategy(definition),
    ...laid.errors,
    ...capitalErrors(definition, context, session),
  ]
  const shown = errors.length > 0 ? [] : preview(definition, session, laid.ranges)
  errors.push(...capacityErrors(shown, context))
  const bounds = boundsOf(definition)
  const report: CompilationReport = {
    checks: checksOf(errors),
    preview: errors.length > 0 ? [] : shown,
    bounds,
    requiredAdapters: adaptersOf(definition, context.market),
    requiredData: dataOf(definition),
    warnings: warningsOf(definition, context, laid, bounds),
  }
  if (errors.length > 0) return { ok: false, errors, report }
  return {
    ok: true,
    definition,
    ir: toJsonSafe({ irVersion: 'strategy-ir-2', ...definition }),
    report,
  }
}

interface Laid {
  readonly ranges: WeighedRange[]
  readonly unknown: string[]
  readonly errors: StrategyError[]
}

/** Computes ranges for every template at the current market, including templates in rules. */
function lay(
  { positions, rules }: StrategyDefinition,
  { orientation, volatility }: CompilationContext,
  session: MarketSession,
): Laid {
  const grid = session.grid()
  const laid: Laid = { ranges: [], unknown: [], errors: [] }
  const place: Place | null = grid && { ...grid, orientation, volatility: () => volatility }
  const tryOne = (template: RangeTemplate, path: string) => {
    if (place === null) {
      if (template.kind === 'FULL_RANGE') return [{ tickLower: 0, tickUpper: 0 }]
      const message = `a market without ranges supports only FULL_RANGE, got ${template.kind}`
      laid.errors.push({ path, code: 'TICK_RANGE', message })
      return []
    }
    try {
      const ranges = layRanges(template, place)
      if (ranges === null) laid.unknown.push(path)
      return ranges ?? []
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const at = error instanceof LowerPipsError ? `${path}.${error.member}` : path
      laid.errors.push({ path: at, code: 'TICK_RANGE', message: error.message })
      return []
    }
  }
  for (const [index, { positionId, weightPips, template }] of positions.entries()) {
    const ranges = tryOne(template, `positions.${index}.template`)
    for (const range of ranges) {
      laid.ranges.push({ positionId, weightPips, range, rungs: ranges.length })
    }
  }
  for (const [index, rule] of rules.entries()) {
    if (rule.do.kind !== 'RESHAPE') continue
    for (const [place, { template }] of rule.do.templates.entries()) {
      tryOne(template, `rules.${index}.do.templates.${place}.template`)
    }
  }
  return laid
}

function preview(
  { capital }: StrategyDefinition,
  session: MarketSession,
  ranges: readonly WeighedRange[],
): PositionPreview[] {
  const held = { base: capital.maxBase, quote: capital.maxQuote }
  const price = session.mid()
  const worth = quoteValue(held.base, price) + held.quote
  const funds = shareOut(held, wantsOf(session, ranges, worth, price))
  return ranges.map(({ positionId, range }, index) => {
    const liquidity = session.liquidityFor(range, funds[index] ?? { base: 0n, quote: 0n })
    return { positionId, ...range, liquidity, ...session.costOf(range, liquidity) }
  })
}

function capitalErrors(
  { capital }: StrategyDefinition,
  { maxCapitalQuote = null }: CompilationContext,
  session: MarketSession,
): StrategyError[] {
  const worth = quoteValue(capital.maxBase, session.mid()) + capital.maxQuote
  if (worth === 0n) {
    const message = 'a strategy requires positive capital'
    return [{ path: 'capital', code: 'CAPITAL_EXCEEDS_CAPS', message }]
  }
  if (maxCapitalQuote === null || worth <= maxCapitalQuote) return []
  const message = `has a current value of ${worth}, above the venue cap of ${maxCapitalQuote}`
  return [{ path: 'capital', code: 'CAPITAL_EXCEEDS_CAPS', message }]
}

/** A pool has a maximum liquidity per tick. */
function capacityErrors(
  shown: readonly PositionPreview[],
  { market }: CompilationContext,
): StrategyError[] {
  if (market.kind !== 'UNISWAP_V3') return []
  const { maxLiquidityPerTick: most } = market
  const over = shown.find(({ liquidity }) => liquidity > most)
  if (over === undefined) return []
  const message = `${over.positionId} needs a liquidity of ${over.liquidity}, above the pool limit per tick of ${most}`
  return [{ path: 'capital', code: 'CAPITAL_EXCEEDS_CAPS', message }]
}

/** Actions per day: the sum over rules, capped by the guard for all rules. */
function boundsOf({ rules, guards, positions }: StrategyDefinition): StrategyBounds {
  const times = ({ maxPerDay, cooldownSeconds }: { maxPerDay: number; cooldownSeconds: number }) =>
    cooldownSeconds > 0 ? Math.min(maxPerDay, Math.ceil(DAY_SECONDS / cooldownSeconds)) : maxPerDay
  const allowed = rules.reduce((sum, rule) => sum + times(rule), 0)
  const { minSecondsBetweenActions: pause, maxGasQuotePerAction: gas } = guards
  const actionsPerDay = pause > 0 ? Math.min(allowed, Math.ceil(DAY_SECONDS / pause)) : allowed
  const count = (templates: readonly RangeTemplate[]) =>
    templates.reduce((sum, template) => sum + countOf(template), 0)
  const reshaped = rules.flatMap(({ do: action }) =>
    action.kind === 'RESHAPE' ? [count(action.templates.map(({ template }) => template))] : [],
  )
  const laid = Math.max(count(positions.map(({ template }) => template)), ...reshaped)
  const isSplit = rules.some(({ do: action }) => action.kind === 'TO_SINGLE_SIDED')
  return {
    actionsPerDay,
    turnoverQuotePerDay: rules.some((rule) => swaps(rule.do)) ? guards.maxTurnoverQuotePerDay : 0n,
    gasQuotePerDay: actionsPerDay === 0 ? 0n : gas === null ? null : gas * BigInt(actionsPerDay),
    maxPositions: isSplit ? 2 * laid : laid,
  }
}

const checkCodes = [
  'WEIGHTS_SUM',
  'INVENTORY_BOUNDS',
  'TICK_RANGE',
  'RULE_CYCLE',
  'UNREACHABLE_RULE',
  'UNBOUNDED_TURNOVER',
  'GUARD_MISSING',
  'CAPITAL_EXCEEDS_CAPS',
] as const

function checksOf(errors: readonly StrategyError[]) {
  return checkCodes.map((code) => {
    const found = errors.find((error) => error.code === code)
    return { code, ok: !found, detail: found ? `${found.path}: ${found.message}` : 'passed' }
  })
}

function adaptersOf({ rules }: StrategyDefinition, market: Market): string[] {
  const isV3 = market.kind === 'UNISWAP_V3'
  const swapsAny = rules.some((rule) => swaps(rule.do))
  if (!isV3) return ['UNISWAP_V2_ROUTER']
  return ['UNISWAP_V3_POSITION_MANAGER', ...(swapsAny ? ['UNISWAP_V3_ROUTER'] : [])]
}

function dataOf({ rules, positions, guards }: StrategyDefinition): string[] {
  const needed = new Set(['FINALIZED_STATE'])
  const kinds = rules.flatMap((rule) => [rule.when, ...(rule.all ?? [])].map(({ kind }) => kind))
  if (positions.some(({ template }) => template.kind === 'VOL_SCALED')) needed.add('PRICE_HISTORY')
  if (kinds.includes('VOL_RATIO')) needed.add('PRICE_HISTORY')
  if (kinds.includes('DEPTH_BELOW')) needed.add('TICKS')
  if (kinds.includes('FEES_ABOVE')) needed.add('POSITION_FEES')
  if (guards.maxTwapDeviationPips !== null) needed.add('TWAP')
  return [...needed].sort()
}

function warningsOf(
  definition: StrategyDefinition,
  { volatility, expectedFeesQuotePerDay = null }: CompilationContext,
  { ranges, unknown }: Laid,
  { gasQuotePerDay }: StrategyBounds,
): StrategyWarning[] {
  const warnings: StrategyWarning[] = unknown.map((path) => ({
    code: 'VOLATILITY_UNKNOWN',
    detail: `${path} scales with the volatility of the price, which is unknown here`,
  }))
  const narrow = ranges.filter(({ positionId }) => {
    const kind = definition.positions.find((plan) => plan.positionId === positionId)?.template.kind
    return kind !== 'FULL_RANGE'
  })
  for (const [index, a] of narrow.entries()) {
    const b = narrow.slice(index + 1).find((other) => overlap(a.range, other.range))
    if (b) {
      const detail = `${a.positionId} and ${b.positionId} cover the same prices`
      warnings.push({ code: 'OVERLAPPING_RANGES', detail })
    }
  }
  const sigma = volatility === null ? null : volatility * Math.sqrt(DAY_SECONDS)
  for (const { positionId, range } of narrow) {
    const width = (range.tickUpper - range.tickLower) / TICKS_PER_LN
    if (sigma !== null && width < sigma) {
      const detail = `${positionId} is ${pips(width)} pips wide; the daily volatility is ${pips(sigma)} pips`
      warnings.push({ code: 'RANGE_BELOW_DAILY_SIGMA', detail })
    }
  }
  for (const { ruleId, when, all = [], do: action } of definition.rules) {
    const isLeft = [when, ...all].some(({ kind }) => kind === 'OUT_OF_RANGE')
    if (!isLeft || action.kind !== 'RECENTER' || action.swap) continue
    const detail = `${ruleId}: out of range, a position holds one token, but a range around the price requires both; without a swap, almost no capital is redeployed`
    warnings.push({ code: 'RECENTER_ONE_SIDED', detail })
  }
  if (gasQuotePerDay !== null && expectedFeesQuotePerDay !== null) {
    if (gasQuotePerDay > expectedFeesQuotePerDay) {
      const detail = `gas of up to ${gasQuotePerDay} a day exceeds expected fees of ${expectedFeesQuotePerDay}`
      warnings.push({ code: 'GAS_ABOVE_FEES', detail })
    }
  }
  return warnings
}

const pips = (ln: number) => Math.round(ln * 1_000_000)

function overlap(
  a: { tickLower: number; tickUpper: number },
  b: { tickLower: number; tickUpper: number },
): boolean {
  return a.tickLower < b.tickUpper && b.tickLower < a.tickUpper
}
