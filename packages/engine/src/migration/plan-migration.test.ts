import fc from 'fast-check'
import { expect, test } from 'vitest'
import { midPrice, mint } from '../amm/swap.ts'
import { mintPair, transferToPair } from '../amm/v2/pair.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { peripheryLiquidity } from './periphery-liquidity.ts'
import type { PlanLimits, SourcePosition, TargetShare, World } from './plan.ts'
import { type MigrationTerms, planMigration } from './plan-migration.ts'
import { rollbackOf } from './rollback.ts'
import { simulatePlan } from './simulate-plan.ts'
import { ROLLBACK_MOVES, rollbacksOf } from './step-rollbacks.ts'

const UNIT = 10n ** 18n
const orientation = { base: 0, quote: 1 }
const MINE = { owner: 'nft:1', tickLower: -6000, tickUpper: 6000 }
const LIQUIDITY = 1_000_000n * UNIT

test('the pilot goes first and is looked at, then everything else goes in as few tranches as may be', () => {
  const planned = planMigration(terms({ pilot: { sharePips: 50_000, soakSeconds: 86_400 } }))
  if (planned.tranches === null) throw new Error(planned.refusal)
  expect(planned.tranches).toBe(1)
  const move = ['REMOVE', 'COLLECT', 'APPROVE', 'MINT', 'REVOKE_APPROVAL', 'VERIFY']
  expect(planned.outcomes.map(({ step }) => step.kind)).toEqual([
    ...[...move, 'SOAK', 'VERIFY'],
    ...move,
  ])
  const moved = (tranche: number) =>
    planned.outcomes.find(({ step, ...of }) => step.kind === 'REMOVE' && of.tranche === tranche)
  expect(moved(0)?.liquidity).toBe(LIQUIDITY / 20n)
  expect(moved(1)?.liquidity).toBe((LIQUIDITY * 19n) / 20n)
  // The same range at the same price takes everything but for rounding.
  const { wallet } = planned.outcomes.at(-1)!
  expect(wallet.base + wallet.quote).toBeLessThan(10_000n)
})

test('the smallest number of tranches is found that keeps the floor, and fewer would not', () => {
  const whole = depthLadder(worlds().old.market, orientation, [20_000])[0]!.quote
  const minDepth = [{ bandPips: 20_000, side: 'BUY', quote: (whole * 7n) / 10n }] as const
  const limits = { ...open, minDepth }
  const planned = planMigration(terms({ limits }))
  if (planned.tranches === null) throw new Error(planned.refusal)
  expect(planned.tranches).toBeGreaterThan(1)
  for (const { depth } of planned.outcomes) {
    expect(depth.find(({ side }) => side === 'BUY')!.quote).toBeGreaterThanOrEqual(
      minDepth[0].quote,
    )
  }
  const out = planned.outcomes.filter(({ step }) => step.kind === 'REMOVE')
  const first = { ...out[0]!.step, liquidity: LIQUIDITY / BigInt(planned.tranches - 1) }
  const [fewer] = simulatePlan(worlds(), { base: 0n, quote: 0n }, [first as never], limits)
  expect(fewer!.refusal).toBe('DEPTH_BELOW_FLOOR')
})

test('what no number of tranches keeps is refused, with the step that broke it', () => {
  const whole = depthLadder(worlds().old.market, orientation, [20_000])[0]!.quote
  const floor = (quote: bigint): PlanLimits => ({
    ...open,
    minDepth: [{ bandPips: 20_000, side: 'BUY', quote }],
  })
  expect(planMigration(terms({ limits: floor(whole) }))).toMatchObject({
    tranches: null,
    refusal: 'DEPTH_BELOW_FLOOR',
    tried: 64,
    stopped: { index: 0, outcome: { step: { kind: 'REMOVE' } } },
  })
  expect(planMigration(terms({ limits: floor(whole + 1n) }))).toMatchObject({
    refusal: 'DEPTH_BELOW_FLOOR',
    tried: 0,
    stopped: { outcome: { step: { kind: 'VERIFY' } } },
  })
  expect(planMigration(terms({ maxStepQuote: UNIT }))).toMatchObject({
    refusal: 'TRANCHE_TOO_LARGE',
  })
  expect(planMigration(terms({ maxSteps: 3 }))).toMatchObject({ refusal: 'TOO_MANY_STEPS' })
})

test('a tranche is worth at most what it may be', () => {
  const planned = planMigration(terms({ maxStepQuote: 130_000n * UNIT }))
  if (planned.tranches === null) throw new Error(planned.refusal)
  for (const { delta, step } of planned.outcomes) {
    if (step.kind === 'COLLECT') {
      expect(delta.base + delta.quote).toBeLessThanOrEqual(130_000n * UNIT)
    }
  }
  expect(planned.tranches).toBe(4)
})

test('a swap is made only where the ratios differ, and then both tokens are used up', () => {
  // A range above the price takes the base alone.
  const above = { owner: 'wallet', tickLower: 600, tickUpper: 6000 }
  const planned = planMigration(terms({ targets: [share('new', above)] }))
  if (planned.tranches === null) throw new Error(planned.refusal)
  const kinds = planned.outcomes.map(({ step }) => step.kind)
  expect(kinds).toContain('SWAP')
  expect(kinds[kinds.indexOf('SWAP') - 1]).toBe('APPROVE')
  const { wallet } = planned.outcomes.at(-1)!
  expect(wallet.quote).toBeLessThan(UNIT)
  expect(wallet.base).toBeLessThan(UNIT)
})

test('a pair goes into two ranges and into a pool that is created on the way', () => {
  const { state } = mintPair(transferToPair(createCpmmPair({}), 500n * UNIT, 500n * UNIT), 'wallet')
  const from = { pair: world(state), new: worlds().new }
  const position = { owner: 'wallet', tickLower: 0, tickUpper: 0 }
  const liquidity = state.liquidityOf.wallet!
  const fresh = { ...share('fresh', { ...MINE, owner: 'wallet' }, 400_000), opened: world(pool()) }
  const planned = planMigration(
    terms({
      worlds: from,
      sources: [{ world: 'pair', position, liquidity }],
      targets: [share('new', { ...MINE, owner: 'wallet' }, 600_000), fresh],
    }),
  )
  if (planned.tranches === null) throw new Error(planned.refusal)
  const kinds = planned.outcomes.map(({ step }) => step.kind)
  expect(kinds.slice(0, 3)).toEqual(['APPROVE', 'REMOVE', 'CREATE_POOL'])
  expect(kinds.filter((kind) => kind === 'MINT')).toHaveLength(2)
  const start = { worlds: from, wallet: { base: 0n, quote: 0n } }
  const rollbacks = rollbacksOf(start, planned.outcomes)
  expect(rollbacks).toHaveLength(planned.outcomes.length)
  for (const { possible, costs } of rollbacks) {
    expect(possible).toBe(true)
    expect(costs.map(({ movePips }) => movePips)).toEqual([...ROLLBACK_MOVES])
    expect(costs[0]!.costQuote!).toBeLessThan(UNIT / 1000n)
  }
})

test('a plan that was stopped goes on with what it has in hand, and soaks the pilot that it had begun', () => {
  const wallet = { base: 0n, quote: 0n }
  const taken = { kind: 'REMOVE', world: 'old', position: MINE, liquidity: LIQUIDITY / 4n } as const
  const stopped = simulatePlan(worlds(), wallet, [taken], open).at(-1)!
  const going = terms({
    worlds: stopped.worlds as ReturnType<typeof worlds>,
    sources: [{ world: 'old', position: MINE, liquidity: (LIQUIDITY * 3n) / 4n }],
    pilot: { sharePips: 50_000, soakSeconds: 60 },
    begun: { owed: [{ world: 'old', position: MINE }], isDeposited: false },
  })
  const planned = planMigration(going)
  if (planned.tranches === null) throw new Error(planned.refusal)
  const kindsOf = (tranche: number) =>
    planned.outcomes.filter((of) => of.tranche === tranche).map(({ step }) => step.kind)
  const putIn = ['COLLECT', 'APPROVE', 'MINT', 'REVOKE_APPROVAL', 'VERIFY']
  expect(kindsOf(0)).toEqual([...putIn, 'SOAK', 'VERIFY'])
  expect(kindsOf(1)).toEqual(['REMOVE', ...putIn])
  const soaking = planMigration({ ...going, begun: { owed: [], isDeposited: true } })
  if (soaking.tranches === null) throw new Error(soaking.refusal)
  expect(soaking.outcomes.map(({ step }) => step.kind).slice(0, 3)).toEqual([
    ...['SOAK', 'VERIFY', 'REMOVE'],
  ])
  const last = planMigration({
    ...going,
    pilot: null,
    sources: [{ world: 'old', position: MINE, liquidity: 0n }],
  })
  if (last.tranches === null) throw new Error(last.refusal)
  expect(last.outcomes.map(({ step }) => step.kind)).toEqual(putIn)
})

test('withdrawn and not yet collected, liquidity finds its way back too', () => {
  const start = { worlds: worlds(), wallet: { base: 0n, quote: 0n } }
  const taken = [{ kind: 'REMOVE', world: 'old', position: MINE, liquidity: LIQUIDITY }] as const
  const outcomes = simulatePlan(start.worlds, start.wallet, taken, open)
  const { steps, possible, costQuote } = rollbackOf(start, outcomes)
  expect(steps.map(({ kind }) => kind)).toEqual(['COLLECT', 'APPROVE', 'MINT', 'REVOKE_APPROVAL'])
  expect(possible).toBe(true)
  expect(costQuote).toBe(0n)
  const back = simulatePlan(outcomes.at(-1)!.worlds, start.wallet, steps, open)
  const restored = (back.at(-1)!.worlds.old!.market as ClmmState).positions
  const found = restored.find(({ owner }) => owner === MINE.owner)!
  expect(LIQUIDITY - found.liquidity).toBeLessThan(10n ** 6n)
})

test('the value that is moved is kept, but for the cost of swaps and rounding', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).map((at) => at * 60),
      fc.integer({ min: 0, max: 300_000 }),
      fc.bigInt({ min: 200_000n * UNIT, max: 10_000_000n * UNIT }),
      (halfWidth, sharePips, maxStepQuote) => {
        const range = { owner: 'wallet', tickLower: -halfWidth, tickUpper: 2 * halfWidth }
        const pilot = sharePips === 0 ? null : { sharePips, soakSeconds: 60 }
        const planned = planMigration(
          terms({ pilot, maxStepQuote, targets: [share('new', range)] }),
        )
        if (planned.tranches === null) return
        const swaps = planned.outcomes.filter(({ step }) => step.kind === 'SWAP')
        const total = planned.outcomes.reduce((sum, { delta }) => sum + delta.base, 0n)
        expect(total).toBe(planned.outcomes.at(-1)!.wallet.base)
        const paidIn = planned.outcomes.filter(({ step }) => step.kind === 'MINT')
        const { wallet, worlds: end } = planned.outcomes.at(-1)!
        const price = midPrice(end.new!.market, orientation)
        const out = paidIn.reduce(
          (sum, { delta }) => sum - quoteValue(delta.base, price) - delta.quote,
          0n,
        )
        const kept = out + quoteValue(wallet.base, price) + wallet.quote
        const taken = planned.outcomes
          .filter(({ step }) => step.kind === 'COLLECT')
          .reduce((sum, { delta }) => sum + quoteValue(delta.base, price) + delta.quote, 0n)
        // A fee of 0.3 % on what is swapped, at most half of everything, and its impact.
        const most = swaps.length === 0 ? 1000n : taken / 50n
        expect(taken - kept).toBeLessThanOrEqual(most)
      },
    ),
    { numRuns: 25 },
  )
})

test('the position manager never gets more liquidity than the exact quotient', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
  fc.assert(
    fc.property(amounts, amounts, (amount0, amount1) => {
      const liquidity = peripheryLiquidity(pool(), -6000, 6000, amount0, amount1)
      if (liquidity === 0n) return
      const { amount0: used0, amount1: used1 } = mint(pool(), MINE, liquidity)
      expect(used0 <= amount0 && used1 <= amount1).toBe(true)
    }),
  )
})

const open: PlanLimits = {
  minDepth: [],
  priceBand: { lowest: { num: 1n, den: 2n }, highest: { num: 2n, den: 1n } },
  maxSlippagePips: 100_000,
}

function terms(change: Partial<MigrationTerms> = {}): MigrationTerms {
  return {
    worlds: worlds(),
    sources: [{ world: 'old', position: MINE, liquidity: LIQUIDITY } satisfies SourcePosition],
    targets: [share('new', { ...MINE, owner: 'wallet' })],
    limits: open,
    maxStepQuote: 10n ** 30n,
    pilot: null,
    maxSteps: 512,
    wallet: { base: 0n, quote: 0n },
    begun: null,
    ...change,
  }
}

function share(
  name: string,
  position: TargetShare['position'],
  sharePips = 1_000_000,
): TargetShare {
  return { world: name, position, sharePips, opened: null }
}

function worlds() {
  const others = { owner: 'others', tickLower: -60_000, tickUpper: 60_000 }
  const shared = mint(pool(), others, LIQUIDITY).state
  return { old: world(mint(shared, MINE, LIQUIDITY).state), new: world(pool()) }
}

function world(market: World['market']): World {
  return { market, orientation }
}

function pool(): ClmmState {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const opened = { kind: 'v3.initialize', timestamp: 1, sqrtPriceX96: 1n << 96n } as const
  return applyOperation(empty, opened).state
}
