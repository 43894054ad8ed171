import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Proposal } from '../../../market/proposals/agreed-packets.ts'
import type { Metric } from './compare-metrics.ts'

type Payload = contract.ProposalWorkspace

export interface MetricContext {
  readonly pair: contract.QualifiedVault['pair']
  readonly safe: string
  /** Quote atoms per base atom, times 10^36; null without an admissible price. */
  readonly priceX36: bigint | null
  /** The existing versions of its sources. */
  readonly sources: readonly VersionedRecord[]
  readonly now: number
}

const x36 = 10n ** 36n
const million = 1_000_000n

type Found = { readonly value: bigint } | { readonly reason: string }
const none = (reason: string): Found => ({ reason })
const value = (of: bigint): Found => ({ value: of })

/** All metrics of a proposal. An unknown metric has a reason instead of a value. */
export function metricsOf({ payload }: Proposal, context: MetricContext): Metric[] {
  const effects = effectsOf(payload, context)
  return [
    metric(['costQuote', 'QUOTE_ATOMS', 'LOWER'], costOf(effects, context)),
    metric(['minimumOut', 'ATOMS', 'HIGHER'], minimumOutOf(payload)),
    metric(['priceImpactPips', 'PIPS', 'LOWER'], impactOf(effects, context)),
    metric(['gasUnits', 'GAS', 'LOWER'], gasOf(payload)),
    metric(['turnoverPips', 'PIPS', 'LOWER'], turnoverOf(payload)),
    metric(['smallestMarginPips', 'PIPS', 'HIGHER'], marginOf(payload)),
    metric(['exposureAfterPips', 'PIPS', 'NEITHER'], exposureOf(payload, effects, context)),
    metric(['irreversibleCalls', 'COUNT', 'LOWER'], value(irreversibleOf(payload, context))),
    metric(['blockFlags', 'COUNT', 'LOWER'], value(flagsOf(payload, 'BLOCK'))),
    metric(['warnFlags', 'COUNT', 'LOWER'], value(flagsOf(payload, 'WARN'))),
    metric(['oldestSourceSeconds', 'SECONDS', 'LOWER'], ageOf(context)),
  ]
}

function metric(
  [metricId, unit, better]: readonly [Metric['metricId'], Metric['unit'], Metric['better']],
  found: Found,
): Metric {
  return 'value' in found
    ? { metricId, unit, better, value: `${found.value}`, reason: null }
    : { metricId, unit, better, value: null, reason: found.reason }
}

/** Simulated changes of base and quote; null if unknown, or if other assets move. */
function effectsOf(
  { simulation: { effects } }: Payload,
  { pair }: MetricContext,
): { readonly base: bigint; readonly quote: bigint } | null {
  if (effects === null) return null
  const of = (token: string) =>
    effects.reduce(
      (sum, { asset, delta }) =>
        asset.toLowerCase() === token.toLowerCase() ? sum + BigInt(delta) : sum,
      0n,
    )
  const isOther = effects.some(
    ({ asset, delta }) =>
      delta !== '0' &&
      ![pair.base, pair.quote].some((token) => token.toLowerCase() === asset.toLowerCase()),
  )
  return isOther ? null : { base: of(pair.base), quote: of(pair.quote) }
}

const notPair = 'The simulation does not show the effects, or an asset outside the pair moves.'
const noPrice = 'No feed reported a price of the pair in the last day.'

/** −(Δquote + Δbase · price), rounded up: the loss of vault value. */
function costOf(effects: ReturnType<typeof effectsOf>, { priceX36 }: MetricContext): Found {
  if (effects === null) return none(notPair)
  if (effects.base !== 0n && priceX36 === null) return none(noPrice)
  return value(-effects.quote + ceil(-effects.base * (priceX36 ?? 0n), x36))
}

const ceil = (numerator: bigint, denominator: bigint) => {
  const floor = numerator / denominator
  return numerator > 0n && numerator % denominator !== 0n ? floor + 1n : floor
}

/** The minimum output of the only swap of a proposal. */
function minimumOutOf({ packets }: Payload): Found {
  const swaps = packets
    .flatMap(({ decodedCalls }) => decodedCalls)
    .flatMap(({ arguments: args }) => {
      const text = (args ?? []).map(({ name, value: one }) => `${name}: ${one}`).join(', ')
      const found = /amountOutMin(?:imum)?: ([0-9]+)/.exec(text)?.[1]
      return found === undefined ? [] : [BigInt(found)]
    })
  const [only] = swaps
  if (only === undefined || swaps.length > 1) {
    return none(`It has ${swaps.length} calls with a minimum output. Only one can be compared.`)
  }
  return value(only)
}

/**
 * 1 − execution price / mid price, from the trader's side, in pips rounded up; negative for a gain.
 */
function impactOf(effects: ReturnType<typeof effectsOf>, { priceX36 }: MetricContext): Found {
  if (effects === null) return none(notPair)
  const { base, quote } = effects
  const isTrade = (base > 0n && quote < 0n) || (base < 0n && quote > 0n)
  if (!isTrade) return none('It does not trade one token of the pair for the other.')
  if (priceX36 === null) return none(noPrice)
  const worth = (base < 0n ? -base : base) * priceX36
  const paid = (quote < 0n ? -quote : quote) * x36
  const lost = base < 0n ? worth - paid : paid - worth
  const against = base < 0n ? worth : paid
  return against === 0n ? none('It trades no value.') : value(ceil(lost * million, against))
}

function gasOf({ simulation: { packets } }: Payload): Found {
  const known = packets.flatMap(({ gasUsed }) => (gasUsed === null ? [] : [BigInt(gasUsed)]))
  return known.length === packets.length
    ? value(known.reduce((sum, one) => sum + one, 0n))
    : none('Some packets could not be simulated.')
}

const rulesOf = ({ packets }: Payload) =>
  packets.flatMap(({ policyCheck }) => policyCheck?.rules ?? [])
const noPolicy = 'No policy of the vault applies.'

/**
 * Daily turnover including this packet as a share of the cap, millionths rounded up, by rule R09 of
 * its last packet.
 */
function turnoverOf(payload: Payload): Found {
  const rule = rulesOf(payload).findLast(({ ruleId }) => ruleId === 'R09')
  if (!rule) return none(noPolicy)
  const { observed, limit } = rule
  if (observed === null || limit === null || limit === '0') {
    return none('An asset that moved has no value in the quote, or the cap is missing or zero.')
  }
  return value(ceil(BigInt(observed) * million, BigInt(limit)))
}

/**
 * Smallest remaining margin under the amount and slippage limits, as a share of the limit, rounded
 * down.
 */
function marginOf(payload: Payload): Found {
  const rules = rulesOf(payload).filter(({ ruleId }) => ['R08', 'R09', 'R10'].includes(ruleId))
  if (rules.length === 0) return none(noPolicy)
  const shares = rules.flatMap(({ margin, limit }) =>
    margin === null || limit === null || limit === '0'
      ? []
      : [floor(BigInt(margin) * million, BigInt(limit))],
  )
  if (shares.length < rules.length) return none('Some limits could not be checked.')
  return value(shares.reduce((min, one) => (one < min ? one : min)))
}

const floor = (numerator: bigint, denominator: bigint) => -ceil(-numerator, denominator)

/** Base as a share of the Safe's pair holdings after execution, in pips rounded down. */
function exposureOf(
  { simulation: { balances } }: Payload,
  effects: ReturnType<typeof effectsOf>,
  { pair, priceX36 }: MetricContext,
): Found {
  if (effects === null) return none(notPair)
  if (priceX36 === null) return none(noPrice)
  const held = (token: string) =>
    balances.find(({ asset }) => asset.toLowerCase() === token.toLowerCase())?.before
  const [base, quote] = [held(pair.base), held(pair.quote)]
  if (base === undefined || quote === undefined) return none('The balances could not be read.')
  const worth = ((BigInt(base) + effects.base) * priceX36) / x36
  const whole = worth + BigInt(quote) + effects.quote
  return whole <= 0n ? none('No value of the pair remains.') : value((worth * million) / whole)
}

/**
 * Number of calls that transfer assets out without consideration, or change control of the Safe.
 */
function irreversibleOf({ packets, action }: Payload, { safe }: MetricContext): bigint {
  if (action.actionType === 'OWNER_CHANGE') {
    return BigInt(packets.flatMap(({ decodedCalls }) => decodedCalls).length)
  }
  const sent = packets
    .flatMap(({ decodedCalls }) => decodedCalls)
    .filter(
      ({ readBy, functionName, arguments: args }) =>
        readBy === 'COIN' ||
        (functionName === 'transfer' &&
          args?.find(({ name }) => name === 'to')?.value.toLowerCase() !== safe.toLowerCase()),
    )
  return BigInt(sent.length)
}

const flagsOf = ({ flags }: Payload, severity: 'BLOCK' | 'WARN') =>
  BigInt(new Set(flags.filter((flag) => flag.severity === severity).map(({ code }) => code)).size)

function ageOf({ sources, now }: MetricContext): Found {
  if (sources.length === 0) return none('The proposal has no sources.')
  const oldest = Math.min(...sources.map(({ createdAt }) => Date.parse(createdAt)))
  return value(BigInt(Math.max(0, Math.floor((now - oldest) / 1000))))
}
