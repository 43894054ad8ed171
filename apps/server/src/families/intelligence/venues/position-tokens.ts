import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { requiredFactory } from '../../../integrations/chain/known-factories.ts'
import { peripheryContract } from '../../../integrations/chain/known-periphery.ts'
import { sortTokens } from '../../../integrations/chain/pool-address.ts'
import { positionManagersAmong } from '../../../integrations/chain/position-managers.ts'
import { type ReadToken, readPositionTokens } from '../../../integrations/chain/position-tokens.ts'
import type { VenueProfile } from './venue.ts'

type Profile = Omit<VenueProfile, 'validation'>
type NamedToken = Extract<contract.OwnedPosition, { tokenId: string }>

/** Position manager: the named one, else the standard one of the chain, else null. */
export const managerOf = (chainId: number, { manager }: NamedToken): Address | null =>
  peripheryContract(chainId, 'positionManager', manager)

/** Position tokens of a profile, with their index in it. */
export function namedTokens({ ownedPositions = [] }: Profile) {
  return ownedPositions.flatMap((position, index) =>
    'tokenId' in position ? [{ position, place: index }] : [],
  )
}

/**
 * Owners and liquidity of the profile's position tokens at a block.
 *
 * @returns undefined if the profile has no tokens
 * @throws ChainError from the reads
 */
export async function readTokens(
  client: ChainClient,
  profile: Profile,
  block: Header,
): Promise<contract.PositionToken[] | undefined> {
  const named = namedTokens(profile)
  if (named.length === 0) return undefined
  const read = await readNamed(client, profile, block)
  return named.map(({ position }, index) => serializeToken(profile, position, read[index]!))
}

function readNamed(client: ChainClient, profile: Profile, block: Header): Promise<ReadToken[]> {
  const { pair, feePips } = profile
  const [token0, token1] = sortTokens(pair.base as Address, pair.quote as Address)
  const { chainId } = pair
  const pool = { chainId, factory: requiredFactory(profile), token0, token1, feePips: feePips ?? 0 }
  const tokens = namedTokens(profile).map(({ position }) => ({
    manager: requiredManager(chainId, position),
    tokenId: BigInt(position.tokenId),
  }))
  return readPositionTokens(client, block, pool, tokens)
}

function requiredManager(chainId: number, position: NamedToken): Address {
  const manager = managerOf(chainId, position)
  // Validation rejects profiles without a manager.
  if (manager === null)
    throw new Error(`The position manager of token ${position.tokenId} is unknown.`)
  return manager
}

function serializeToken(
  profile: Profile,
  position: NamedToken,
  read: ReadToken,
): contract.PositionToken {
  const { tokenId, owner } = position
  const common = { manager: requiredManager(profile.pair.chainId, position), tokenId, owner }
  if (read.state !== 'OF_POOL') {
    const nothing = { tickLower: null, tickUpper: null, liquidity: '0' }
    return { ...common, state: read.state, heldBy: read.heldBy, ...nothing }
  }
  const { heldBy, tickLower, tickUpper, liquidity } = read
  const state = heldBy === getAddress(owner) ? 'OWNED' : 'OTHER_OWNER'
  const fees = {
    feeGrowthInside0LastX128: `${read.fees.feeGrowthInside0LastX128}`,
    feeGrowthInside1LastX128: `${read.fees.feeGrowthInside1LastX128}`,
    tokensOwed0: `${read.fees.tokensOwed0}`,
    tokensOwed1: `${read.fees.tokensOwed1}`,
  }
  return { ...common, state, heldBy, tickLower, tickUpper, liquidity: `${liquidity}`, fees }
}

/**
 * Conflicts between a profile's positions and the chain. Detects missing tokens, wrong pools or
 * owners, and claims on a manager's pooled positions.
 *
 * @throws ChainError from the reads
 */
export async function validatePosition(
  client: ChainClient,
  profile: Profile,
  block: Header,
): Promise<FieldErrors> {
  const faults: FieldErrors = {}
  if (!profile.ownedPositions?.length) return faults
  const read = await readNamed(client, profile, block)
  for (const [index, { position, place: itemIndex }] of namedTokens(profile).entries()) {
    const token = read[index]!
    const at = `payload.ownedPositions.${itemIndex}`
    if (token.state === 'UNKNOWN_MANAGER') faults[`${at}.manager`] = [token.detail]
    else if (token.state !== 'OF_POOL') {
      faults[`${at}.tokenId`] = [`${position.tokenId} ${token.detail}`]
    } else if (token.heldBy !== getAddress(position.owner)) {
      faults[`${at}.owner`] = [
        `must be ${token.heldBy}, the owner of token ${position.tokenId}; got ${position.owner}`,
      ]
    }
  }
  const owners = [
    ...new Set(
      (profile.ownedPositions ?? []).flatMap((position) =>
        'tokenId' in position ? [] : [getAddress(position.owner)],
      ),
    ),
  ]
  const managers = new Set(await positionManagersAmong(client, block, owners))
  for (const [place, position] of (profile.ownedPositions ?? []).entries()) {
    if ('tokenId' in position || !managers.has(getAddress(position.owner))) continue
    faults[`payload.ownedPositions.${place}.owner`] = [
      `must not hold positions for others, got ${position.owner}; name each position by tokenId`,
    ]
  }
  return faults
}
