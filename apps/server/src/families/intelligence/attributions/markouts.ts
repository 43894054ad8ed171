import type { contract } from '@liquidity-os/contract'
import { movePips } from '@liquidity-os/engine/attribution'
import { type ReferenceCourse, referenceCourse } from '../../../market/prices/named-reference.ts'
import { priceAt } from '../../../market/prices/price-course.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { FillLeg } from './fill-legs.ts'
import type { Mark, Markout } from './mark.ts'
import { sizeOf } from './price-fill.ts'
import type { ReadFill } from './read-order.ts'

type Input = contract.AttributionInput

/** After the last fill: the latest markout. */
const maxMarkSeconds = 1800
const X36 = 10n ** 36n

/**
 * Reference prices for the markouts of an order, or null.
 *
 * @throws Failure 404 for unknown records, 422 for prices of another pair or of a pool that filled
 * the order
 */
export async function outsidePrices(
  records: TenantRecords,
  { reference, pair }: Input,
  read: readonly ReadFill[],
): Promise<ReferenceCourse | null> {
  const [first, last] = [read[0], read.at(-1)]
  if (!reference || !first || !last) return null
  const legs = read.flatMap(({ traded }) => ('branches' in traded ? traded.branches.flat() : []))
  const to = last.block.timestamp + maxMarkSeconds
  return referenceCourse(records, reference, {
    pair,
    window: { from: first.block.timestamp, to },
    evaluated: legs.map(({ terms }) => terms.address),
    field: 'payload.reference',
    refusal: 'LIQUIDITY_ATTRIBUTION_INPUT_INVALID',
  })
}

/**
 * Cost of a fill against the last reference price at or before a mark; null without such a price.
 */
export function markoutAt(
  outside: ReferenceCourse,
  side: Input['side'],
  fill: { readonly branches: readonly (readonly FillLeg[])[]; readonly timestamp: number },
  { seconds, block }: Mark,
): Markout | null {
  const point = block && priceAt(outside, fill.timestamp + seconds)
  const { base, quote } = sizeOf(side, fill.branches)
  if (!point || base === 0n) return null
  const reference = { num: point.priceX36, den: X36 }
  return { point, pips: movePips(side, reference, { num: quote, den: base }) }
}
