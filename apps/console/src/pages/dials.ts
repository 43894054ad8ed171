import { exactDecimal, percentOf, shortDecimal } from '../fields/numbers.ts'
import type { Asset } from '../fields/units.tsx'
import type { Json, JsonObject } from '../forms/value.ts'

/** A request member with a slider; the slider position is an integer. */
export interface Dial {
  path: string
  name: string
  least: number
  most: number
  step: number
  /** Position of the unchanged request. */
  first: number
  valueAt: (position: number) => Json
  /** Readable form of a position. */
  format: (position: number) => string
}

/** A group of related sliders. */
export interface DialGroup {
  name: string
  dials: readonly Dial[]
}

/** Positions of the moved sliders, by path. */
export type Positions = Readonly<Record<string, number>>

interface Bounds {
  path: string
  name: string
  least: number
  most: number
  step: number
}

/** The grid starts at the current value, so rendering the slider does not change it. */
const from = (first: number, { least, most, step, ...named }: Bounds) => ({
  ...named,
  step,
  first,
  most: Math.max(most, first),
  least: least + ((((first - least) % step) + step) % step),
})

/** A share, in millionths. */
export function shareDial(first: number, bounds: Bounds): Dial {
  const { least, ...others } = from(first, bounds)
  return {
    ...others,
    least: Math.min(least, first),
    valueAt: (position) => position,
    format: (position) => percentOf(position),
  }
}

/** An integer quantity, such as days. */
export function countDial(first: number, bounds: Bounds, unit: string, scale = 1): Dial {
  return {
    ...from(Math.round(first / scale), bounds),
    valueAt: (position) => position * scale,
    format: (position) => `${exactDecimal(BigInt(position), 0)} ${unit}`,
  }
}

/** From 0.1 to 10 times the requested amount, in equal logarithmic steps. */
const amountBounds = { least: -100, most: 100, step: 1 }

/**
 * An amount of a token, in atomic units. Null for a zero amount, because scaling cannot change it.
 */
export function amountDial(
  atoms: string,
  { path, name }: Pick<Bounds, 'path' | 'name'>,
  asset: Asset | null,
): Dial | null {
  const first = BigInt(atoms)
  if (first === 0n) return null
  const at = (position: number) =>
    position === 0 ? first : threeDigits((first * growthE6(position)) / 1_000_000n)
  return {
    path,
    name,
    ...amountBounds,
    first: 0,
    valueAt: (position) => at(position).toString(),
    format: (position) =>
      asset
        ? `${shortDecimal(at(position), asset.decimals)} ${asset.symbol}`
        : `${exactDecimal(at(position), 0)} smallest units`,
  }
}

/** 10^(position/100), millionths. */
const growthE6 = (position: number) => BigInt(Math.round(10 ** (position / 100) * 1e6))

/** Rounded down to three significant digits, at least 1. */
function threeDigits(atoms: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(atoms.toString().length - 3, 0))
  return atoms < unit ? 1n : (atoms / unit) * unit
}

const sides: Readonly<Record<string, string>> = {
  BUY: 'buy',
  SELL: 'sell',
  BOTH: 'both sides',
}

interface Member<Value> {
  path: string
  is: Value
}

export const present = (dials: readonly (Dial | null)[]): Dial[] =>
  dials.flatMap((dial) => dial ?? [])

export const depthGroup = (
  { side, place }: { side: string; place: number },
  { depth, move }: { depth: Member<string>; move: Member<number> },
  quote: Asset | null,
): DialGroup => ({
  name: `Depth ${place + 1}, ${sides[side] ?? side}`,
  dials: present([
    amountDial(depth.is, { path: depth.path, name: 'Depth' }, quote),
    shareDial(move.is, {
      path: move.path,
      name: 'Distance from price',
      least: 1_000,
      most: 500_000,
      step: 1_000,
    }),
  ]),
})

/** A trade, with its maximum slippage. */
export const tradeGroup = (
  { side, place }: { side: string; place: number },
  { size, slippage }: { size: Member<string>; slippage: Member<number> },
  quote: Asset | null,
): DialGroup => ({
  name: `Trade ${place + 1}, ${sides[side] ?? side}`,
  dials: present([
    amountDial(size.is, { path: size.path, name: 'Size' }, quote),
    shareDial(slippage.is, {
      path: slippage.path,
      name: 'Maximum slippage',
      least: 500,
      most: 200_000,
      step: 500,
    }),
  ]),
})

export function applyPositions<Request extends object>(
  request: Request,
  groups: readonly DialGroup[],
  positions: Positions,
): Request {
  const moved = groups
    .flatMap(({ dials }) => dials)
    .filter(({ path, first }) => (positions[path] ?? first) !== first)
  return moved.reduce<Request>(
    (changed, { path, first, valueAt }) =>
      withAt(changed, path.split('.'), valueAt(positions[path] ?? first)) as Request,
    request,
  )
}

export function withAt(value: unknown, [name, ...rest]: readonly string[], member: Json): unknown {
  if (name === undefined) return member
  if (Array.isArray(value)) {
    return value.with(Number(name), withAt(value[Number(name)], rest, member))
  }
  return { ...(value as JsonObject), [name]: withAt((value as JsonObject)[name], rest, member) }
}
