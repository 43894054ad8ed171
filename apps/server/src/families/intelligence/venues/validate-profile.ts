import type { FieldErrors } from '@liquidity-os/contract'
import { managerOf } from './position-tokens.ts'
import type { VenueProfile } from './venue.ts'

/** Contradictions within a profile, beyond its schema. */
export function validateProfile(venue: Omit<VenueProfile, 'validation'>): FieldErrors {
  const faults: FieldErrors = {}
  if (venue.pair.base === venue.pair.quote) {
    faults['payload.pair.quote'] = ['must differ from the base']
  }
  if (venue.kind === 'UNISWAP_V3') {
    if (venue.feePips === undefined) faults['payload.feePips'] = ['is required for UNISWAP_V3']
    if (venue.tickSpacing === undefined)
      faults['payload.tickSpacing'] = ['is required for UNISWAP_V3']
  }
  if (venue.kind === 'STABLESWAP') Object.assign(faults, validateStable(venue))
  else if (venue.stableswap !== undefined) {
    faults['payload.stableswap'] = [`must be omitted for ${venue.kind}`]
  }
  if (venue.kind === 'CLOB_SNAPSHOT') {
    faults['payload.kind'] = [
      'must be UNISWAP_V2, UNISWAP_V3 or STABLESWAP in this release, got CLOB_SNAPSHOT',
    ]
  }
  if (venue.caps?.maxDepthSharePips !== undefined) {
    faults['payload.caps.maxDepthSharePips'] = [
      `must be omitted: this release does not enforce a share of depth, got ${venue.caps.maxDepthSharePips}`,
    ]
  }
  Object.assign(faults, validateOwnedPositions(venue))
  return faults
}

function validateOwnedPositions({
  kind,
  pair,
  ownedPositions = [],
}: Omit<VenueProfile, 'validation'>) {
  const faults: FieldErrors = {}
  if (ownedPositions.length > 0 && kind === 'UNISWAP_V2') {
    faults['payload.ownedPositions'] = ['must be omitted for UNISWAP_V2']
  }
  const tokens = new Set<string>()
  const ranges = new Set<string>()
  for (const [index, position] of ownedPositions.entries()) {
    const at = `payload.ownedPositions.${index}`
    if ('tokenId' in position) {
      const manager = managerOf(pair.chainId, position)
      if (manager === null) {
        faults[`${at}.manager`] = [`is required: chain ${pair.chainId} has no well-known manager`]
      }
      const name = `${manager}#${position.tokenId}`
      if (tokens.has(name))
        faults[`${at}.tokenId`] = [`must be unique, got ${position.tokenId} twice`]
      tokens.add(name)
      continue
    }
    const { owner, tickLower, tickUpper } = position
    if (tickLower >= tickUpper) {
      faults[`${at}.tickUpper`] = [`must be above tickLower ${tickLower}, got ${tickUpper}`]
    }
    const range = `${owner.toLowerCase()} ${tickLower} ${tickUpper}`
    if (ranges.has(range)) faults[at] = [`must be unique, got ${range} twice`]
    ranges.add(range)
  }
  return faults
}

function validateStable(venue: Omit<VenueProfile, 'validation'>): FieldErrors {
  const { pair, stableswap, feePips } = venue
  const faults: FieldErrors = {}
  for (const name of ['factory', 'tickSpacing', 'ownedPositions'] as const) {
    if (venue[name] !== undefined) faults[`payload.${name}`] = ['must be omitted for STABLESWAP']
  }
  if (feePips === undefined) faults['payload.feePips'] = ['is required for STABLESWAP']
  if (stableswap === undefined) {
    return { ...faults, 'payload.stableswap': ['is required for STABLESWAP'] }
  }
  const { variant, coins, index } = stableswap
  for (const side of ['base', 'quote'] as const) {
    const coin = coins[index[side]]
    if (coin?.toLowerCase() === pair[side].toLowerCase()) continue
    faults[`payload.stableswap.index.${side}`] = [
      `must be the index of ${pair[side]} among the coins, got the index of ${coin ?? 'none'}`,
    ]
  }
  if (variant === 'A100_TWO_COIN' && coins.length !== 2) {
    faults['payload.stableswap.coins'] = [
      `must have 2 items for A100_TWO_COIN, got ${coins.length}`,
    ]
  }
  return faults
}
