import { type Address, encodeFunctionData, type Hex, maxUint256, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  erc20Abi,
  forwardData,
  type Localchain,
  paymentData,
  positionManagerAbi,
  quoterAbi,
  sortTokens,
  startLocalchain,
  swapRouterAbi,
  v2PairAbi,
  v2RouterAbi,
  v3PoolAbi,
} from './index.ts'

let chain: Localchain
let tokens: [Address, Address]
let trader: Address
const deadline = 4_102_444_800n
const one = 10n ** 18n

beforeAll(async () => {
  chain = await startLocalchain()
  trader = chain.accounts[0]!.address
  const first = await chain.deployToken({ name: 'First', symbol: 'ONE' })
  const second = await chain.deployToken({ name: 'Second', symbol: 'TWO' })
  tokens = sortTokens(first, second)
  const { uniswapV2Router, swapRouter, positionManager } = chain.contracts
  for (const spender of [uniswapV2Router, swapRouter, positionManager]) {
    const args = [spender, maxUint256] as const
    for (const token of tokens) {
      await call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    }
  }
})
afterAll(() => chain.stop())

const call = (to: Address, data: Hex) => chain.send({ from: trader, to, data })

describe('Uniswap v2', () => {
  it('trades at the price that 997/1000 of the input gives', async () => {
    const [token0, token1] = tokens
    const router = chain.contracts.uniswapV2Router
    const pair = await chain.createV2Pair(token0, token1)
    const amounts = [1000n * one, 2000n * one] as const
    const liquidity = [token0, token1, ...amounts, 0n, 0n, trader, deadline] as const
    await call(
      router,
      encodeFunctionData({ abi: v2RouterAbi, functionName: 'addLiquidity', args: liquidity }),
    )
    const swap = [10n * one, 0n, [token0, token1], trader, deadline] as const
    const { logs } = await call(
      router,
      encodeFunctionData({
        abi: v2RouterAbi,
        functionName: 'swapExactTokensForTokens',
        args: swap,
      }),
    )
    const [traded] = parseEventLogs({ abi: v2PairAbi, logs: [...logs], eventName: 'Swap' })
    const input = 10n * one * 997n
    expect(traded?.address).toBe(pair.address.toLowerCase())
    expect(traded?.args.amount1Out).toBe((input * 2000n * one) / (1_000_000n * one + input))
  })
})

describe('Uniswap v3', () => {
  it('trades as the quoter said it would', async () => {
    const [token0, token1] = tokens
    const sqrtPriceX96 = 2n ** 96n
    await chain.createV3Pool({ tokenA: token1, tokenB: token0, fee: 3000, sqrtPriceX96 })
    const range = { token0, token1, fee: 3000, tickLower: -6000, tickUpper: 6000 }
    const amounts = { amount0Desired: 100n * one, amount1Desired: 100n * one }
    const mint = {
      ...range,
      ...amounts,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: trader,
      deadline,
    }
    await call(
      chain.contracts.positionManager,
      encodeFunctionData({ abi: positionManagerAbi, functionName: 'mint', args: [mint] }),
    )
    const trade = { tokenIn: token0, tokenOut: token1, fee: 3000, amountIn: one }
    const quoted = await chain.publicClient.simulateContract({
      address: chain.contracts.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [{ ...trade, sqrtPriceLimitX96: 0n }],
    })
    const terms = { ...trade, recipient: trader, deadline, amountOutMinimum: 0n }
    const { logs } = await call(
      chain.contracts.swapRouter,
      encodeFunctionData({
        abi: swapRouterAbi,
        functionName: 'exactInputSingle',
        args: [{ ...terms, sqrtPriceLimitX96: 0n }],
      }),
    )
    const [traded] = parseEventLogs({ abi: v3PoolAbi, logs: [...logs], eventName: 'Swap' })
    expect(traded?.args.amount0).toBe(one)
    expect(traded?.args.amount1).toBe(-quoted.result[0])
  })

  it('is paid by the payer in its callbacks, and refuses an underpayment', async () => {
    const [token0, token1] = tokens
    const terms = { tokenA: token0, tokenB: token1, fee: 500, sqrtPriceX96: 2n ** 96n }
    const pool = await chain.createV3Pool(terms)
    const { payer } = chain.contracts
    for (const token of tokens) {
      const args = [payer, 1000n * one] as const
      await call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
    }
    const mint = (extra0: bigint): Hex => {
      const data = paymentData({ token0, token1, extra0 })
      const args = [payer, -100, 100, 10n ** 20n, data] as const
      const minting = encodeFunctionData({ abi: v3PoolAbi, functionName: 'mint', args })
      return forwardData(pool.address, minting)
    }
    await expect(call(payer, mint(-1n))).rejects.toMatchObject({ reason: 'M0' })
    const { logs } = await call(payer, mint(0n))
    const [minted] = parseEventLogs({ abi: v3PoolAbi, logs: [...logs], eventName: 'Mint' })
    expect(minted?.args).toMatchObject({ owner: payer, amount: 10n ** 20n })
    const flash = (extra1: bigint): Hex => {
      const args = [payer, 0n, one / 10n, paymentData({ token0, token1, extra1 })] as const
      const borrowing = encodeFunctionData({ abi: v3PoolAbi, functionName: 'flash', args })
      return forwardData(pool.address, borrowing)
    }
    await expect(call(payer, flash(one / 10n - 1n))).rejects.toMatchObject({ reason: 'F1' })
    const lent = await call(payer, flash(one / 10n))
    const [flashed] = parseEventLogs({ abi: v3PoolAbi, logs: [...lent.logs], eventName: 'Flash' })
    expect(flashed?.args.paid1).toBe(one / 20_000n)
  })
})
