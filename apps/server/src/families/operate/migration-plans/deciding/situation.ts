import type { ClmmState, PositionState } from '@liquidity-os/engine/amm'
import type { World } from '@liquidity-os/engine/migration'
import { type Address, getAddress } from 'viem'
import { Failure } from '../../../../failure.ts'
import { tokenAbi } from '../../../../integrations/chain/abis.ts'
import { CallRevertedError } from '../../../../integrations/chain/chain-error.ts'
import { ask, type ChainClient } from '../../../../integrations/chain/client.ts'
import { readContract } from '../../../../integrations/chain/contract-call.ts'
import {
  agreeOnFinalizedHead,
  blockArgument,
  type FinalizedHead,
  type Pin,
  readAtBlock,
} from '../../../../integrations/chain/finalized.ts'
import type { Header } from '../../../../integrations/chain/header.ts'
import { positionManagerAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { readV2State, readV3State } from '../../../../integrations/chain/pool-state.ts'
import { pairFeeOf } from '../../../../integrations/chain/swap-fee-evidence.ts'
import { chainProviders } from '../../../../integrations/providers/chain-providers.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { keyOf, type LiquidityLocation, orientationOf, type PlanVenue } from '../plan-types.ts'

/** Chain access of a plan: one provider, and the finalized block that all providers agree on. */
export interface Reading {
  readonly client: ChainClient
  readonly head: Header
  readonly limitations: readonly string[]
  readonly finality: FinalizedHead['rule']
}

/** All data that a plan needs from one block. */
export interface Situation {
  readonly block: Header
  /** Existing markets. Excludes targets that are not created yet. */
  readonly worlds: Readonly<Record<string, World>>
  /** Wallet balances of the tokens. */
  readonly wallet: { readonly base: bigint; readonly quote: bigint }
  /** Liquidity per position, in order. */
  readonly liquidity: readonly bigint[]
}

/**
 * Finalized block that all providers of the first venue agree on.
 *
 * @throws ChainError from the reads
 */
export async function openReading(
  records: TenantRecords,
  services: ProviderAccess,
  { profile }: PlanVenue,
): Promise<Reading> {
  const { read, pair } = profile
  const providers = await chainProviders(records, services, read.providerId, pair.chainId)
  const [{ client }, ...others] = providers
  const clients = [client, ...others.map((other) => other.client)]
  const { head, limitations } = await agreeOnFinalizedHead(clients, read.finality)
  return { client, head, limitations, finality: read.finality }
}

/**
 * Markets, positions and balances at one finalized block.
 *
 * @throws Failure 422 LIQUIDITY_MIGRATION_POSITION_INVALID for a position that the wallet does not
 * own
 */
export async function readSituation(
  { client, head }: Pick<Reading, 'client' | 'head'>,
  terms: {
    readonly venues: readonly PlanVenue[]
    readonly locations: readonly LiquidityLocation[]
    readonly wallet: Address
    readonly positionManager: Address | null
  },
): Promise<Situation> {
  const { venues, locations, wallet, positionManager } = terms
  return readAtBlock(client, head, async (pin) => {
    const managed = await Promise.all(
      locations.map((location) =>
        location.tokenId === null || positionManager === null
          ? null
          : readManaged(client, pin, { location, wallet, manager: positionManager, venues }),
      ),
    )
    const worlds: Record<string, World> = {}
    for (const venue of venues) {
      const code = await ask<string>(client, 'eth_getCode', [
        venue.profile.address,
        blockArgument(pin),
      ])
      if (code === '0x') continue
      const held = locations
        .map((location, index) => ({ location, position: managed[index] ?? null }))
        .filter(({ location }) => location.venueId === venue.id)
      const orientation = orientationOf(venue.profile.pair)
      worlds[venue.id] = {
        market: await readMarket(client, head, venue, held, wallet),
        orientation,
      }
    }
    const { base, quote } = venues[0]!.profile.pair
    const balance = (token: string) =>
      readContract(client, pin, {
        address: token as Address,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [wallet],
      })
    const [ownBase, ownQuote] = await Promise.all([balance(base), balance(quote)])
    return {
      block: head,
      worlds,
      wallet: { base: ownBase, quote: ownQuote },
      liquidity: locations.map((location) => liquidityOf(worlds[location.venueId], location)),
    }
  })
}

function liquidityOf(world: World | undefined, location: LiquidityLocation): bigint {
  if (world?.market.kind === 'UNISWAP_V2') {
    return world.market.liquidityOf[getAddress(location.owner)] ?? 0n
  }
  if (world?.market.kind !== 'UNISWAP_V3') return 0n
  const key = keyOf(location)
  const found = world.market.positions.find(
    ({ owner, tickLower, tickUpper }) =>
      owner === key.owner && tickLower === key.tickLower && tickUpper === key.tickUpper,
  )
  return found?.liquidity ?? 0n
}

async function readMarket(
  client: ChainClient,
  head: Header,
  { profile }: PlanVenue,
  held: readonly { location: LiquidityLocation; position: PositionState | null }[],
  wallet: Address,
): Promise<World['market']> {
  const address = profile.address as Address
  if (profile.kind === 'UNISWAP_V2') {
    const fee = pairFeeOf(profile.feePips ?? 3000)
    return readV2State(client, head, address, { holders: [wallet], fee })
  }
  const positions = held.flatMap(({ location, position }) =>
    position !== null || location.tickLower === null || location.tickUpper === null
      ? []
      : [{ owner: location.owner, tickLower: location.tickLower, tickUpper: location.tickUpper }],
  )
  const pool: ClmmState = await readV3State(client, head, address, { positions })
  const managed = held.flatMap(({ position }) => (position === null ? [] : [position]))
  return { ...pool, positions: [...pool.positions, ...managed] }
}

/**
 * Treats a position of the manager like a pool position, because the manager uses the same
 * accounting.
 */
async function readManaged(
  client: ChainClient,
  pin: Pin,
  terms: {
    location: LiquidityLocation
    wallet: Address
    manager: Address
    venues: readonly PlanVenue[]
  },
): Promise<PositionState> {
  const { location, wallet, manager, venues } = terms
  const tokenId = BigInt(location.tokenId ?? 0)
  const call = { address: manager, abi: positionManagerAbi, args: [tokenId] } as const
  const refuse = (message: string) =>
    new Failure('LIQUIDITY_MIGRATION_POSITION_INVALID', {
      fieldErrors: { 'payload.from.positions': [`token ${tokenId} ${message}`] },
    })
  const read = async () => {
    try {
      return await Promise.all([
        readContract(client, pin, { ...call, functionName: 'positions' }),
        readContract(client, pin, { ...call, functionName: 'ownerOf' }),
      ])
    } catch (error) {
      throw error instanceof CallRevertedError ? refuse('does not exist') : error
    }
  }
  const [found, owner] = await read()
  const [, , token0, token1, fee, tickLower, tickUpper, liquidity, inside0, inside1, owed0, owed1] =
    found
  if (owner !== wallet) throw refuse(`belongs to ${owner}, not to the wallet ${wallet}`)
  const { pair, feePips } = venues.find(({ id }) => id === location.venueId)!.profile
  const tokens = [getAddress(pair.base), getAddress(pair.quote)]
  const isOfVenue = tokens.includes(token0) && tokens.includes(token1) && fee === feePips
  if (!isOfVenue) throw refuse('is a position in another pool')
  if (tickLower !== location.tickLower || tickUpper !== location.tickUpper) {
    throw refuse(`has the range ${tickLower} to ${tickUpper}`)
  }
  return {
    ...keyOf(location),
    liquidity,
    feeGrowthInside0LastX128: inside0,
    feeGrowthInside1LastX128: inside1,
    tokensOwed0: owed0,
    tokensOwed1: owed1,
  }
}
