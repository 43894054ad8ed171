import type { ArmDesk } from '../src/montecarlo/arm-desk.ts'
import { inventoryFor, type MonteCarloArm } from '../src/montecarlo/arms.ts'
import { generateMarketPath, type PriceModel } from '../src/montecarlo/price-model.ts'
import { type ArmOutcome, runPath } from '../src/montecarlo/run-path.ts'
import { type RandomStream, randomStream } from '../src/random/xoshiro128.ts'
import { newPair, newPool } from './monte-carlo-market.ts'

const one = 10n ** 18n
const spacing = 60

/** A random strategy: at every step it can open, close, collect, compound, swap or wait. */
function randomArm(seed: number): MonteCarloArm {
  const random = randomStream(seed)
  return {
    armId: `random-${seed}`,
    usesMarket: true,
    start: (session, capital, price) =>
      inventoryFor(session, { tickLower: -6000, tickUpper: 6000 }, capital, price),
    open: (desk) => act(random, desk, 0),
    onStep: (_, desk) => act(random, desk, random.below(8)),
  }
}

function act(random: RandomStream, desk: ArmDesk, choice: number): void {
  const ids = [...desk.positions.keys()]
  const chosen = ids[random.below(Math.max(ids.length, 1))]
  const share = (amount: bigint) => (amount * BigInt(1 + random.below(90))) / 100n
  if (choice === 0) {
    const centre = (random.below(60) - 30) * spacing
    const half = (1 + random.below(50)) * spacing
    const range = { tickLower: centre - half, tickUpper: centre + half }
    // Only an arm with a market acts here.
    desk.open(range, share(desk.session!.liquidityFor(range, desk.idle)))
    desk.payGas('MINT')
  } else if (choice === 1 && chosen !== undefined) {
    const { liquidity } = desk.positions.get(chosen)!
    desk.close(chosen, random.below(2) === 0 ? liquidity : share(liquidity))
    desk.payGas('DECREASE_ALL')
  } else if (choice === 2 && chosen !== undefined) {
    desk.collect(chosen)
    desk.payGas('COLLECT')
  } else if (choice === 3) {
    desk.compound()
  } else if (choice === 4) {
    const buysBase = random.below(2) === 0
    desk.swap(buysBase, share(buysBase ? desk.idle.quote : desk.idle.base))
    desk.payGas('SWAP')
    desk.reward(BigInt(random.below(1000)))
  }
}

/**
 * Runs one random strategy on a random market. The run itself checks the arm's ledger.
 *
 * @throws WaterfallError if a line is missing in either breakdown
 */
export function runRandomStrategy(seed: number): ArmOutcome {
  const random = randomStream(seed * 2 + 1)
  const price: PriceModel = {
    kind: 'JUMP_DIFFUSION',
    annualDrift: 0,
    annualVolatility: 0.3 + random.below(200) / 100,
    jumpsPerYear: 100,
    jumpMean: 0,
    jumpDeviation: 0.05,
  }
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, seed)
  const path = generateMarketPath(price, bytes, 0, seed % 2 === 1, 40, 3600)
  const isPair = random.below(4) === 0
  const base = random.below(2)
  const [outcome] = runPath({
    s0: isPair ? newPair() : newPool({ feePips: random.below(3) * 3000, ranges: true }),
    path,
    arms: [randomArm(seed)],
    flow: { tradesPerDay: 100, logMeanQuote: 44.5, logDeviation: 1, buyShare: 0.5 },
    others: random.below(3) === 0 ? { kind: 'FOLLOW_PRICE' } : { kind: 'STATIC' },
    cfg: {
      seed: bytes,
      orientation: { base, quote: 1 - base },
      stepSeconds: 3600,
      sampleEverySteps: 40,
      capital: {
        base: BigInt(random.below(2000)) * one,
        quote: BigInt(1 + random.below(2000)) * one,
        normalization: random.below(2) === 0 ? 'AS_GIVEN' : 'EQUAL_VALUE',
      },
      bandsPips: [],
      failure: [],
      gas: {
        baseFee: { kind: 'CONSTANT', baseFeeWei: 10n ** 9n },
        tipWei: 1n,
        l1DataFeeWei: 7n,
        nativePriceX18: 3n * one,
      },
      minProfitQuote: 0n,
    },
    index: seed % 2,
  })
  // One arm was given.
  return outcome!
}
