import { type ClmmState, type Market, marketToJson, readClmmState } from '@liquidity-os/engine'
import { H } from '@liquidity-os/evidence'
import type { EndState } from './result.ts'

/** The domain under which an end state is hashed. */
const STATE_DOMAIN = 'replay-state/v1'

/** The hash of a market after a replay; two replays with the same hash agree in every field. */
export function hashMarket(market: Market): string {
  return H(STATE_DOMAIN, marketToJson(market))
}

/** What to compare the end of a replay with. */
export interface RecordedEnd {
  readonly document: unknown
  readonly file: string
  /** The state the replay began with: positions it did not touch prove nothing. */
  readonly start: ClmmState
  readonly tickWindow: { lowest: number; highest: number } | null
}

type Field = { field: string; recorded: string; computed: string }

/**
 * Compares the end of a v3 replay with a recorded state, field by field, as far as that has the fields.
 * Ticks outside the window in which the start state was read, and positions that were not touched, are
 * left out. What positions are owed is not compared: that needs every Collect event.
 */
export function compareEndState(reached: ClmmState, recorded: RecordedEnd): EndState {
  const {
    state: wanted,
    hasFeeGrowth,
    hasOracle,
    hasPositions,
  } = readClmmState(withPlainFeeGrowth(recorded.document), recorded.file, {
    feePips: reached.feePips,
    tickSpacing: reached.tickSpacing,
  })
  const fields: Field[] = []
  let compared = 0
  const check = (field: string, want: unknown, got: unknown) => {
    compared += 1
    if (want !== got) fields.push({ field, recorded: `${want}`, computed: `${got}` })
  }
  check('sqrtPriceX96', wanted.sqrtPriceX96, reached.sqrtPriceX96)
  check('tick', wanted.tick, reached.tick)
  check('liquidity', wanted.liquidity, reached.liquidity)
  if (hasFeeGrowth) {
    check('feeGrowthGlobal0X128', wanted.feeGrowthGlobal0X128, reached.feeGrowthGlobal0X128)
    check('feeGrowthGlobal1X128', wanted.feeGrowthGlobal1X128, reached.feeGrowthGlobal1X128)
  }
  compareTicks(reached, wanted, recorded, check)
  if (hasOracle) compareOracle(reached, wanted, check)
  if (hasPositions) comparePositions(reached, wanted, recorded.start, check)
  return { hash: hashMarket(reached), reached: fields.length === 0, compared, fields }
}

type Check = (field: string, want: unknown, got: unknown) => void

function compareTicks(
  reached: ClmmState,
  wanted: ClmmState,
  recorded: RecordedEnd,
  check: Check,
): void {
  const { lowest, highest } = recorded.tickWindow ?? { lowest: -Infinity, highest: Infinity }
  const inWindow = <T extends { index: number }>(ticks: readonly T[]) =>
    ticks.filter(({ index }) => index >= lowest && index <= highest)
  const mine = new Map(reached.ticks.map((tick) => [tick.index, tick]))
  const hasGrowth = wanted.ticks.some((tick) => tick.feeGrowthOutside0X128 !== 0n)
  check('initialised ticks', inWindow(wanted.ticks).length, inWindow(reached.ticks).length)
  for (const tick of inWindow(wanted.ticks)) {
    const other = mine.get(tick.index)
    for (const [name, value] of Object.entries(tick)) {
      const isBasic = name === 'index' || name === 'liquidityGross' || name === 'liquidityNet'
      if (!isBasic && !hasGrowth) continue
      check(`ticks[${tick.index}].${name}`, value, other?.[name as keyof typeof tick])
    }
  }
}

function compareOracle(reached: ClmmState, wanted: ClmmState, check: Check): void {
  check('observationIndex', wanted.observationIndex, reached.observationIndex)
  wanted.observations.forEach((observation, slot) => {
    const other = reached.observations[slot]
    for (const [name, value] of Object.entries(observation)) {
      check(`observations[${slot}].${name}`, value, other?.[name as keyof typeof observation])
    }
  })
}

function comparePositions(
  reached: ClmmState,
  wanted: ClmmState,
  start: ClmmState,
  check: Check,
): void {
  type Named = { owner: string; tickLower: number; tickUpper: number }
  const name = (p: Named) => `${p.owner.toLowerCase()},${p.tickLower},${p.tickUpper}`
  const before = new Map(start.positions.map((position) => [name(position), position]))
  const listed = new Map(wanted.positions.map((position) => [name(position), position]))
  for (const position of reached.positions) {
    const key = name(position)
    const earlier = before.get(key)
    const want = listed.get(key)
    const touched = earlier?.feeGrowthInside0LastX128 !== position.feeGrowthInside0LastX128
    if (!touched || want === undefined) continue
    const growth = ['feeGrowthInside0LastX128', 'feeGrowthInside1LastX128'] as const
    for (const field of growth) check(`positions[${key}].${field}`, want[field], position[field])
  }
}

/**
 * Some recordings call the global fee growth `…_ifAllFeesToLps`, because the fork sends part of the fees
 * elsewhere; the engine follows the plain rules, so that is the number to compare with.
 */
function withPlainFeeGrowth(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document
  const suffix = '_ifAllFeesToLps'
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name.replace(suffix, ''), value]),
  )
}
