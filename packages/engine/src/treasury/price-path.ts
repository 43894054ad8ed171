import { MILLION, type PricePath } from './terms.ts'

/**
 * Prices of every month along a path, rounded down.
 *
 * STEP moves from its month on. LINEAR reaches its move in the last month, in equal monthly parts.
 * PATH gives the move against the observed price month by month.
 *
 * @param priceX36 observed price, above zero
 * @param months above zero
 */
export function pricesAlong(priceX36: bigint, path: PricePath, months: number): bigint[] {
  return Array.from({ length: months }, (_, month) => {
    const { numerator, denominator } = moveAt(path, month, months)
    return (priceX36 * (MILLION * denominator + numerator)) / (MILLION * denominator)
  })
}

/** Price move in millionths, exact. */
function moveAt(path: PricePath, month: number, months: number) {
  const whole = (pips: number) => ({ numerator: BigInt(pips), denominator: 1n })
  switch (path.kind) {
    case 'HOLD':
      return whole(0)
    case 'STEP':
      return whole(month >= path.month ? path.movePips : 0)
    case 'LINEAR':
      return { numerator: BigInt(path.movePips) * BigInt(month + 1), denominator: BigInt(months) }
    case 'PATH': {
      const move = path.movesPips[month]
      if (move === undefined) throw new RangeError(`The price path has no month ${month}.`)
      return whole(move)
    }
  }
}
