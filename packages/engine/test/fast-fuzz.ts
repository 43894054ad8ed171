import { isDeepStrictEqual } from 'node:util'
import { PoolRevertError } from '../src/amm/pool-revert.ts'
import {
  collectProtocolFees,
  flashLoan,
  initializePool,
  setProtocolShare,
} from '../src/amm/v3/administration.ts'
import { ClmmSession, type SwapOutcome } from '../src/amm/v3/fast/session.ts'
import {
  burnLiquidity,
  collectOwed,
  mintLiquidity,
  type TokenAmounts,
} from '../src/amm/v3/liquidity.ts'
import { increaseObservationCardinalityNext } from '../src/amm/v3/oracle.ts'
import { loadPool, type Pool, setPoolFee, snapshotPool } from '../src/amm/v3/pool.ts'
import { createClmmPool } from '../src/amm/v3/state.ts'
import { commitSwap, walkSwap } from '../src/amm/v3/swap.ts'
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from '../src/amm/v3/tick-math.ts'
import { type RandomStream, randomStream } from '../src/random/xoshiro128.ts'
import {
  align,
  clampPrice,
  drawLiquidity,
  drawRange,
  drawSwap,
  pick,
  type Scenario,
  signed,
} from './fast-fuzz-draws.ts'

/** A sequence on one pool, fixed by its seed. */
export interface FuzzSpec {
  readonly seed: number
  readonly steps: number
}

/** Result of a sequence, or the first difference between the engines. */
export interface FuzzOutcome {
  readonly counts: Readonly<Record<string, number>>
  readonly difference: string | null
}

const SPACINGS = [1, 1, 10, 10, 60, 60, 60, 200, 200, 2, 7, 333, 5000, 16_383]
const FEES = [0, 1, 100, 500, 3000, 3000, 10_000, 250_000, 999_999]
/** Steps between full state comparisons. Fields accumulate, so an earlier error remains visible. */
const STATE_EVERY = 100

/** Runs one random sequence on the readable and on the fast engine and compares all they say. */
export function runFuzz({ seed, steps }: FuzzSpec): FuzzOutcome {
  const scenario = openScenario(randomStream(seed))
  for (let step = 0; step < steps; step++) {
    const difference =
      runStep(scenario, steps) ?? (step % STATE_EVERY === 0 ? compareStates(scenario) : null)
    if (difference !== null) {
      return { counts: scenario.counts, difference: `seed ${seed}, step ${step}: ${difference}` }
    }
  }
  const difference = compareStates(scenario)
  return {
    counts: scenario.counts,
    difference: difference && `seed ${seed}, at the end: ${difference}`,
  }
}

function openScenario(random: RandomStream): Scenario {
  const tickSpacing = pick(random, SPACINGS)
  const start = random.below(8) === 0 ? 2 ** 32 - 500 : 1_700_000_000
  const known = random.below(2) === 0
  const wrapping = () =>
    random.below(2) === 0 ? (1n << 256n) - 1n - random.bits(1 + random.below(140)) : 0n
  const created = {
    ...createClmmPool({ feePips: pick(random, FEES), tickSpacing, blockTimestamp: start }),
    feeGrowthGlobal0X128: wrapping(),
    feeGrowthGlobal1X128: wrapping(),
    protocolFees0: random.below(4) === 0 ? (1n << 128n) - 1n - random.bits(20) : 0n,
    balance0: known ? 0n : null,
    balance1: known ? random.bits(60) : null,
  }
  const pool = loadPool(created)
  const session = new ClmmSession(created)
  const end = random.below(8)
  const centre =
    end === 0
      ? MIN_TICK + random.below(3000)
      : end === 1
        ? MAX_TICK - 1 - random.below(3000)
        : signed(random, random.below(3) === 0 ? 850_000 : 40_000)
  const price =
    end === 2
      ? sqrtRatioAtTick(align(centre, tickSpacing))
      : clampPrice(sqrtRatioAtTick(centre) + random.bits(30))
  initializePool(pool, price)
  session.initialize(price)
  // A part of the sequences runs with one and a few positions, others with many ticks.
  const reach = pick(random, [300, 3000, 3000, 30_000, 300_000]) + 2 * tickSpacing
  const scenario: Scenario = { random, pool, session, minted: [], centre, reach, counts: {} }
  if (random.below(3) === 0) stepAdministration(scenario)
  const positions = pick(random, [0, 1, 2, 5, 20, 60])
  for (let index = 0; index < positions; index++) stepMint(scenario)
  return scenario
}

function runStep(scenario: Scenario, steps: number): string | null {
  const { random, pool, session } = scenario
  if (random.below(3) === 0) {
    pool.blockTimestamp += random.below(random.below(20) === 0 ? 2_000_000 : 30)
    session.blockTimestamp = pool.blockTimestamp
  }
  const choice = random.below(1000)
  if (choice < 860) return stepSwap(scenario)
  if (choice < 910) return stepMint(scenario)
  if (choice < 960) return stepBurn(scenario)
  if (choice < 980) return stepCollect(scenario)
  if (choice < 990) return stepFlash(scenario)
  return random.below(steps) < 400 ? stepAdministration(scenario) : stepSwap(scenario)
}

function stepSwap(scenario: Scenario): string | null {
  const { random, pool, session } = scenario
  const request = drawSwap(scenario)
  const isQuote = random.below(8) === 0
  return compare(
    scenario,
    isQuote ? 'quote' : request.amountSpecified > 0n ? 'exact input' : 'exact output',
    request,
    (): SwapOutcome => {
      const walk = walkSwap(pool, request)
      if (!isQuote) commitSwap(pool, walk)
      return {
        amountIn: walk.amountIn,
        amountOut: walk.amountOut,
        fee: walk.feeAmount,
        sqrtPriceX96: walk.sqrtPriceX96,
        tick: walk.tick,
        liquidity: walk.liquidity,
        crossed: walk.crossed.length,
        exhausted: walk.remaining > 0n,
      }
    },
    () => (isQuote ? session.quote(request) : session.swap(request)),
  )
}

function stepMint(scenario: Scenario): string | null {
  const { random, pool, session, minted } = scenario
  const known = minted[random.below(minted.length || 1)]
  const key = known !== undefined && random.below(3) === 0 ? known.key : drawRange(scenario)
  const liquidity = drawLiquidity(scenario)
  const difference = compare(
    scenario,
    'mint',
    { key, liquidity },
    () => mintLiquidity(pool, key, liquidity),
    () => session.mint(key, liquidity),
  )
  if (pool.positions.get(`${key.owner}:${key.tickLower}:${key.tickUpper}`))
    minted.push({ key, liquidity })
  return difference
}

function stepBurn(scenario: Scenario): string | null {
  const { random, pool, session, minted } = scenario
  const target = minted[random.below(minted.length || 1)]
  const key = target?.key ?? drawRange(scenario)
  const held = pool.positions.get(`${key.owner}:${key.tickLower}:${key.tickUpper}`)?.liquidity ?? 0n
  const liquidity = pick(random, [0n, held, held, held / 2n, held / 3n, held + 1n, 1n << 127n])
  return compare(
    scenario,
    'burn',
    { key, liquidity },
    () => burnLiquidity(pool, key, liquidity),
    () => session.burn(key, liquidity),
  )
}

function stepCollect(scenario: Scenario): string | null {
  const { random, pool, session, minted } = scenario
  const key = minted[random.below(minted.length || 1)]?.key ?? drawRange(scenario)
  const draw = () => (random.below(2) === 0 ? (1n << 128n) - 1n : random.bits(60))
  const requested = { amount0: draw(), amount1: draw() }
  return compare(
    scenario,
    'collect',
    { key, requested },
    () => collectOwed(pool, key, requested),
    () => session.collect(key, requested),
  )
}

function stepFlash(scenario: Scenario): string | null {
  const { random, pool, session } = scenario
  const draw = () => random.bits(1 + random.below(60))
  const loan = { amount0: draw(), amount1: draw() }
  const paid = { amount0: loan.amount0 + draw(), amount1: loan.amount1 + draw() }
  return compare(
    scenario,
    'flash',
    { loan, paid },
    () => flashLoan(pool, loan, paid),
    () => session.flash(loan, paid),
  )
}

function stepAdministration(scenario: Scenario): string | null {
  const { random, pool, session } = scenario
  const both = (
    name: string,
    facts: object,
    run: (engine: Pool | ClmmSession) => TokenAmounts | null,
  ) =>
    compare(
      scenario,
      name,
      facts,
      () => run(pool),
      () => run(session),
    )
  const choice = random.below(8)
  if (choice < 4) {
    const [share0, share1] = [random.below(12), random.below(12)]
    return both('protocol share', { share0, share1 }, (engine) => {
      if (engine instanceof ClmmSession) engine.setProtocolShare(share0, share1)
      else setProtocolShare(engine, share0, share1)
      return null
    })
  }
  if (choice === 4) {
    const requested = { amount0: random.bits(60), amount1: random.bits(128) }
    return both('collect protocol', requested, (engine) =>
      engine instanceof ClmmSession
        ? engine.collectProtocol(requested)
        : collectProtocolFees(engine, requested),
    )
  }
  if (choice === 5) {
    const feePips = pick(random, FEES)
    return both('fee', { feePips }, (engine) => {
      if (engine instanceof ClmmSession) engine.setFee(feePips)
      else setPoolFee(engine, feePips)
      return null
    })
  }
  const next = random.below(random.below(3) === 0 ? 300 : 12)
  return both('cardinality', { next }, (engine) => {
    if (engine instanceof ClmmSession) engine.increaseObservationCardinalityNext(next)
    else increaseObservationCardinalityNext(engine, next)
    return null
  })
}

function compare<T>(
  { counts }: Scenario,
  name: string,
  facts: object,
  readable: () => T,
  fast: () => T,
): string | null {
  const wanted = outcomeOf(readable)
  const got = outcomeOf(fast)
  const key = 'revert' in wanted ? `${name} reverted` : name
  counts[key] = (counts[key] ?? 0) + 1
  if (isEqual(wanted, got)) return null
  return `${name} ${show(facts)}: readable ${show(wanted)}, fast ${show(got)}`
}

type Outcome<T> = { readonly value: T } | { readonly revert: string }

function outcomeOf<T>(run: () => T): Outcome<T> {
  try {
    return { value: run() }
  } catch (error) {
    if (error instanceof PoolRevertError) return { revert: error.reason }
    throw error
  }
}

/** Equality of two small records of numbers; deep comparison of the standard library is ten times slower. */
function isEqual(a: Outcome<unknown>, b: Outcome<unknown>): boolean {
  if ('revert' in a || 'revert' in b) return 'revert' in a && 'revert' in b && a.revert === b.revert
  if (a.value === null || b.value === null) return a.value === b.value
  const left = a.value as Record<string, unknown>
  const right = b.value as Record<string, unknown>
  for (const key in left) if (left[key] !== right[key]) return false
  return true
}

function compareStates({ pool, session, counts }: Scenario): string | null {
  counts.states = (counts.states ?? 0) + 1
  const wanted = snapshotPool(pool)
  const got = session.toState()
  if (isDeepStrictEqual(got, wanted)) return null
  const field = (Object.keys(wanted) as (keyof typeof wanted)[]).find(
    (key) => !isDeepStrictEqual(wanted[key], got[key]),
  )
  if (field === undefined) return 'the states list other fields'
  const [a, b] = [wanted[field], got[field]]
  if (!Array.isArray(a) || !Array.isArray(b))
    return `state.${field}: readable ${show(a)}, fast ${show(b)}`
  const at = a.findIndex((entry, index) => !isDeepStrictEqual(entry, b[index]))
  return `state.${field}[${at}] of ${a.length} and ${b.length}: readable ${show(a[at])}, fast ${show(b[at])}`
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}` : item))
}
