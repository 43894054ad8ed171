import { divideFloor, type Rat } from '../arithmetic/integer.ts'

/** Quote atoms that base atoms are worth at a price, rounded down; the amount may have either sign. */
export function quoteValue(base: bigint, price: Rat): bigint {
  return divideFloor(base * price.num, price.den)
}

/** Base atoms that quote atoms buy at a price, rounded down. */
export function baseFor(quote: bigint, price: Rat): bigint {
  return divideFloor(quote * price.den, price.num)
}
