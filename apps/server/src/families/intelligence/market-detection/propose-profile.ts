import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { DetectedMarket, DetectedToken } from '../../../integrations/chain/detect-market.ts'
import type { FinalityRule } from '../../../integrations/chain/finalized.ts'

type Profile = Static<typeof contract.VenueProfileInput>

/** Detected facts for a venue profile. */
export interface Found {
  readonly market: DetectedMarket
  readonly base: DetectedToken
  readonly quote: DetectedToken
  readonly chainId: number
  readonly providerId: string
  readonly finality: FinalityRule
  readonly startBlock: number
}

/** Fee of a pair with Uniswap code. Validation proves the fee of a fork from its swaps. */
const pairFeePips = 3000
const proposed = { logChunkBlocks: 2000, cadenceSeconds: 300 } as const

/** Proposes a venue profile for a market, or lists missing data. */
export function proposeProfile(found: Found): { profile: Profile | null; missing: string[] } {
  const { market, base, quote } = found
  if (market.kind === 'STABLESWAP') {
    const missing = ['stableswap.variant: the build of the pool, see the StableSwap page']
    return { profile: null, missing }
  }
  const missing = [base, quote].flatMap(({ address, decimals }) =>
    decimals === null ? [`decimals of ${address}: the token does not return them`] : [],
  )
  if (base.decimals === null || quote.decimals === null || market.factory === null) {
    return { profile: null, missing }
  }
  const feePips = market.feePips ?? pairFeePips
  return {
    missing,
    profile: {
      schemaVersion: 'venue-profile-v1',
      name: nameOf(found, feePips),
      kind: market.kind,
      pair: {
        chainId: found.chainId,
        base: base.address,
        quote: quote.address,
        baseDecimals: base.decimals,
        quoteDecimals: quote.decimals,
      },
      address: market.address,
      factory: market.factory,
      feePips,
      ...(market.tickSpacing === null ? {} : { tickSpacing: market.tickSpacing }),
      read: {
        providerId: found.providerId,
        startBlock: found.startBlock,
        finality: found.finality,
        ...proposed,
      },
      tags: [],
    },
  }
}

function nameOf({ market, base, quote }: Found, feePips: number): string {
  const name = ({ symbol, address }: DetectedToken) => symbol ?? address.slice(0, 8)
  const version = market.kind === 'UNISWAP_V2' ? 'v2' : `${(feePips / 10_000).toFixed(2)} %`
  return `${name(base)} / ${name(quote)} ${version}`
}
