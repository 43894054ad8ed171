import {
  erc20Abi,
  forwardData,
  inOneBlock,
  type Localchain,
  type Market,
  paymentData,
  startLocalchain,
  swapRouterAbi,
  v2PairAbi,
  v2RouterAbi,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'

const multiHopAbi = parseAbi([
  'struct ExactInput { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInput params) payable returns (uint256 amountOut)',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
])
export const taxedRouterAbi = parseAbi([
  'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])

const never = 10n ** 12n
export const e18 = 10n ** 18n

/** A transaction that waits for the next block. */
export interface Order {
  from: Address
  to: Address
  data: Hex
  value?: bigint
  gas?: bigint
}

/** A chain with direct trading of base against quote, and through a third token. */
export interface Exchange {
  chain: Localchain
  base: Address
  middle: Address
  quote: Address
  pool: Market
  pair: Market
  basePool: Market
  quotePool: Market
  traders: readonly Address[]
  balance: (asset: Address, wallet: Address) => Promise<bigint>
  /** What some orders would do to balances, mined as one block and taken back. */
  instead: <T>(orders: readonly Order[], look: () => Promise<T>) => Promise<T>
  /** Mines some orders as one block, in this order, and gives their hashes. */
  block: (...orders: Order[]) => Promise<Hex[]>
  /** A swap of an exact input on the v3 router. */
  swap: (
    from: Address,
    tokenIn: Address,
    tokenOut: Address,
    amountIn: bigint,
    output?: bigint,
  ) => Order
  /** The same along a path of pools of 0.3 %. */
  travel: (from: Address, path: readonly Address[], amountIn: bigint) => Order
  /** A swap on the v2 router. */
  trade: (from: Address, path: readonly Address[], amountIn: bigint) => Order
  /** Several calls of the v3 router in one transaction. */
  together: (from: Address, orders: readonly Order[], value?: bigint) => Order
}

export const fee = 3000

/** Starts the exchange; `quoteOf` may give another quote than a plain token. */
export async function startExchange(
  options: {
    base?: (chain: Localchain) => Promise<Address>
    quote?: (chain: Localchain) => Promise<Address>
  } = {},
): Promise<Exchange> {
  const chain = await startLocalchain()
  const token = (symbol: string) => chain.deployToken({ name: symbol, symbol })
  const base = await (options.base?.(chain) ?? token('BASE'))
  const quote = await (options.quote?.(chain) ?? token('QUOTE'))
  const middle = await token('MIDDLE')
  const owner = chain.accounts[0]!.address
  const { swapRouter, uniswapV2Router, payer } = chain.contracts
  const send = (to: Address, data: Hex, from = owner) => chain.send({ from, to, data })
  const traders = chain.accounts.slice(1, 7).map(({ address }) => address)
  const give = async (asset: Address, to: Address, amount: bigint) => {
    await send(
      asset,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    )
  }
  for (const asset of [base, quote, middle]) {
    for (const trader of traders) {
      await give(asset, trader, 10n ** 21n)
      for (const router of [swapRouter, uniswapV2Router]) {
        const args = [router, 2n ** 255n] as const
        await send(
          asset,
          encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
          trader,
        )
      }
    }
    await give(asset, payer, 10n ** 22n)
  }
  const createPool = async (tokenA: Address, tokenB: Address) => {
    const pool = await chain.createV3Pool({ tokenA, tokenB, fee, sqrtPriceX96: 2n ** 96n })
    for (const [lower, upper, liquidity] of [
      [-60_000, 60_000, 10n ** 21n],
      [-600, 600, 10n ** 21n],
    ] as const) {
      const args = [payer, lower, upper, liquidity, paymentData(pool)] as const
      const mint = encodeFunctionData({ abi: v3PoolAbi, functionName: 'mint', args })
      await send(payer, forwardData(pool.address, mint))
    }
    return pool
  }
  const [pool, basePool, quotePool] = [
    await createPool(base, quote),
    await createPool(base, middle),
    await createPool(middle, quote),
  ]
  const pair = await chain.createV2Pair(base, quote)
  for (const asset of [base, quote]) await give(asset, pair.address, 10n ** 21n)
  const mint = { abi: v2PairAbi, functionName: 'mint', args: [owner] } as const
  await send(pair.address, encodeFunctionData(mint))
  const block = (...orders: Order[]) => inOneBlock(chain, orders)
  const onRouter = (from: Address, data: Hex): Order => ({ from, to: swapRouter, data })
  return {
    chain,
    base,
    middle,
    quote,
    pool,
    pair,
    basePool,
    quotePool,
    traders,
    block,
    balance: (asset, wallet) =>
      chain.publicClient.readContract({
        address: asset,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [wallet],
      }),
    instead: async (orders, look) => {
      const id = await chain.testClient.snapshot()
      await block(...orders)
      const seen = await look()
      await chain.testClient.revert({ id })
      return seen
    },
    swap: (from, tokenIn, tokenOut, amountIn, output) => {
      const common = {
        tokenIn,
        tokenOut,
        fee,
        recipient: from,
        deadline: never,
        sqrtPriceLimitX96: 0n,
      }
      return onRouter(
        from,
        output === undefined
          ? encodeFunctionData({
              abi: swapRouterAbi,
              functionName: 'exactInputSingle',
              args: [{ ...common, amountIn, amountOutMinimum: 0n }],
            })
          : encodeFunctionData({
              abi: swapRouterAbi,
              functionName: 'exactOutputSingle',
              args: [{ ...common, amountOut: output, amountInMaximum: amountIn }],
            }),
      )
    },
    travel: (from, path, amountIn) => {
      const hops = path.map((hop) => hop.slice(2)).join(fee.toString(16).padStart(6, '0'))
      const params = {
        path: `0x${hops}` as Hex,
        recipient: from,
        deadline: never,
        amountIn,
        amountOutMinimum: 0n,
      }
      return onRouter(
        from,
        encodeFunctionData({ abi: multiHopAbi, functionName: 'exactInput', args: [params] }),
      )
    },
    trade: (from, path, amountIn) => {
      const args = [amountIn, 0n, [...path], from, never] as const
      const data = encodeFunctionData({
        abi: v2RouterAbi,
        functionName: 'swapExactTokensForTokens',
        args,
      })
      return { from, to: uniswapV2Router, data }
    },
    together: (from, orders, value) => ({
      ...onRouter(
        from,
        encodeFunctionData({
          abi: multiHopAbi,
          functionName: 'multicall',
          args: [orders.map(({ data }) => data)],
        }),
      ),
      ...(value === undefined ? {} : { value }),
    }),
  }
}

export function orderOf(exchange: Exchange, txHashes: readonly Hex[], change: object = {}) {
  return {
    schemaVersion: 'execution-attribution-v1' as const,
    pair: {
      chainId: 31337,
      base: exchange.base,
      quote: exchange.quote,
      baseDecimals: 18,
      quoteDecimals: 18,
    },
    side: 'BUY' as const,
    trader: exchange.traders[0]!,
    decision: { at: '2026-01-01T00:00:00.000Z', priceX18: `${e18}` },
    intended: { base: `${10n ** 21n}` },
    fills: txHashes.map((txHash) => ({ txHash })),
    nativePriceX18: `${2000n * e18}`,
    horizonSeconds: 300,
    ...change,
  }
}
