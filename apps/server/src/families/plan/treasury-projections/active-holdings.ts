import type { contract } from '@liquidity-os/contract'
import { valueAt } from '../../../market/prices/price-of-asset.ts'
import { claimedTier, isOwn, legTierNow, tierNow } from '../../../market/treasury/asset-classes.ts'
import type { TokenStandings } from '../../../market/treasury/token-statuses.ts'
import type { LiveCustody } from '../../prove/treasury-custody/api.ts'
import type { Entry } from './read-sources.ts'
import { type SummaryHolding, summaryHolding } from './summary-holding.ts'

interface HoldingContext {
  readonly custody: readonly LiveCustody[]
  /** Milliseconds since 1970. */
  readonly now: number
  readonly standings: TokenStandings
}

/**
 * A holding for the summary, with its current tier. A claim is split into legs: the own-token leg
 * is not money, the others have tier T3.
 */
export function findActiveHoldings(
  entry: Entry,
  { custody, now, standings }: HoldingContext,
): SummaryHolding[] {
  const { payload } = entry
  if (payload.entryKind !== 'ASSET') return []
  const legs = payload.observed?.legs ?? []
  return summaryHolding(entry, custody, now).flatMap((holding) =>
    legs.length === 0
      ? [{ ...holding, tier: tierNow(payload, standings) }]
      : legs.map((leg) => legHolding(holding, payload, leg, standings)),
  )
}

type Leg = NonNullable<contract.TreasuryHolding['observed']>['legs'][number]

/** Restricted and reserved parts of a leg are those of the claim, rounded up; its value is rounded down. */
function legHolding(
  claim: SummaryHolding,
  { asset, tier: ofClaim, computation }: contract.TreasuryHolding,
  leg: Leg,
  standings: TokenStandings,
): SummaryHolding {
  const [whole, quantity] = [BigInt(claim.quantity), BigInt(leg.quantity)]
  const partOf = (atoms: string) =>
    whole === 0n ? 0n : (BigInt(atoms) * quantity + whole - 1n) / whole
  const reserved = min(partOf(claim.reserved), quantity)
  const restricted = min(partOf(claim.restricted), quantity - reserved)
  const of = { isOwnClaim: isOwn(asset, standings) }
  const tier = legTierNow(leg.asset, leg.tier ?? ofClaim, of, standings)
  const price = computation.prices.find(({ assetKey }) => assetKey === leg.asset)
  return {
    ...claim,
    assetKey: leg.asset,
    tier: claimedTier(tier),
    quantity: leg.quantity,
    unrestricted: `${quantity - reserved - restricted}`,
    restricted: `${restricted}`,
    reserved: `${reserved}`,
    value: claim.value && price ? worthOf(claim.value.quoteKey, quantity, price) : null,
  }
}

const worthOf = (quoteKey: string, quantity: bigint, { priceX36 }: contract.TreasuryPrice) => ({
  quoteKey,
  amount: `${valueAt(quantity, priceX36, 'DOWN')}`,
})

const min = (a: bigint, b: bigint) => (a < b ? a : b)
