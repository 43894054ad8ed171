import { quoterAbi } from '@liquidity-os/localchain'
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { quoteBatch } from '../../packages/engine/src/amm/v3/fast/batch.ts'
import { openClmmSession } from '../../packages/engine/src/amm/v3/fast/session.ts'
import type { SwapRequest } from '../../packages/engine/src/amm/v3/swap.ts'
import type { Benchmark } from '../benchmark.ts'
import type { BytecodePool } from './evm/bytecode.ts'
import { openWorkloadPool } from './evm/workload-pool.ts'
import { newState, newWorkloadA, newWorkloadS } from './workload.ts'

const IN_FLIGHT = 8
const PER_ROUND = 400

/** Result of a quoter: output amount, price after, ticks crossed. */
type Quote = readonly [bigint, bigint, number]

function encodeQuote(pool: BytecodePool, { zeroForOne, amountSpecified }: SwapRequest): string {
  const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  const params = { tokenIn, tokenOut, amountIn: amountSpecified, fee: 3000, sqrtPriceLimitX96: 0n }
  const data = encodeFunctionData({
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    args: [params],
  })
  const call = { to: pool.chain.contracts.quoter, data }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] })
}

/** Sends the bodies, eight at a time, as a service would. @returns the answers, not decoded */
async function ask(pool: BytecodePool, bodies: readonly string[]): Promise<Hex[]> {
  const answers: Hex[] = []
  let next = 0
  const worker = async () => {
    while (next < bodies.length) {
      const index = next++
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: bodies[index] as string }
      const reply = (await (await fetch(pool.chain.rpcUrl, init)).json()) as { result: Hex }
      answers[index] = reply.result
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  return answers
}

function decodeQuote(data: Hex): Quote {
  const [amountOut, price, crossed] = decodeFunctionResult({
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    data,
  })
  return [amountOut, price, crossed]
}

async function assertEqual(pool: BytecodePool, swaps: readonly SwapRequest[]) {
  const answers = await ask(
    pool,
    swaps.map((swap) => encodeQuote(pool, swap)),
  )
  const quotes = quoteBatch(openClmmSession(newState()), swaps)
  for (const [index, answer] of answers.entries()) {
    const { amountOut, sqrtPriceX96, crossed } = quotes.at(index)
    const [ours, theirs] = [[amountOut, sqrtPriceX96, crossed].join(), decodeQuote(answer).join()]
    if (ours !== theirs) throw new Error(`quote ${index}: ours ${ours}, QuoterV2 ${theirs}`)
  }
}

async function rateQuoter(pool: BytecodePool, bodies: readonly string[]): Promise<number> {
  const start = performance.now()
  await ask(pool, bodies)
  return (bodies.length * 1000) / (performance.now() - start)
}

/** From the requests to all output amounts. The session is new, without caches. */
function rateFast(swaps: readonly SwapRequest[], seconds: number): number {
  const state = newState()
  let elapsed = 0
  let done = 0
  do {
    const session = openClmmSession(state)
    const start = performance.now()
    const quotes = quoteBatch(session, swaps)
    for (let index = 0; index < quotes.length; index++) quotes.amountOut(index)
    elapsed += performance.now() - start
    done += swaps.length
  } while (elapsed < seconds * 1000)
  return (done * 1000) / elapsed
}

/** Quotes of the swaps of both workloads on the unchanged pool. */
export const quotes: Benchmark = {
  name: 'quotes',
  title: `exact quotes beside QuoterV2 by eth_call, ${IN_FLIGHT} in flight`,
  units: { fewA: 'quotes/s', quoterA: 'quotes/s', manyS: 'quotes/s', quoterS: 'quotes/s' },
  comparisons: [
    { name: 'A (goal 300)', of: 'fewA', to: 'quoterA', mark: { atLeast: 225 } },
    { name: 'S (goal 300)', of: 'manyS', to: 'quoterS', mark: { atLeast: 225 } },
  ],
  open: async ({ seconds }) => {
    const pool = await openWorkloadPool()
    const [few, many] = [newWorkloadA(), newWorkloadS()]
    await assertEqual(pool, few.slice(0, 300))
    await assertEqual(pool, many.slice(0, 100))
    const encode = (swaps: readonly SwapRequest[]) =>
      swaps.slice(0, PER_ROUND).map((swap) => encodeQuote(pool, swap))
    const [fewBodies, manyBodies] = [encode(few), encode(many)]
    const round = async () => ({
      quoterA: await rateQuoter(pool, fewBodies),
      fewA: rateFast(few, seconds / 2),
      quoterS: await rateQuoter(pool, manyBodies),
      manyS: rateFast(many, seconds / 2),
    })
    await round()
    return { round, close: () => pool.stop() }
  },
}
