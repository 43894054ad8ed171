import { contract, type FieldErrors } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { requiredFactory } from '../../../integrations/chain/known-factories.ts'
import { peripheryContract } from '../../../integrations/chain/known-periphery.ts'
import type { PoolOfTokens } from '../../../integrations/chain/position-tokens.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { daySeconds } from '../../../units.ts'

export type Query = HandlerRequest<typeof contract.prepareLiquidityCalls>['query']

/** A Uniswap v3 pool. */
export interface Market extends PoolOfTokens {
  readonly pool: Address
  readonly tickSpacing: number
}

export const invalidChange = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_POSITION_CHANGE_INVALID', { fieldErrors })

/** @throws Failure 422 for another chain or another kind of market */
export function marketOf({ payload, id }: VenueRecord, chainId: number): Market {
  const { kind, pair, address, feePips, tickSpacing } = payload
  if (pair.chainId !== chainId) {
    throw invalidChange({
      'query.venueId': [`must be on chain ${chainId} of the vault, got chain ${pair.chainId}`],
    })
  }
  if (kind !== 'UNISWAP_V3' || feePips === undefined || tickSpacing === undefined) {
    throw invalidChange({
      'query.venueId': [
        `must be a Uniswap v3 pool, got ${id} of kind ${kind}; pass the calls to a proposal yourself`,
      ],
    })
  }
  const tokens = [getAddress(pair.base), getAddress(pair.quote)] as const
  const [token0, token1] =
    BigInt(tokens[0]) < BigInt(tokens[1]) ? tokens : ([tokens[1], tokens[0]] as const)
  const factory = requiredFactory(payload)
  return {
    pool: getAddress(String(address)),
    chainId,
    factory,
    token0,
    token1,
    feePips,
    tickSpacing,
  }
}

/** @throws Failure 422 without a known manager */
export function managerOf({ payload }: VenueRecord, { manager }: Query): Address {
  const { chainId } = payload.pair
  const named = (payload.ownedPositions ?? []).flatMap((position) =>
    'tokenId' in position && position.manager !== undefined ? [position.manager] : [],
  )
  const address = peripheryContract(chainId, 'positionManager', manager ?? named[0])
  if (address !== null) return address
  throw invalidChange({
    'query.manager': [`is required: chain ${chainId} has no well-known position manager`],
  })
}

/**
 * Fields that contradict each other or the kind of change.
 *
 * @throws Failure 422
 */
export function requireSoundQuery(query: Query): void {
  const isAdded = query.change === 'ADD'
  const ofDeposit = ['base', 'quote', 'lowX36', 'highX36'] as const
  const faults: Record<string, string[]> = {}
  const reject = (field: keyof Query, message: string) => {
    faults[`query.${field}`] = [message]
  }
  if (!isAdded) {
    if (query.tokenId === undefined) reject('tokenId', 'is required for REMOVE')
    for (const field of ofDeposit) {
      if (query[field] !== undefined) reject(field, 'must be omitted for REMOVE')
    }
  } else {
    if (query.sharePips !== undefined) reject('sharePips', 'must be omitted for ADD')
    if (atoms(query.base) + atoms(query.quote) === 0n) {
      reject('base', 'must be above zero, or quote must be')
    }
    rejectRange(query, reject)
  }
  if (Object.keys(faults).length > 0) throw invalidChange(faults)
}

function rejectRange(
  { tokenId, lowX36, highX36 }: Query,
  reject: (field: keyof Query, message: string) => void,
): void {
  if (tokenId !== undefined) {
    if (lowX36 !== undefined) reject('lowX36', 'must be omitted: the position has its range')
    if (highX36 !== undefined) reject('highX36', 'must be omitted: the position has its range')
  } else if ((lowX36 === undefined) !== (highX36 === undefined)) {
    reject(lowX36 === undefined ? 'lowX36' : 'highX36', 'is required with the other price')
  } else if (lowX36 !== undefined && highX36 !== undefined && BigInt(lowX36) >= BigInt(highX36)) {
    reject('highX36', `must be above lowX36, got ${highX36}`)
  }
}

export const atoms = (text: string | undefined): bigint => (text === undefined ? 0n : BigInt(text))

/**
 * Unix seconds after which the contract reverts.
 *
 * @throws Failure 422 for a time that has passed
 */
export function deadlineOf({ validUntil }: Query, now: number): bigint {
  const days = contract.liquidityCallDefaults.days
  const end = validUntil === undefined ? now + days * daySeconds * 1000 : Date.parse(validUntil)
  if (end > now) return BigInt(Math.floor(end / 1000))
  throw invalidChange({ 'query.validUntil': [`must be in the future, got ${validUntil}`] })
}
