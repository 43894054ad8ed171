import { PoolRevertError } from '../amm/pool-revert.ts'
import { burn, collect, midPrice, mint, swapExactIn } from '../amm/swap.ts'
import { burnPair, mintPair, transferLiquidity, transferToPair } from '../amm/v2/pair.ts'
import { type CpmmState, PAIR_ACCOUNT } from '../amm/v2/state.ts'
import { type Depth, depthLadder } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import { peripheryLiquidity } from './periphery-liquidity.ts'
import type { PairAmounts, PlanLimits, PlanStep, StepOutcome, StepRefusal, World } from './plan.ts'

const NOTHING: PairAmounts = { base: 0n, quote: 0n }

interface Situation {
  readonly worlds: Readonly<Record<string, World>>
  readonly wallet: PairAmounts
  readonly approved: ReadonlySet<string>
}

interface Done {
  readonly situation: Situation
  readonly liquidity: bigint
}

/**
 * Simulates a plan step by step on copies of its markets. It stops at the first step that cannot be
 * sent. The reasons are a contract rejection, insufficient wallet funds, or a limit that would be
 * violated after the step. The input is unchanged.
 *
 * @param worlds markets by the names that the steps use
 * @param wallet spendable funds at the start
 * @returns one outcome per step up to the end or the first refusal
 */
export function simulatePlan(
  worlds: Readonly<Record<string, World>>,
  wallet: PairAmounts,
  steps: readonly PlanStep[],
  limits: PlanLimits,
): StepOutcome[] {
  const outcomes: StepOutcome[] = []
  let situation: Situation = { worlds, wallet, approved: new Set() }
  for (const step of steps) {
    const attempt = tryStep(situation, step, limits)
    const next = typeof attempt === 'string' ? situation : attempt.situation
    outcomes.push({
      step,
      refusal: typeof attempt === 'string' ? attempt : null,
      delta: subtract(next.wallet, situation.wallet),
      liquidity: typeof attempt === 'string' ? 0n : attempt.liquidity,
      wallet: next.wallet,
      worlds: next.worlds,
      depth: totalDepth(next.worlds, limits),
    })
    if (typeof attempt === 'string') return outcomes
    situation = next
  }
  return outcomes
}

/**
 * The smallest number of tranches with a plan that completes, searched upwards.
 *
 * @param build the steps of a plan in n tranches
 * @param most 1..64
 * @returns null if no number works; then `refused` is the outcome that stopped the plan with the
 * most tranches
 */
export function smallestTranches(
  worlds: Readonly<Record<string, World>>,
  wallet: PairAmounts,
  build: (tranches: number) => readonly PlanStep[],
  limits: PlanLimits,
  most = 64,
): { tranches: number | null; outcomes: readonly StepOutcome[] } {
  let outcomes: readonly StepOutcome[] = []
  for (let tranches = 1; tranches <= most; tranches++) {
    outcomes = simulatePlan(worlds, wallet, build(tranches), limits)
    if (outcomes.every(({ refusal }) => refusal === null)) return { tranches, outcomes }
  }
  return { tranches: null, outcomes }
}

function tryStep(situation: Situation, step: PlanStep, limits: PlanLimits): Done | StepRefusal {
  try {
    const done = carryOut(situation, step, limits)
    if (typeof done === 'string') return done
    const { wallet, worlds } = done.situation
    if (wallet.base < 0n || wallet.quote < 0n) return 'NOT_PAID'
    const touched = 'world' in step ? worlds[step.world] : undefined
    if (touched !== undefined && !isWithinBand(touched, limits)) return 'PRICE_OUT_OF_BAND'
    return isDeepEnough(worlds, limits) ? done : 'DEPTH_BELOW_FLOOR'
  } catch (error) {
    if (error instanceof PoolRevertError) return 'REVERTS'
    throw error
  }
}

function carryOut(situation: Situation, step: PlanStep, limits: PlanLimits): Done | StepRefusal {
  if (step.kind === 'SOAK' || step.kind === 'VERIFY') return { situation, liquidity: 0n }
  const world = situation.worlds[step.world]
  if (step.kind === 'CREATE_POOL') {
    if (world !== undefined) return 'WORLD_EXISTS'
    return { situation: withWorld(situation, step.world, step.opened), liquidity: 0n }
  }
  if (world === undefined) return 'UNKNOWN_WORLD'
  switch (step.kind) {
    case 'APPROVE':
    case 'REVOKE_APPROVAL': {
      const approved = new Set(situation.approved)
      if (step.kind === 'APPROVE') approved.add(step.world)
      else approved.delete(step.world)
      return { situation: { ...situation, approved }, liquidity: 0n }
    }
    case 'SWAP':
      return swap(situation, step, world, limits)
    case 'MINT':
      return situation.approved.has(step.world)
        ? addLiquidity(situation, step, world)
        : 'APPROVAL_MISSING'
    case 'REMOVE':
      return removeLiquidity(situation, step, world)
    case 'COLLECT':
      return collectFees(situation, step, world)
  }
}

type Step<K extends PlanStep['kind']> = Extract<PlanStep, { kind: K }>

function swap(
  situation: Situation,
  step: Step<'SWAP'>,
  world: World,
  limits: PlanLimits,
): Done | StepRefusal {
  const { base, quote } = world.orientation
  const buys = step.side === 'BUY'
  const mid = midPrice(world.market, world.orientation)
  const d = buys ? { from: quote, to: base } : { from: base, to: quote }
  const done = swapExactIn(world.market, d, step.amountIn)
  const [paid, got] = buys
    ? [done.amountIn, quoteValue(done.amountOut, mid)]
    : [quoteValue(done.amountIn, mid), done.amountOut]
  const isDear = (paid - got) * 1_000_000n > paid * BigInt(limits.maxSlippagePips)
  if (done.exhausted || isDear) return 'SLIPPAGE'
  const delta = buys
    ? { base: done.amountOut, quote: -done.amountIn }
    : { base: -done.amountIn, quote: done.amountOut }
  return { situation: settle(situation, step.world, world, done.state, delta), liquidity: 0n }
}

function addLiquidity(situation: Situation, step: Step<'MINT'>, world: World): Done | StepRefusal {
  const { market, orientation } = world
  const [amount0, amount1] = toTokens(orientation.base, step.amounts)
  const { position } = step
  if (market.kind === 'UNISWAP_V3') {
    const { tickLower, tickUpper } = position
    const liquidity = peripheryLiquidity(market, tickLower, tickUpper, amount0, amount1)
    const added = mint(market, position, liquidity)
    const delta = toPair(orientation.base, -added.amount0, -added.amount1)
    return { situation: settle(situation, step.world, world, added.state, delta), liquidity }
  }
  if (market.kind !== 'UNISWAP_V2') return 'UNSUPPORTED_MARKET'
  const [paid0, paid1] = inProportion(market, amount0, amount1)
  const { state, liquidity } = mintPair(transferToPair(market, paid0, paid1), position.owner)
  const delta = toPair(orientation.base, -paid0, -paid1)
  return { situation: settle(situation, step.world, world, state, delta), liquidity }
}

/**
 * Parts of two amounts that a pair accepts in its own ratio; the first deposit takes both in full.
 */
function inProportion(pair: CpmmState, amount0: bigint, amount1: bigint): [bigint, bigint] {
  const { reserve0, reserve1 } = pair
  if (reserve0 === 0n || reserve1 === 0n) return [amount0, amount1]
  const needed1 = (amount0 * reserve1) / reserve0
  if (needed1 <= amount1) return [amount0, needed1]
  return [(amount1 * reserve0) / reserve1, amount1]
}

function removeLiquidity(
  situation: Situation,
  step: Step<'REMOVE'>,
  world: World,
): Done | StepRefusal {
  const { market, orientation } = world
  const { position, liquidity } = step
  if (market.kind === 'UNISWAP_V3') {
    // The amounts are owed by the pool until they are collected.
    const { state } = burn(market, position, liquidity)
    return { situation: settle(situation, step.world, world, state, NOTHING), liquidity }
  }
  if (market.kind !== 'UNISWAP_V2') return 'UNSUPPORTED_MARKET'
  const sent = transferLiquidity(market, position.owner, PAIR_ACCOUNT, liquidity)
  const { state, amount0, amount1 } = burnPair(sent)
  const delta = toPair(orientation.base, amount0, amount1)
  return { situation: settle(situation, step.world, world, state, delta), liquidity }
}

function collectFees(
  situation: Situation,
  step: Step<'COLLECT'>,
  world: World,
): Done | StepRefusal {
  const { market, orientation } = world
  if (market.kind !== 'UNISWAP_V3') return 'UNSUPPORTED_MARKET'
  const { state, amount0, amount1 } = collect(market, step.position)
  const delta = toPair(orientation.base, amount0, amount1)
  return { situation: settle(situation, step.world, world, state, delta), liquidity: 0n }
}

function settle(
  situation: Situation,
  name: string,
  world: World,
  market: World['market'],
  delta: PairAmounts,
): Situation {
  const { base, quote } = situation.wallet
  const wallet = { base: base + delta.base, quote: quote + delta.quote }
  return withWorld({ ...situation, wallet }, name, { ...world, market })
}

function withWorld(situation: Situation, name: string, world: World): Situation {
  return { ...situation, worlds: { ...situation.worlds, [name]: world } }
}

function isWithinBand({ market, orientation }: World, { priceBand }: PlanLimits): boolean {
  const price = midPrice(market, orientation)
  const { lowest, highest } = priceBand
  return (
    price.num * lowest.den >= lowest.num * price.den &&
    price.num * highest.den <= highest.num * price.den
  )
}

function isDeepEnough(worlds: Readonly<Record<string, World>>, limits: PlanLimits): boolean {
  const depth = totalDepth(worlds, limits)
  return limits.minDepth.every((floor) =>
    depth.some(
      ({ bandPips, side, quote }) =>
        bandPips === floor.bandPips && side === floor.side && quote >= floor.quote,
    ),
  )
}

/** Total depth of all worlds. A world without liquidity or price counts as zero. */
function totalDepth(worlds: Readonly<Record<string, World>>, { minDepth }: PlanLimits): Depth[] {
  const bands = [...new Set(minDepth.map(({ bandPips }) => bandPips))].sort((a, b) => a - b)
  const sums = new Map<string, Depth>()
  for (const { market, orientation } of Object.values(worlds)) {
    if (isEmpty(market)) continue
    for (const rung of depthLadder(market, orientation, bands)) {
      const key = `${rung.bandPips} ${rung.side}`
      sums.set(key, { ...rung, quote: rung.quote + (sums.get(key)?.quote ?? 0n) })
    }
  }
  return [...sums.values()]
}

/** Whether a market has no price, so that no measure exists. */
export function isEmpty(market: World['market']): boolean {
  if (market.kind === 'UNISWAP_V3') return market.sqrtPriceX96 === 0n
  return market.kind === 'UNISWAP_V2' && market.reserve0 === 0n
}

function toTokens(base: number, amounts: PairAmounts): [bigint, bigint] {
  return base === 0 ? [amounts.base, amounts.quote] : [amounts.quote, amounts.base]
}

function toPair(base: number, amount0: bigint, amount1: bigint): PairAmounts {
  return base === 0 ? { base: amount0, quote: amount1 } : { base: amount1, quote: amount0 }
}

function subtract(a: PairAmounts, b: PairAmounts): PairAmounts {
  return { base: a.base - b.base, quote: a.quote - b.quote }
}
