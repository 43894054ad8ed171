import type { contract } from '@liquidity-os/contract'
import { daySeconds } from '../../../../units.ts'
import { type Offer, unitPriceX36 } from './offer.ts'
import type { OfferFacts, SettlementFacts } from './read-offers.ts'

type Check = contract.QuoteCheck
type Request = Pick<
  contract.QuoteRequest,
  'requestHash' | 'taker' | 'sellToken' | 'buyToken' | 'side' | 'makers' | 'pair'
>

export interface Checking {
  readonly request: Request
  /** Unix seconds. */
  readonly now: number
  readonly settlement: SettlementFacts
  readonly facts: OfferFacts
  /** Amount of the token that the market maker has committed in other live quotes here. */
  readonly promised: bigint
  /** Id of the quote that already uses the nonce. */
  readonly nonceHolder: string | null
  /** Price from a feed, in quote atoms per base atom times 10^36; null if none is available. */
  readonly referenceX36: bigint | null
  readonly band: { readonly minX18: bigint | null; readonly maxX18: bigint | null }
}

/**
 * Deviation from the reference above which a quote is rejected, and above which it gets a warning.
 */
const refusedPips = 100_000n
const warnedPips = 20_000n
const million = 1_000_000n
const x18 = 10n ** 18n

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const check = (code: Check['code'], outcome: Check['outcome'], detail: string): Check => ({
  code,
  outcome,
  detail,
})
const verdict = (code: Check['code'], holds: boolean, held: string, not: string): Check =>
  check(code, holds ? 'PASS' : 'FAIL', holds ? held : not)

/** All checks of a quote, in order. A failed check rejects it. */
export const checksOf = (offer: Offer, checking: Checking): Check[] => [
  typedHash(offer, checking),
  verdict(
    'SIGNATURE',
    checking.facts.signatureFault === null,
    'The market maker signed this quote.',
    `The signature ${checking.facts.signatureFault}.`,
  ),
  maker(offer, checking),
  ...movingChecks(offer, checking),
  amounts(offer),
  offer.firm
    ? check('FIRM', 'PASS', 'The quote is firm.')
    : check(
        'FIRM',
        'WARN',
        'The market maker has last look. A plan uses the quote only if the request allows last look.',
      ),
]

/** Time-dependent checks. */
export const movingChecks = (offer: Offer, checking: Checking): Check[] => [
  windowCheck(offer, checking),
  nonce(offer, checking),
  funded(offer, checking),
  price(offer, checking),
]

function typedHash(offer: Offer, { request, settlement }: Checking): Check {
  const faults = [
    ...(offer.requestHash === request.requestHash
      ? []
      : [`is for request ${offer.requestHash}, must be for ${request.requestHash}`]),
    ...(offer.taker === null || same(offer.taker, request.taker)
      ? []
      : [`is for ${offer.taker}, must be for ${request.taker}`]),
    ...(same(offer.sellToken, request.sellToken)
      ? []
      : [`takes ${offer.sellToken}, must take ${request.sellToken}`]),
    ...(same(offer.buyToken, request.buyToken)
      ? []
      : [`gives ${offer.buyToken}, must give ${request.buyToken}`]),
    ...(offer.signed.kind === 'GPV2_ORDER' && !settlement.isGpv2
      ? [
          'is a GPv2 order, but the settlement contract of the request is not a GPv2 contract on this chain',
        ]
      : []),
  ]
  const problemText = faults.map((fault) => `It ${fault}.`).join(' ')
  return verdict('TYPED_HASH', faults.length === 0, `Its hash is ${offer.quoteHash}.`, problemText)
}

function maker({ maker: who }: Offer, { request: { makers, taker } }: Checking): Check {
  if (same(who, taker)) return check('MAKER', 'FAIL', 'The vault cannot be its own maker.')
  const isAllowed = makers === undefined || makers.some((one) => same(one, who))
  return verdict(
    'MAKER',
    isAllowed,
    `${who} may quote.`,
    `${who} is not among the requested market makers.`,
  )
}

function windowCheck({ validFrom, validUntil }: Offer, { now }: Checking): Check {
  const windowText = `${validFrom} to ${validUntil}, now ${now}`
  const holds = validFrom <= now && now < validUntil && validUntil <= now + daySeconds
  return verdict(
    'WINDOW',
    holds,
    `It is valid now: ${windowText}.`,
    `It must be valid now and expire within a day: ${windowText}.`,
  )
}

function nonce({ orderUid }: Offer, { nonceHolder, facts: { filled } }: Checking): Check {
  if (nonceHolder !== null) return check('NONCE', 'FAIL', `${nonceHolder} already uses its nonce.`)
  if (orderUid === null) return check('NONCE', 'PASS', 'No other quote here uses its nonce.')
  if (filled === null) {
    return check('NONCE', 'UNKNOWN', 'The settlement contract does not report the filled amount.')
  }
  return verdict(
    'NONCE',
    filled === 0n,
    'The order is neither filled nor canceled.',
    `The order is filled or canceled: ${filled}.`,
  )
}

function amounts({ sellAmount, buyAmount, minimumFill }: Offer): Check {
  const amountText = `${sellAmount} for ${buyAmount}, at least ${minimumFill}`
  const holds = sellAmount > 0n && buyAmount > 0n && minimumFill > 0n && minimumFill <= sellAmount
  return verdict(
    'AMOUNTS',
    holds,
    `${amountText}.`,
    `Amounts must be above zero, and the minimum fill must not exceed the taken amount: ${amountText}.`,
  )
}

/** True if the market maker can deliver; null if the chain state is unknown. */
export function isFunded(
  { buyAmount }: Pick<Offer, 'buyAmount'>,
  { facts: { balance, allowance }, promised }: Pick<Checking, 'facts' | 'promised'>,
): boolean | null {
  if (balance === null || allowance === null) return null
  const owed = promised + buyAmount
  return balance >= owed && allowance >= owed
}

function funded(offer: Offer, checking: Checking): Check {
  const { facts, promised } = checking
  const covered = isFunded(offer, checking)
  if (covered === null) {
    return check(
      'FUNDED',
      'UNKNOWN',
      'The token does not report the balance or the allowance of the market maker.',
    )
  }
  const fundingText = `promised ${offer.buyAmount}, and ${promised} in other quotes; balance ${facts.balance}, allowance ${facts.allowance}`
  return verdict(
    'FUNDED',
    covered,
    `The market maker can deliver: ${fundingText}.`,
    `The market maker cannot deliver: ${fundingText}.`,
  )
}

function price(offer: Offer, { request: { side }, referenceX36, band }: Checking): Check {
  const unit = unitPriceX36(side, offer)
  const { minX18, maxX18 } = band
  const isOutside =
    (minX18 !== null && unit < minX18 * x18) || (maxX18 !== null && unit > maxX18 * x18)
  if (isOutside) {
    return check('PRICE', 'FAIL', `${unit} (X36) is outside the price band of the policy.`)
  }
  if (referenceX36 === null || referenceX36 === 0n) {
    return check('PRICE', 'UNKNOWN', 'No feed reported a price of the pair in the last day.')
  }
  const apart = unit > referenceX36 ? unit - referenceX36 : referenceX36 - unit
  const pips = (apart * million + referenceX36 - 1n) / referenceX36
  const deviation = `${pips} pips from the reference ${referenceX36} (X36)`
  if (pips > refusedPips) return check('PRICE', 'FAIL', `${deviation}, more than ${refusedPips}.`)
  return pips > warnedPips
    ? check('PRICE', 'WARN', `${deviation}, more than ${warnedPips}.`)
    : check('PRICE', 'PASS', `${deviation}.`)
}
