import { integerSquareRoot } from '@liquidity-os/engine/arithmetic'
import { type Address, isAddressEqual, parseAbi } from 'viem'
import { v2FactoryAbi, v2PairAbi } from './abis.ts'
import { CallRevertedError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'
import { positionManagerAbi } from './periphery-abis.ts'

/**
 * An amount of a token that a claim represents, in atoms, rounded down; includes uncollected fees.
 */
export interface Leg {
  readonly token: Address
  readonly quantity: bigint
}

const vaultAbi = parseAbi([
  'function asset() view returns (address)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
])

/**
 * Amounts that the manager would pay, computed with `eth_call`; therefore both functions are
 * declared as views.
 */
const managerAbi = parseAbi([
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function collect(Collect params) view returns (uint256 amount0, uint256 amount1)',
  'function decreaseLiquidity(Decrease params) view returns (uint256 amount0, uint256 amount1)',
])

const everything = 2n ** 128n - 1n
const never = 2n ** 256n - 1n
const zero = '0x0000000000000000000000000000000000000000'

/**
 * Assets behind shares of a token: reserves of a v2 pair, or the asset of an ERC-4626 vault.
 *
 * A contract counts as a pair if its own factory confirms it. The pending protocol fee share is
 * deducted first.
 *
 * @returns empty if the token is neither
 * @throws ChainError if a read fails
 * @see UniswapV2Pair._mintFee; ERC-4626
 */
export async function legsOfShares(
  client: ChainClient,
  pin: Pin,
  token: Address,
  shares: bigint,
): Promise<Leg[]> {
  return (
    (await answered(() => legsOfPair(client, pin, token, shares))) ??
    (await answered(() => legsOfVault(client, pin, token, shares))) ??
    []
  )
}

async function legsOfPair(
  client: ChainClient,
  pin: Pin,
  address: Address,
  shares: bigint,
): Promise<Leg[]> {
  const pair = { address, abi: v2PairAbi } as const
  const [factory, token0, token1, [reserve0, reserve1], supply] = await Promise.all([
    readContract(client, pin, { ...pair, functionName: 'factory' }),
    readContract(client, pin, { ...pair, functionName: 'token0' }),
    readContract(client, pin, { ...pair, functionName: 'token1' }),
    readContract(client, pin, { ...pair, functionName: 'getReserves' }),
    readContract(client, pin, { ...pair, functionName: 'totalSupply' }),
  ])
  const [registered, feeTo, kLast] = await Promise.all([
    readContract(client, pin, {
      address: factory,
      abi: v2FactoryAbi,
      functionName: 'getPair',
      args: [token0, token1],
    }),
    readContract(client, pin, { address: factory, abi: v2FactoryAbi, functionName: 'feeTo' }),
    readContract(client, pin, { ...pair, functionName: 'kLast' }),
  ])
  if (!isAddressEqual(registered, address) || supply === 0n) throw new CallRevertedError()
  const minted = feeTo === zero ? 0n : protocolShares({ reserve0, reserve1, supply, kLast })
  const part = (reserve: bigint) => (shares * reserve) / (supply + minted)
  return [
    { token: token0, quantity: part(reserve0) },
    { token: token1, quantity: part(reserve1) },
  ]
}

/** Shares that the next change of liquidity mints for the protocol: a sixth of the growth of √k. */
function protocolShares(pair: {
  readonly reserve0: bigint
  readonly reserve1: bigint
  readonly supply: bigint
  readonly kLast: bigint
}): bigint {
  const { reserve0, reserve1, supply, kLast } = pair
  if (kLast === 0n) return 0n
  const [root, rootLast] = [integerSquareRoot(reserve0 * reserve1), integerSquareRoot(kLast)]
  return root > rootLast ? (supply * (root - rootLast)) / (root * 5n + rootLast) : 0n
}

async function legsOfVault(
  client: ChainClient,
  pin: Pin,
  address: Address,
  shares: bigint,
): Promise<Leg[]> {
  const vault = { address, abi: vaultAbi } as const
  const [token, quantity] = await Promise.all([
    readContract(client, pin, { ...vault, functionName: 'asset' }),
    readContract(client, pin, { ...vault, functionName: 'convertToAssets', args: [shares] }),
  ])
  return [{ token, quantity }]
}

/**
 * Assets behind a token of a v3 position manager: withdrawal of all liquidity at the block, plus
 * collectable fees. Both follow the deployed contract.
 *
 * @returns null if the account is not the owner, or the contract is no position manager
 * @throws ChainError if a read fails
 */
export function legsOfPosition(
  client: ChainClient,
  pin: Pin,
  manager: Address,
  { tokenId, owner }: { readonly tokenId: bigint; readonly owner: Address },
): Promise<Leg[] | null> {
  return answered(async () => {
    const at = { address: manager, abi: positionManagerAbi, args: [tokenId] } as const
    const holder = await readContract(client, pin, { ...at, functionName: 'ownerOf' })
    if (!isAddressEqual(holder, owner)) throw new CallRevertedError()
    const position = await readContract(client, pin, { ...at, functionName: 'positions' })
    const [, , token0, token1, , , , liquidity] = position
    const requested = { address: manager, abi: managerAbi, from: owner } as const
    const owed = { tokenId, recipient: owner, amount0Max: everything, amount1Max: everything }
    const all = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: never }
    const [collected, withdrawn] = await Promise.all([
      readContract(client, pin, { ...requested, functionName: 'collect', args: [owed] }),
      // The contract rejects a withdrawal of zero liquidity.
      liquidity === 0n
        ? ([0n, 0n] as const)
        : readContract(client, pin, {
            ...requested,
            functionName: 'decreaseLiquidity',
            args: [all],
          }),
    ])
    return [
      { token: token0, quantity: withdrawn[0] + collected[0] },
      { token: token1, quantity: withdrawn[1] + collected[1] },
    ]
  })
}
