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
  /** Who has the nonce already: the id of another quote. */
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
    'It is the signature of the maker over this quote.',
    `The signature ${checking.facts.signatureFault}.`,
  ),
  maker(offer, checking),
  ...movingChecks(offer, checking),
  amounts(offer),
  offer.firm
    ? check('FIRM', 'PASS', 'It binds the maker.')
    : check('FIRM', 'WARN', 'The maker looks once more: it is planned only where that is allowed.'),
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
      : [`names the request ${offer.requestHash}, must be ${request.requestHash}`]),
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
      ? ['is an order of GPv2, and the settlement contract of the request is none of this chain']
      : []),
  ]
  const problemText = faults.map((fault) => `It ${fault}.`).join(' ')
  return verdict('TYPED_HASH', faults.length === 0, `It hashes to ${offer.quoteHash}.`, problemText)
}

function maker({ maker: who }: Offer, { request: { makers, taker } }: Checking): Check {
  if (same(who, taker)) return check('MAKER', 'FAIL', 'The vault cannot be its own maker.')
  const isAllowed = makers === undefined || makers.some((one) => same(one, who))
  return verdict('MAKER', isAllowed, `${who} was asked.`, `${who} is none of the makers asked.`)
}

function windowCheck({ validFrom, validUntil }: Offer, { now }: Checking): Check {
  const windowText = `${validFrom} to ${validUntil}, now ${now}`
  const holds = validFrom <= now && now < validUntil && validUntil <= now + daySeconds
  return verdict(
    'WINDOW',
    holds,
    `It holds now: ${windowText}.`,
    `It must hold now and end within a day: ${windowText}.`,
  )
}

function nonce({ orderUid }: Offer, { nonceHolder, facts: { filled } }: Checking): Check {
  if (nonceHolder !== null) return check('NONCE', 'FAIL', `${nonceHolder} has its nonce.`)
  if (orderUid === null) return check('NONCE', 'PASS', 'No other quote here has its nonce.')
  if (filled === null) {
    return check('NONCE', 'UNKNOWN', 'The settlement contract does not say what is filled of it.')
  }
  return verdict(
    'NONCE',
    filled === 0n,
    'Nothing of the order is filled or cancelled.',
    `The order is filled or cancelled: ${filled}.`,
  )
}

function amounts({ sellAmount, buyAmount, minimumFill }: Offer): Check {
  const amountText = `${sellAmount} for ${buyAmount}, at least ${minimumFill}`
  const holds = sellAmount > 0n && buyAmount > 0n && minimumFill > 0n && minimumFill <= sellAmount
  return verdict(
    'AMOUNTS',
    holds,
    `${amountText}.`,
    `Amounts must be above zero and the smallest fill at most what is taken: ${amountText}.`,
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
    return check('FUNDED', 'UNKNOWN', 'The token does not say what the maker has or allows.')
  }
  const fundingText = `it promises ${offer.buyAmount} and ${promised} by other quotes, has ${facts.balance} and allows ${facts.allowance}`
  return verdict(
    'FUNDED',
    covered,
    `The maker can deliver: ${fundingText}.`,
    `The maker cannot deliver: ${fundingText}.`,
  )
}

function price(offer: Offer, { request: { side }, referenceX36, band }: Checking): Check {
  const unit = unitPriceX36(side, offer)
  const { minX18, maxX18 } = band
  const isOutside =
    (minX18 !== null && unit < minX18 * x18) || (maxX18 !== null && unit > maxX18 * x18)
  if (isOutside) {
    return check('PRICE', 'FAIL', `${unit} (X36) lies outside of the band of the policy.`)
  }
  if (referenceX36 === null || referenceX36 === 0n) {
    return check('PRICE', 'UNKNOWN', 'No feed told a price of the pair in the last day.')
  }
  const apart = unit > referenceX36 ? unit - referenceX36 : referenceX36 - unit
  const pips = (apart * million + referenceX36 - 1n) / referenceX36
  const deviation = `${pips} pips from the reference ${referenceX36} (X36)`
  if (pips > refusedPips) return check('PRICE', 'FAIL', `${deviation}, more than ${refusedPips}.`)
  return pips > warnedPips
    ? check('PRICE', 'WARN', `${deviation}, more than ${warnedPips}.`)
    : check('PRICE', 'PASS', `${deviation}.`)
}
