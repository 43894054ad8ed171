import type { Spot } from '@liquidity-os/drawing/spots'

/** The spot nearest to a point, both in view box units; null if no spot exists. */
export function nearestSpot(
  spots: readonly Spot[],
  { x, y }: { readonly x: number; readonly y: number },
): Spot | null {
  let nearest: Spot | null = null
  let min = Infinity
  for (const spot of spots) {
    const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2
    if (distance >= min) continue
    min = distance
    nearest = spot
  }
  return nearest
}

/** Keys that move along a series in row order, or to the nearest spot of the adjacent series. */
export const spotKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const
export type SpotKey = (typeof spotKeys)[number]

export const isSpotKey = (key: string): key is SpotKey => spotKeys.includes(key as SpotKey)

/**
 * The next spot for a key; the first one if none is selected.
 *
 * @param spots at least one
 */
export function spotAfter(spots: readonly Spot[], from: Spot | null, key: SpotKey): Spot {
  const [first] = spots
  if (!first) throw new RangeError('The chart has no spots.')
  if (!from) return first
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const names = [...new Set(spots.map(({ series }) => series))]
    const step = key === 'ArrowDown' ? 1 : -1
    const name = names[names.indexOf(from.series) + step]
    const others = spots.filter(({ series }) => series === name)
    return nearestSpot(others, { x: from.x, y: from.y }) ?? from
  }
  const own = spots.filter(({ series }) => series === from.series)
  const place = own.indexOf(from)
  const next = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    Home: 0,
    End: own.length - 1,
  }[key]
  return own[Math.min(Math.max(next, 0), own.length - 1)] ?? from
}
