import { erc20Abi } from '@liquidity-os/localchain'
import { type Address, decodeEventLog, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { TestChain } from './chain.ts'

export interface Call {
  readonly to: Address
  readonly data: Hex
}

export const deadline = 1_780_000_000n
export const unit = 10n ** 15n
export const managerAbi = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function increaseLiquidity(Increase params) payable',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease params) payable',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function collect(Collect params) payable',
  'function burn(uint256 tokenId)',
  'function multicall(bytes[] data) payable',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 growth0, uint256 growth1, uint128 owed0, uint128 owed1)',
  'event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])
export const managerOf = ({ chain }: TestChain) => chain.contracts.positionManager
export const strangerOf = ({ chain }: TestChain) => chain.accounts[9]!.address
const most = 2n ** 128n - 1n

/** Calls of a position manager for a Safe. */
export function callsOf(test: TestChain, safe: Address, to = managerOf(test)) {
  const [token0, token1] = test.markets.tokens
  const call = (data: Hex): Call => ({ to, data })
  const least = (amount: bigint) => (amount * 99n) / 100n
  return {
    approve: (token: Address, amount: bigint, spender: Address = to): Call => ({
      to: token,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [spender, amount],
      }),
    }),
    mint: (amount0: bigint, amount1: bigint, change: object = {}): Call => {
      const params = {
        token0,
        token1,
        fee: 3000,
        tickLower: -600,
        tickUpper: 600,
        amount0Desired: amount0,
        amount1Desired: amount1,
        amount0Min: least(amount0),
        amount1Min: least(amount1),
        recipient: safe,
        deadline,
        ...change,
      }
      return call(encodeFunctionData({ abi: managerAbi, functionName: 'mint', args: [params] }))
    },
    increase: (tokenId: bigint, amount: bigint): Call => {
      const params = {
        tokenId,
        amount0Desired: amount,
        amount1Desired: amount,
        amount0Min: least(amount),
        amount1Min: least(amount),
        deadline,
      }
      return call(
        encodeFunctionData({ abi: managerAbi, functionName: 'increaseLiquidity', args: [params] }),
      )
    },
    decrease: (tokenId: bigint, liquidity: bigint, minimum: bigint): Call => {
      const params = { tokenId, liquidity, amount0Min: minimum, amount1Min: minimum, deadline }
      return call(
        encodeFunctionData({ abi: managerAbi, functionName: 'decreaseLiquidity', args: [params] }),
      )
    },
    collect: (tokenId: bigint, recipient: Address = safe): Call =>
      call(
        encodeFunctionData({
          abi: managerAbi,
          functionName: 'collect',
          args: [{ tokenId, recipient, amount0Max: most, amount1Max: most }],
        }),
      ),
    burn: (tokenId: bigint): Call =>
      call(encodeFunctionData({ abi: managerAbi, functionName: 'burn', args: [tokenId] })),
    multicall: (...calls: readonly Call[]): Call =>
      call(
        encodeFunctionData({
          abi: managerAbi,
          functionName: 'multicall',
          args: [calls.map(({ data }) => data)],
        }),
      ),
    sendAway: (tokenId: bigint): Call =>
      call(
        encodeFunctionData({
          abi: managerAbi,
          functionName: 'safeTransferFrom',
          args: [safe, strangerOf(test), tokenId],
        }),
      ),
    transfer: (recipient: Address, amount: bigint): Call => ({
      to: token1,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [recipient, amount],
      }),
    }),
  }
}

/** Position of the first liquidity event of a transaction. */
export function positionIn(logs: readonly { data: Hex; topics: readonly Hex[] }[]): bigint {
  const found = logs.flatMap(({ data, topics }) => {
    try {
      const { eventName, args } = decodeEventLog({
        abi: managerAbi,
        data,
        topics: topics as [Hex, ...Hex[]],
      })
      return eventName === 'IncreaseLiquidity' ? [args.tokenId] : []
    } catch {
      return []
    }
  })
  return found[0]!
}
