import type { contract } from '@liquidity-os/contract'
import { type Orientation, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import { Q96, type Rat } from '@liquidity-os/engine/arithmetic'
import {
  type Bid,
  clearAuction,
  dutchPrice,
  priceWithoutTrades,
  type Sale,
  type SeededBand,
  sellAtFixedPrice,
  sellByDutchAuction,
  sellFromBootstrappingPool,
  sellFromPool,
} from '@liquidity-os/engine/launch'
import { powerX36, X36 } from '@liquidity-os/engine/numerics'

type Mechanism = contract.LaunchMechanism
type Computed = contract.LaunchPlan['computed']['mechanisms'][number]
type Study = Pick<contract.CapitalRequirementStudy, 'priceX36' | 'perShape'> & {
  readonly request: Pick<contract.CapitalRequirementInput, 'shapes'>
}

/** Mechanisms with their test input. Plain data: crosses a thread boundary. */
export interface MechanismTask {
  readonly mechanisms: readonly Mechanism[]
  readonly study: Study | null
  readonly orientation: Orientation | null
  readonly bids: readonly Bid[] | null
  /** Published time between blocks, whole seconds; null if none is. */
  readonly blockSeconds: number | null
}

const x18 = 10n ** 18n
const maxPoints = 200
const quietPoints = 49

/**
 * Computes every mechanism and its result under the demand. Pure: equal tasks give equal results.
 */
export default function computeMechanisms(task: MechanismTask): Computed[] {
  return task.mechanisms.map((one) => computed(one, task))
}

const blockTimeUnknown = 'The chain has no published block time of whole seconds. Set blockSeconds.'

const nothing = {
  openingPriceX36: null,
  lowestPriceX36: null,
  quiet: [],
  holding: [],
  seed: null,
  outcome: null,
  missing: null,
}

function computed(one: Mechanism, task: MechanismTask): Computed {
  const { bids } = task
  const outcomeOf = (sell: (bids: readonly Bid[]) => Sale, tokens: bigint | null) =>
    bids && serializeOutcome(sell(bids), bids.length, tokens)
  switch (one.kind) {
    case 'V2_SEED':
    case 'V3_SEED':
      return seeded(one.kind, task)
    case 'FIXED_PRICE': {
      const price = { num: BigInt(one.priceX18), den: x18 }
      const sale = { price, tokens: BigInt(one.tokens), cap: BigInt(one.cap) }
      return {
        ...nothing,
        kind: one.kind,
        openingPriceX36: x36Of(price),
        lowestPriceX36: x36Of(price),
        quiet: [{ atSeconds: 0, priceX36: x36Of(price) }],
        outcome: outcomeOf((all) => sellAtFixedPrice(sale, all), sale.tokens),
      }
    }
    case 'DUTCH_DYNAMIC': {
      const sale = {
        startPrice: { num: BigInt(one.startPriceX18), den: x18 },
        endPrice: { num: BigInt(one.endPriceX18), den: x18 },
        epochSeconds: one.epochSeconds,
        durationSeconds: one.durationSeconds,
        tokens: BigInt(one.tokens),
        minimumProceeds: BigInt(one.minimumProceeds),
        maximumProceeds: BigInt(one.maximumProceeds),
      }
      const epochs = Math.ceil(one.durationSeconds / one.epochSeconds)
      return {
        ...nothing,
        kind: one.kind,
        openingPriceX36: x36Of(sale.startPrice),
        lowestPriceX36: x36Of(sale.endPrice),
        quiet: Array.from({ length: epochs }, (_, epoch) => ({
          atSeconds: epoch * one.epochSeconds,
          priceX36: x36Of(dutchPrice(sale, epoch)),
        })),
        outcome: outcomeOf((all) => sellByDutchAuction(sale, all), sale.tokens),
      }
    }
    case 'CCA': {
      const auction = {
        tokens: BigInt(one.tokens),
        blocks: one.endBlock - one.startBlock,
        steps: one.steps,
        floorPriceX96: BigInt(one.floorPriceX96),
        tickSpacing: BigInt(one.tickSpacing),
        requiredCurrencyRaised: BigInt(one.requiredCurrencyRaised),
      }
      const blockSeconds = one.blockSeconds ?? task.blockSeconds
      const floor = x36Of({ num: auction.floorPriceX96, den: Q96 })
      return {
        ...nothing,
        kind: one.kind,
        openingPriceX36: floor,
        lowestPriceX36: floor,
        quiet: [{ atSeconds: 0, priceX36: floor }],
        ...(blockSeconds === null
          ? { outcome: null, missing: bids && blockTimeUnknown }
          : {
              outcome: outcomeOf(
                (all) => clearAuction({ ...auction, blockSeconds }, all),
                auction.tokens,
              ),
            }),
      }
    }
    case 'LBP':
      return bootstrapped(one, outcomeOf)
  }
}

function bootstrapped(
  one: Extract<Mechanism, { kind: 'LBP' }>,
  outcomeOf: (sell: (bids: readonly Bid[]) => Sale, tokens: bigint | null) => Computed['outcome'],
): Computed {
  const [startAt, endAt] = [one.startAt, one.endAt].map((at) => Math.floor(Date.parse(at) / 1000))
  const pool = {
    startAt: startAt!,
    endAt: endAt!,
    feePips: one.feePips,
    token: BigInt(one.tokenStart),
    quote: BigInt(one.quoteStart),
    startWeightPips: one.startWeightPips,
    endWeightPips: one.endWeightPips,
  }
  const moments = Array.from(
    { length: quietPoints },
    (_, index) =>
      pool.startAt + Math.floor(((pool.endAt - pool.startAt) * index) / (quietPoints - 1)),
  )
  const opening = priceWithoutTrades(pool, pool.startAt)
  const quiet = moments.map((at) => ({
    atSeconds: at - pool.startAt,
    priceX36: x36Of(priceWithoutTrades(pool, at)),
  }))
  const lowest = quiet.reduce((min, point) =>
    BigInt(point.priceX36) < BigInt(min.priceX36) ? point : min,
  )
  return {
    ...nothing,
    kind: one.kind,
    openingPriceX36: x36Of(opening),
    lowestPriceX36: lowest.priceX36,
    quiet,
    holding: moments.flatMap((at) => holdingAt(pool, opening, at)),
    outcome: outcomeOf((all) => sellFromBootstrappingPool(pool, all), pool.token),
  }
}

type Bootstrap = Parameters<typeof sellFromBootstrappingPool>[0]

/**
 * Quote that moves a quiet pool back to its opening price: Q·(r^w − 1), fee included, rounded up;
 * at most fourfold per step.
 */
function holdingAt(pool: Bootstrap, opening: Rat, at: number): Computed['holding'] {
  const price = priceWithoutTrades(pool, at)
  const duration = BigInt(pool.endAt - pool.startAt)
  const weight = {
    num:
      BigInt(pool.startWeightPips) * duration +
      BigInt(pool.endWeightPips - pool.startWeightPips) * BigInt(at - pool.startAt),
    den: 1_000_000n * duration,
  }
  let rise: Rat = { num: opening.num * price.den, den: opening.den * price.num }
  let quote = pool.quote
  while (rise.num > rise.den) {
    const step = rise.num > 4n * rise.den ? { num: 4n, den: 1n } : rise
    quote = (quote * powerX36(step, weight).high + X36 - 1n) / X36
    rise = { num: rise.num * step.den, den: rise.den * step.num }
  }
  const afterFee = 1_000_000n - BigInt(pool.feePips)
  const needed = ((quote - pool.quote) * 1_000_000n + afterFee - 1n) / afterFee
  return [{ atSeconds: at - pool.startAt, openingQuote: `${needed}` }]
}

/** A pool seeded by the study, and its result under buy demand only. */
function seeded(
  kind: 'V2_SEED' | 'V3_SEED',
  { study, orientation, bids }: MechanismTask,
): Computed {
  const absent = (missing: string): Computed => ({ ...nothing, kind, missing })
  if (study?.priceX36 == null) return absent('No capital study with a price is named.')
  const found = study.perShape.find((shape) =>
    kind === 'V2_SEED' ? shape.kind === 'V2' : shape.bands !== null,
  )
  if (!found) return absent(`The study has no shape for ${kind}.`)
  const price = { num: BigInt(study.priceX36), den: 10n ** 36n }
  const bands = bandsOf(found, orientation)
  const feePips =
    study.request.shapes.find(({ shapeId }) => shapeId === found.shapeId)?.feePips ?? 0
  const opening = x36Of(price)
  return {
    ...nothing,
    kind,
    openingPriceX36: opening,
    lowestPriceX36: opening,
    quiet: [{ atSeconds: 0, priceX36: opening }],
    seed: {
      token: found.token,
      quote: found.quote,
      sqrtPriceX96: found.sqrtPriceX96,
      bands: found.bands ?? [],
    },
    outcome:
      bids && serializeOutcome(sellFromPool({ price, bands, feePips }, bids), bids.length, null),
  }
}

function bandsOf(
  { bands, liquidity }: contract.CapitalRequirementStudy['perShape'][number],
  orientation: Orientation | null,
): SeededBand[] {
  if (bands === null) {
    return [{ lowerRootX36: 0n, upperRootX36: null, liquidity: BigInt(liquidity ?? '0') }]
  }
  const rootAt = (tick: number) => {
    const root = sqrtRatioAtTick(tick)
    return orientation?.base === 0 ? (root * X36) / Q96 : (Q96 * X36) / root
  }
  const all = bands.map(({ tickLower, tickUpper, liquidity: amount }) => {
    const [a, b] = [rootAt(tickLower), rootAt(tickUpper)]
    const [lowerRootX36, upperRootX36] = a < b ? [a, b] : [b, a]
    return { lowerRootX36, upperRootX36, liquidity: BigInt(amount) }
  })
  return flattened(all)
}

/**
 * Overlapping bands as disjoint bands: between two edges, the liquidity of all bands that cover it.
 */
function flattened(bands: readonly (SeededBand & { upperRootX36: bigint })[]): SeededBand[] {
  const edges = [...new Set(bands.flatMap((one) => [one.lowerRootX36, one.upperRootX36]))].sort(
    (a, b) => (a < b ? -1 : 1),
  )
  return edges.slice(1).map((upperRootX36, index) => {
    const lowerRootX36 = edges[index]!
    const liquidity = bands
      .filter((one) => one.lowerRootX36 <= lowerRootX36 && one.upperRootX36 >= upperRootX36)
      .reduce((sum, one) => sum + one.liquidity, 0n)
    return { lowerRootX36, upperRootX36, liquidity }
  })
}

const x36Of = ({ num, den }: Rat) => `${(num * X36) / den}`

function serializeOutcome(
  sale: Sale,
  bids: number,
  tokens: bigint | null,
): NonNullable<Computed['outcome']> {
  const { sold, raised, filled, isSuccessful, path } = sale
  const every = Math.ceil(path.length / maxPoints)
  const last = path.at(-1)
  const sampled = path.filter((point, index) => index % every === 0 || point === last)
  return {
    sold: `${sold}`,
    raised: `${raised}`,
    bids,
    filled,
    isSuccessful,
    unsold: tokens === null ? null : `${tokens - sold}`,
    averagePriceX36: sold === 0n ? null : x36Of({ num: raised, den: sold }),
    finalPriceX36: last ? x36Of(last.price) : '0',
    path: sampled.map((point) => ({
      atSeconds: point.atSeconds,
      priceX36: x36Of(point.price),
      sold: `${point.sold}`,
      raised: `${point.raised}`,
    })),
  }
}
