import { swapBatch } from '../../packages/engine/src/amm/v3/fast/batch.ts'
import { openClmmSession } from '../../packages/engine/src/amm/v3/fast/session.ts'
import { loadPool } from '../../packages/engine/src/amm/v3/pool.ts'
import type { ClmmState } from '../../packages/engine/src/amm/v3/state.ts'
import { commitSwap, type SwapRequest, walkSwap } from '../../packages/engine/src/amm/v3/swap.ts'
import type { Benchmark, Comparison, Figures } from '../benchmark.ts'
import { installPeer } from '../peers.ts'
import { openSdkPool } from '../v3-sdk-pool.ts'
import { type BellaPool, loadBella } from './bella.ts'
import { answersOf, type BytecodePool, encodeScript } from './evm/bytecode.ts'
import { openWorkloadPool } from './evm/workload-pool.ts'
import { compileNative } from './native.ts'
import { newState, newWorkloadA, newWorkloadS } from './workload.ts'

/** Parameters of a swap benchmark. */
interface Terms {
  readonly swaps: readonly SwapRequest[]
  /** Swaps of the peers per round, after an equal number of warm-up swaps. */
  readonly bella: number
  readonly sdk: number
  readonly bytecode: number
  readonly crossings: number
}

/** One of the product's engines: every output amount, and the pool after all swaps. */
interface Own {
  run(swaps: readonly SwapRequest[]): { amountsOut: readonly bigint[]; observed: string }
}

const observe = (pool: Pick<ClmmState, Observed>): string =>
  [
    pool.sqrtPriceX96,
    pool.tick,
    pool.liquidity,
    pool.feeGrowthGlobal0X128,
    pool.feeGrowthGlobal1X128,
  ].join(' ')
type Observed =
  | 'sqrtPriceX96'
  | 'tick'
  | 'liquidity'
  | 'feeGrowthGlobal0X128'
  | 'feeGrowthGlobal1X128'

const readable = (state: ClmmState): Own => ({
  run: (swaps) => {
    const pool = loadPool(state)
    const amountsOut = swaps.map((swap) => {
      const walk = walkSwap(pool, swap)
      commitSwap(pool, walk)
      return walk.amountOut
    })
    return { amountsOut, observed: observe(pool) }
  },
})

async function openSwaps(terms: Terms, seconds: number) {
  const state = newState()
  const { swaps } = terms
  const wanted = readable(state).run(swaps)
  const openBella = await loadBella()
  const loadSdk = await installPeer('@uniswap/v3-sdk', '3.31.5')
  const bytecode = await openWorkloadPool()
  const native = compileNative()
  if (native === null) process.stderr.write('g++ is missing: the C++ engines are skipped.\n')
  assertOwn(state, swaps, wanted)
  assertBella(openBella(swaps), state, swaps.slice(0, terms.bella))
  await assertBytecode(bytecode, swaps.slice(0, terms.bytecode), wanted.amountsOut)
  const script = encodeScript(toOperations(swaps.slice(0, terms.bytecode)))
  const runNative = (mode: 'plain' | 'memo') => {
    if (native === null) return Number.NaN
    const { swapsPerSecond, observed } = native(mode, state, swaps, seconds / 4)
    const sum = wanted.amountsOut.reduce((total, amount) => total + amount, 0n)
    if (observed !== `${sum} ${wanted.observed}`)
      throw new Error(`C++ ${mode} came out differently`)
    return swapsPerSecond
  }
  const round = async (): Promise<Figures> => ({
    bella: runBella(openBella, swaps, terms.bella),
    fast: repeat(seconds, () => rateFast(state, swaps)),
    bytecode: await rateCall(bytecode, script, terms.bytecode),
    single: repeat(seconds / 2, () => rateSingle(state, swaps)),
    sdk: await runSdk(loadSdk, state, swaps.slice(0, 2 * terms.sdk)),
    readable: repeat(seconds / 2, () => rateReadable(state, swaps)),
    plain: runNative('plain'),
    memo: runNative('memo'),
    crossings: terms.crossings,
  })
  await round()
  return { round, close: () => bytecode.stop() }
}

/** The fast engine with one call for all swaps and with one call for each; every field of the state. */
function assertOwn(
  state: ClmmState,
  swaps: readonly SwapRequest[],
  wanted: { observed: string; amountsOut: readonly bigint[] },
) {
  const session = openClmmSession(state)
  const outcomes = swapBatch(session, swaps)
  const single = openClmmSession(state)
  for (const [index, swap] of swaps.entries()) {
    const { amountOut } = single.swap(swap)
    if (outcomes.amountOut(index) !== amountOut || wanted.amountsOut[index] !== amountOut) {
      throw new Error(`swap ${index} differs between our engines`)
    }
  }
  if (
    observe(session.toState()) !== wanted.observed ||
    observe(single.toState()) !== wanted.observed
  ) {
    throw new Error('the state after all swaps differs between our engines')
  }
}

function assertBella(pool: BellaPool, state: ClmmState, swaps: readonly SwapRequest[]) {
  const { amountsOut, observed } = readable(state).run(swaps)
  for (const [index, wanted] of amountsOut.entries()) {
    const amountOut = BigInt(pool.swap(index).toString())
    if (amountOut !== -wanted) throw new Error(`swap ${index}: Bella ${amountOut}, ours ${wanted}`)
  }
  if (pool.observed() !== observed)
    throw new Error(`Bella ends at ${pool.observed()}, ours ${observed}`)
}

/**
 * Amounts of every swap within the one call, and the state after them; for the state they are
 * mined once.
 */
async function assertBytecode(
  pool: BytecodePool,
  swaps: readonly SwapRequest[],
  wanted: readonly bigint[],
) {
  const script = encodeScript(toOperations(swaps))
  const answers = await pool.call(script)
  for (const [index, swap] of swaps.entries()) {
    const amountOut = -answersOf(answers, index)[swap.zeroForOne ? 1 : 0]
    if (amountOut !== wanted[index]) {
      throw new Error(`swap ${index}: the bytecode ${amountOut}, ours ${wanted[index]}`)
    }
  }
  const { testClient } = pool.chain
  const id = await testClient.snapshot()
  await pool.send(script)
  const [observed, ours] = [await pool.observed(), readable(newState()).run(swaps).observed]
  await testClient.revert({ id })
  if (observed !== ours) throw new Error(`the bytecode ends at ${observed}, ours at ${ours}`)
}

const toOperations = (swaps: readonly SwapRequest[]) =>
  swaps.map((swap) => ({ kind: 'swap' as const, ...swap }))

/** Mean rate over a while. Excludes the creation of the pool, includes cached data. */
function repeat(
  seconds: number,
  milliseconds: () => [milliseconds: number, swaps: number],
): number {
  let elapsed = 0
  let done = 0
  do {
    const [time, count] = milliseconds()
    elapsed += time
    done += count
  } while (elapsed < seconds * 1000)
  return (done * 1000) / elapsed
}

/** From the requests to all output amounts. */
function rateFast(state: ClmmState, swaps: readonly SwapRequest[]): [number, number] {
  const session = openClmmSession(state)
  const start = performance.now()
  const outcomes = swapBatch(session, swaps)
  let total = 0n
  for (let index = 0; index < outcomes.length; index++) total += outcomes.amountOut(index)
  return [performance.now() - start, total > 0n ? swaps.length : 0]
}

function rateSingle(state: ClmmState, swaps: readonly SwapRequest[]): [number, number] {
  const session = openClmmSession(state)
  const start = performance.now()
  for (const swap of swaps) session.swap(swap)
  return [performance.now() - start, swaps.length]
}

function rateReadable(state: ClmmState, swaps: readonly SwapRequest[]): [number, number] {
  const pool = loadPool(state)
  const start = performance.now()
  for (const swap of swaps) commitSwap(pool, walkSwap(pool, swap))
  return [performance.now() - start, swaps.length]
}

function runBella(
  open: (swaps: readonly SwapRequest[]) => BellaPool,
  swaps: readonly SwapRequest[],
  count: number,
): number {
  const pool = open(swaps)
  for (let index = 0; index < count; index++) pool.swap(index)
  const start = performance.now()
  for (let index = count; index < 2 * count; index++) pool.swap(index)
  return (count * 1000) / (performance.now() - start)
}

async function runSdk(
  load: NodeJS.Require,
  state: ClmmState,
  swaps: readonly SwapRequest[],
): Promise<number> {
  let pool = openSdkPool(load, state)
  const half = swaps.length / 2
  let start = 0
  for (const [index, { zeroForOne, amountSpecified }] of swaps.entries()) {
    if (index === half) start = performance.now()
    pool = await pool.swap(zeroForOne, amountSpecified)
  }
  const rate = (half * 1000) / (performance.now() - start)
  const { observed } = readable(state).run(swaps)
  const [, ...reached] = pool.observed().split(' ')
  if (!observed.startsWith(reached.join(' '))) throw new Error('the SDK came out differently')
  return rate
}

async function rateCall(pool: BytecodePool, script: `0x${string}`, count: number): Promise<number> {
  const start = performance.now()
  await pool.call(script)
  return (count * 1000) / (performance.now() - start)
}

const units = {
  fast: 'swaps/s',
  single: 'swaps/s',
  readable: 'swaps/s',
  bella: 'swaps/s',
  sdk: 'swaps/s',
  bytecode: 'swaps/s',
  plain: 'swaps/s',
  memo: 'swaps/s',
  crossings: 'ticks/swap',
}

/** The limit of a single noisy run is three quarters of the goal in the name. */
const comparisonsFor = (goals: {
  bella: number
  sdk: number | null
  bytecode: number
}): Comparison[] => [
  {
    name: `Bella (goal ${goals.bella})`,
    of: 'fast',
    to: 'bella',
    mark: { atLeast: 0.75 * goals.bella },
  },
  {
    name: goals.sdk === null ? 'v3-sdk' : `v3-sdk (goal ${goals.sdk})`,
    of: 'fast',
    to: 'sdk',
    mark: goals.sdk === null ? null : { atLeast: 0.75 * goals.sdk },
  },
  {
    name: `bytecode (goal ${goals.bytecode})`,
    of: 'fast',
    to: 'bytecode',
    mark: { atLeast: 0.75 * goals.bytecode },
  },
  { name: 'plain C++ -O3 (goal 1)', of: 'fast', to: 'plain', mark: { atLeast: 1 } },
  { name: 'C++, same memo (goal 0.55)', of: 'fast', to: 'memo', mark: { atLeast: 0.41 } },
  { name: 'one call per swap / Bella', of: 'single', to: 'bella', mark: null },
  { name: 'fast / readable BigInt', of: 'fast', to: 'readable', mark: null },
]

/** Realistic flow. */
export const swapsA: Benchmark = {
  name: 'swaps-a',
  title: 'exact stateful swaps, 0.56 ticks crossed in each, equal to the bit',
  units,
  comparisons: comparisonsFor({ bella: 30, sdk: 50, bytecode: 60 }),
  open: ({ seconds }) => {
    const counts = { bella: 1500, sdk: 1000, bytecode: 2000, crossings: 0.56 }
    return openSwaps({ swaps: newWorkloadA(), ...counts }, seconds)
  },
}

/** Sweeping flow. */
export const swapsS: Benchmark = {
  name: 'swaps-s',
  title: 'exact stateful swaps, 20.9 ticks crossed in each, equal to the bit',
  units,
  comparisons: comparisonsFor({ bella: 100, sdk: null, bytecode: 150 }),
  open: ({ seconds }) => {
    const counts = { bella: 200, sdk: 150, bytecode: 400, crossings: 20.855 }
    return openSwaps({ swaps: newWorkloadS(), ...counts }, seconds)
  },
}
