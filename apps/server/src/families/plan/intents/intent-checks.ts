import type { contract } from '@liquidity-os/contract'
import { controlExpiredText, runwayAfter } from '../treasury-projections/api.ts'

type Intent = contract.IssuerIntentInput
type Study = contract.CapitalRequirementStudy
type Check = contract.IntentCheck

export interface IntentProjection {
  readonly projection: Pick<contract.TreasuryProjection, 'quoteKey' | 'scenarios'>
  readonly scenarioId: string
  /** Age of the balances in whole days. */
  readonly ageDays: number
  /** True if its evidence of controlled holdings is still valid. */
  readonly isControlLive: boolean
}

const million = 1_000_000n
const x18 = 10n ** 18n

/** A venue of an intent, with the reason why it does not match the pair, or null. */
export interface NamedVenue {
  readonly id: string
  readonly fault: string | null
}

/** Compares an intent with its study and the treasury. Exact; unknown results are marked. */
export function intentChecks(
  intent: Intent,
  study: Study,
  projected: IntentProjection | null,
  venues: readonly NamedVenue[],
): Check[] {
  return [
    completed(study),
    within('TOKEN_WITHIN_LIMIT', study.total?.token, intent.limits.maximumToken),
    within('QUOTE_WITHIN_LIMIT', study.total?.quote, intent.limits.maximumQuote),
    band(intent, study),
    ownShare(intent, study),
    venuesOfPair(venues),
    runway(intent, study, projected),
    ...intent.success.flatMap((wanted) =>
      wanted.metric === 'DEPTH_QUOTE' ? [reachable(wanted, study)] : [],
    ),
  ]
}

const say = (check: Check['check'], result: Check['result'], detail: string): Check => ({
  check,
  result,
  detail,
})
const passOrFail = (check: Check['check'], passes: boolean, detail: string) =>
  say(check, passes ? 'PASS' : 'FAIL', detail)

function completed({ computation: { completeness, gaps } }: Study): Check {
  const named = gaps.map(({ code }) => code).join(', ')
  const detail = `The study is ${completeness}${named === '' ? '' : `: ${named}`}.`
  return passOrFail('CAPITAL_COMPLETED', completeness === 'COMPLETED', detail.slice(0, 500))
}

function within(
  check: 'TOKEN_WITHIN_LIMIT' | 'QUOTE_WITHIN_LIMIT',
  needed: string | undefined,
  maximum: string,
): Check {
  if (needed === undefined) return say(check, 'INDETERMINATE', 'The study has no amount.')
  return passOrFail(
    check,
    BigInt(needed) <= BigInt(maximum),
    `It requires ${needed}; the limit is ${maximum}.`,
  )
}

function band(
  { limits: { minimumPriceX18, maximumPriceX18 } }: Intent,
  { priceX36 }: Study,
): Check {
  const check = 'BAND_HOLDS_REFERENCE'
  if (minimumPriceX18 === undefined && maximumPriceX18 === undefined) {
    return say(check, 'PASS', 'No price band is set.')
  }
  if (priceX36 === null) return say(check, 'INDETERMINATE', 'The study has no price.')
  const price = BigInt(priceX36)
  const isAbove = minimumPriceX18 === undefined || price >= BigInt(minimumPriceX18) * x18
  const isBelow = maximumPriceX18 === undefined || price <= BigInt(maximumPriceX18) * x18
  const bounds = `${minimumPriceX18 ?? '0'} to ${maximumPriceX18 ?? 'any'}`
  return passOrFail(
    check,
    isAbove && isBelow,
    `The price is ${priceX36}/10^36; the band, X18, ${bounds}.`,
  )
}

/** The issuer's share per target, rounded up; the largest counts. */
function ownShare({ limits, existingDepth }: Intent, { targets }: Study): Check {
  const check = 'OWN_SHARE_WITHIN_LIMIT'
  const maximum = BigInt(limits.maximumOwnPoolSharePips)
  if (maximum === million) return say(check, 'PASS', 'Any share is allowed.')
  if (existingDepth === undefined) {
    return say(
      check,
      'INDETERMINATE',
      'The depth of other providers is unknown. Set existingDepth.',
    )
  }
  const shares = targets.map(({ grossQuote, netQuote }) => {
    const gross = BigInt(grossQuote)
    return gross === 0n ? 0n : (BigInt(netQuote) * million + gross - 1n) / gross
  })
  const largest = shares.reduce((max, share) => (share > max ? share : max), 0n)
  return passOrFail(
    check,
    largest <= maximum,
    `It provides ${largest} pips of a target; the limit is ${maximum} pips.`,
  )
}

function venuesOfPair(venues: readonly NamedVenue[]): Check {
  const faults = venues.flatMap(({ id, fault }) => (fault ? [`${id} ${fault}`] : []))
  const detail =
    faults.length === 0 ? `${venues.length} venues are named.` : `${faults.join('; ')}.`
  return passOrFail('VENUES_OF_PAIR', faults.length === 0, detail.slice(0, 500))
}

/** Days after which the balances of a projection are too old. */
const oldestProjectionDays = 31

/** Runway after the quote is spent. */
function runway(
  { limits: { minimumRunwayMonths }, quote }: Intent,
  { total }: Study,
  projected: IntentProjection | null,
): Check {
  const check = 'RUNWAY_AFTER_SPEND'
  if (minimumRunwayMonths === 0) return say(check, 'PASS', 'No runway is required.')
  const unknown = (detail: string) => say(check, 'INDETERMINATE', detail)
  if (total === null) return unknown('The study has no amount.')
  if (projected === null)
    return unknown('No projection covers all active entries without sales of the own token.')
  const { projection, scenarioId, ageDays, isControlLive } = projected
  if (!isControlLive) return unknown(`The newest projection cannot be used. ${controlExpiredText}`)
  if (ageDays > oldestProjectionDays) {
    return unknown(
      `The newest projection is ${ageDays} days old; the limit is ${oldestProjectionDays} days.`,
    )
  }
  if (projection.quoteKey !== quote) {
    return unknown(`The newest projection is in ${projection.quoteKey}, not in ${quote}.`)
  }
  const spent = BigInt(total.quote)
  const after = runwayAfter(projection, scenarioId, spent)
  if ('fault' in after) return unknown(after.fault)
  const { months, isHorizon } = after
  if (isHorizon && months < minimumRunwayMonths) {
    return unknown(
      `Cash of proven and attested holdings lasts the ${months} months of the projection; ${minimumRunwayMonths} are required.`,
    )
  }
  const detail = `Cash of proven and attested holdings less ${spent} lasts ${months} months in ${scenarioId}; ${minimumRunwayMonths} are required.`
  return passOrFail(check, months >= minimumRunwayMonths, detail)
}

/** The depth curve increases, so depth between two points lies between their depths. */
function reachable(
  { movePips = 0, comparator, value }: Intent['success'][number],
  { curve }: Study,
): Check {
  const check = 'SUCCESS_REACHABLE'
  const depthAt = (move: number) => {
    const sides = [
      curve.find((point) => point.movePips === move)?.buyDepthQuote,
      curve.find((point) => point.movePips === -move)?.sellDepthQuote,
    ].flatMap((depth) => (depth === undefined ? [] : [BigInt(depth)]))
    if (sides.length < 2) return null
    return sides[0]! < sides[1]! ? sides[0]! : sides[1]!
  }
  const step = 10_000
  const [low, high] = [
    depthAt(Math.floor(movePips / step) * step),
    depthAt(Math.ceil(movePips / step) * step),
  ]
  if (low === null || high === null) return say(check, 'INDETERMINATE', 'The study has no curve.')
  const requested = BigInt(value)
  const between = low === high ? `${low}` : `${low} to ${high}`
  const detail = `The study gives ${between} at ${movePips} pips; ${comparator} ${requested} is required.`
  const [sure, never] =
    comparator === 'GTE'
      ? [low >= requested, high < requested]
      : [high <= requested, low > requested]
  return say(check, sure ? 'PASS' : never ? 'FAIL' : 'INDETERMINATE', detail)
}
