import { erc20Abi, v2FactoryAbi, v2PairAbi, v2RouterAbi, weth9Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { drawOf } from './drawn.ts'
import type { LaunchChain } from './launch-chain.ts'

/** A synthetic market next to the recorded one, named as the demo's own. */
export interface OwnMarket {
  readonly address: Address
  readonly startBlock: number
}

const ether = 10n ** 18n
const deadline = 4_102_444_800n
const liquidityQuote = 5n * ether
/** Seconds from one swap to the next, between these. */
const [soonest, latest] = [30, 60]

/** What our account does on the chain, by its unlocked key. */
function trader({ chain, base, quote }: LaunchChain) {
  const from = chain.accounts[8]?.address
  if (!from) throw new Error('The local chain has no ninth account.')
  const { uniswapV2Router: router } = chain.contracts
  const send = (to: Address, data: Hex, value = 0n) => chain.send({ from, to, data, value })
  return {
    from,
    approve: async () => {
      for (const token of [base, quote]) {
        const args = [router, 2n ** 256n - 1n] as const
        await send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
      }
    },
    wrap: (amount: bigint) =>
      send(quote, encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' }), amount),
    provide: (amountBase: bigint, amountQuote: bigint) => {
      const args = [base, quote, amountBase, amountQuote, 0n, 0n, from, deadline] as const
      const call = { abi: v2RouterAbi, functionName: 'addLiquidity', args } as const
      return send(router, encodeFunctionData(call))
    },
    swap: (amountIn: bigint, path: readonly Address[]) => {
      const args = [amountIn, 0n, path, from, deadline] as const
      const call = { abi: v2RouterAbi, functionName: 'swapExactTokensForTokens', args } as const
      return send(router, encodeFunctionData(call))
    },
  }
}

/** The pair that an earlier start opened, or a new one at the price that the recording ended at. */
export async function openOwnMarket(launch: LaunchChain): Promise<OwnMarket> {
  const { chain, base, quote } = launch
  const { publicClient } = chain
  const factory = { address: chain.contracts.uniswapV2Factory, abi: v2FactoryAbi } as const
  const args = [base, quote] as const
  const known = await publicClient.readContract({ ...factory, functionName: 'getPair', args })
  if (known !== zeroAddress) {
    const created = await publicClient.getContractEvents({
      ...factory,
      eventName: 'PairCreated',
      fromBlock: 0n,
      strict: true,
    })
    const event = created.find(({ args: { pair } }) => pair === known)
    if (!event) throw new Error('The creation event of the demo pair is missing.')
    return { address: known, startBlock: Number(event.blockNumber) }
  }
  const price = lastPrice(launch)
  const amountBase = (liquidityQuote * ether) / price
  const us = trader(launch)
  const holder = chain.accounts[0]
  if (!holder) throw new Error('The local chain has no accounts.')
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [us.from, 2n * amountBase],
  })
  await chain.send({ from: holder.address, to: base, data: transfer })
  await us.wrap(2n * liquidityQuote)
  await us.approve()
  const { address, blockNumber } = await chain.createV2Pair(base, quote)
  await us.provide(amountBase, liquidityQuote)
  // A block is finalized two blocks later.
  await chain.mine(2)
  return { address, startBlock: Number(blockNumber) }
}

/** WETH atoms for an ENS that the last recorded swap left. */
function lastPrice({ recorded, recording, base }: LaunchChain): bigint {
  const last = recorded.events.findLast((event) => event.kind === 'SWAP')
  if (!last) throw new Error('The recording has no swap.')
  const squared = (last.sqrtPriceX96 * last.sqrtPriceX96 * ether) >> 192n
  return recording.token0 === base ? squared : (ether * ether) / squared
}

/**
 * Performs small random swaps in both directions. The block number seeds the draws, which drift
 * toward the last recorded price. Each swap mines one block; no other blocks are mined.
 *
 * @param alongside another swap at the same times, null if the chain has no other market
 * @param afterSwap called after the swaps, with the error if one failed
 */
export function keepTrading(
  launch: LaunchChain,
  { address }: OwnMarket,
  alongside: ((draw: bigint) => Promise<void>) | null,
  afterSwap: (failure: unknown) => Promise<void>,
): () => Promise<void> {
  const us = trader(launch)
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  const next = (draw: bigint) => {
    const seconds = soonest + Number(draw % BigInt(latest - soonest + 1))
    timer = setTimeout(() => {
      running = once().then(next)
    }, seconds * 1000)
    timer.unref()
  }
  const once = async () => {
    const draw = drawOf(await launch.chain.publicClient.getBlockNumber({ cacheTime: 0 }))
    try {
      // Automine is off while a user composes a block by hand; skip this swap.
      if (!(await launch.chain.testClient.getAutomine())) return draw
      const { amountIn, path } = swapOf(draw, await midOf(launch, address), launch)
      // A user may have moved the chain's clock; the next block must carry the current time.
      await launch.chain.followClock()
      await us.swap(amountIn, path)
      await alongside?.(draw)
      await afterSwap(null)
    } catch (error) {
      await afterSwap(error)
    }
    return draw
  }
  next(0n)
  return async () => {
    clearTimeout(timer)
    await running
    clearTimeout(timer)
  }
}

async function midOf({ chain, base, quote }: LaunchChain, address: Address): Promise<bigint> {
  const [reserve0, reserve1] = await chain.publicClient.readContract({
    address,
    abi: v2PairAbi,
    functionName: 'getReserves',
  })
  const isBaseFirst = BigInt(base) < BigInt(quote)
  const [baseReserve, quoteReserve] = isBaseFirst ? [reserve0, reserve1] : [reserve1, reserve0]
  return (quoteReserve * ether) / baseReserve
}

/**
 * 0.002 to 0.010 WETH, or the equivalent in ENS. Three of four swaps move the price back toward the
 * recorded one.
 */
function swapOf(draw: bigint, mid: bigint, launch: LaunchChain) {
  const { base, quote } = launch
  const worth = ((2n + (draw % 9n)) * ether) / 1000n
  const isBack = (draw >> 8n) % 4n !== 0n
  const isBuy = mid < lastPrice(launch) === isBack
  return isBuy
    ? { amountIn: worth, path: [quote, base] }
    : { amountIn: (worth * ether) / mid, path: [base, quote] }
}
