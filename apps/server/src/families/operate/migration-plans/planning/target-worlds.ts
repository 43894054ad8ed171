import { type ClmmState, createClmmPool, createCpmmPair, midPrice } from '@liquidity-os/engine/amm'
import { integerSquareRoot, type Rat } from '@liquidity-os/engine/arithmetic'
import type { TargetShare, World } from '@liquidity-os/engine/migration'
import { applyOperation } from '@liquidity-os/engine/parity'
import { getAddress } from 'viem'
import { Failure } from '../../../../failure.ts'
import { requiredFactory } from '../../../../integrations/chain/known-factories.ts'
import { v2PairAddress, v3PoolAddress } from '../../../../integrations/chain/pool-address.ts'
import { orientationOf, type PlanVenue } from '../plan-types.ts'

type Opened = NonNullable<TargetShare['opened']>

/**
 * Market of a target after its creation at the source's price; null if it already exists.
 *
 * @param at block time in seconds
 * @throws Failure 409 for an existing but unvalidated pool, 422 for an address that does not match
 * the pool
 */
export function openedWorld(
  { id, status, profile }: PlanVenue,
  there: World | undefined,
  source: World,
  at: number,
): Opened | null {
  const orientation = orientationOf(profile.pair)
  const isPriced = there !== undefined && hasPrice(there)
  if (isPriced && status === 'VALIDATED') return null
  if (isPriced) {
    throw new Failure('LIQUIDITY_MIGRATION_VENUE_NOT_VALIDATED', {
      fieldErrors: { 'payload.to': [`${id} is ${status}, but its pool already has a price`] },
    })
  }
  requireAddress(profile)
  const price = midPrice(source.market, source.orientation)
  if (profile.kind === 'UNISWAP_V2') {
    const market =
      there?.market.kind === 'UNISWAP_V2' ? there.market : createCpmmPair({ blockTimestamp: at })
    return { market, orientation, price }
  }
  const terms = { feePips: profile.feePips ?? 3000, tickSpacing: profile.tickSpacing ?? 60 }
  const empty =
    there?.market.kind === 'UNISWAP_V3'
      ? there.market
      : createClmmPool({ ...terms, blockTimestamp: at })
  const sqrtPriceX96 =
    source.market.kind === 'UNISWAP_V3'
      ? source.market.sqrtPriceX96
      : rootOf(orientation.base === 0 ? price : { num: price.den, den: price.num })
  const opening = { kind: 'v3.initialize', timestamp: at, sqrtPriceX96 } as const
  // Initialization returns a pool.
  return { market: applyOperation(empty, opening).state as ClmmState, orientation }
}

export function hasPrice({ market }: World): boolean {
  if (market.kind === 'UNISWAP_V3') return market.sqrtPriceX96 > 0n
  return market.kind !== 'UNISWAP_V2' || market.reserve0 > 0n
}

/** √price as Q64.96, rounded down. */
const rootOf = ({ num, den }: Rat) => integerSquareRoot((num << 192n) / den)

/** The factory can create the pool at this address only. */
function requireAddress(profile: PlanVenue['profile']): void {
  const { kind, address, pair, feePips } = profile
  const of = getAddress(requiredFactory(profile))
  const [base, quote] = [getAddress(pair.base), getAddress(pair.quote)]
  const derived =
    kind === 'UNISWAP_V2'
      ? v2PairAddress(of, base, quote)
      : v3PoolAddress(of, base, quote, feePips ?? 3000)
  if (derived !== getAddress(address)) {
    throw refusal(`must be ${derived}, its derived address, got ${address}`)
  }
}

const refusal = (message: string) =>
  new Failure('LIQUIDITY_MIGRATION_INPUT_INVALID', {
    fieldErrors: { 'payload.to': [`the pool ${message}`] },
  })
