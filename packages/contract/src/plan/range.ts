import Type, { type Static } from 'typebox'
import { measured, priceX36, unitless } from '../measures.ts'
import { AtomicAmount, closed, list, named, orNull } from '../scalars.ts'

export const Tick = Type.Integer({
  minimum: -887_272,
  maximum: 887_272,
  description: 'Tick of the pool.',
})

/** A range around the price, with one meaning in positions, strategies and allocations. */
export const RangeAroundPrice = named(
  'RangeAroundPrice',
  closed(
    {
      kind: Type.Literal('RANGE'),
      lowerPips: Type.Integer({
        minimum: 0,
        maximum: 50_000_000,
        description: 'Lower edge below the price, millionths of the price; 422 above 999,999.',
      }),
      upperPips: Type.Integer({
        minimum: 0,
        maximum: 100_000_000,
        description: 'Upper edge above the price, millionths of the price.',
      }),
    },
    {
      description:
        'Range from P·(1 − lowerPips/10⁶) to P·(1 + upperPips/10⁶), with P the price of the base in the pool of the range; for a study its start price. Each edge is rounded outwards to a multiple of the tick spacing, exactly; the range is at least one spacing wide.',
    },
  ),
)

const edgePriceX36 = (description: string) =>
  orNull(Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$', description }))

export const RangeEdges = named(
  'RangeEdges',
  measured(
    closed({
      tickLower: Tick,
      tickUpper: Tick,
      lowerPriceX36: edgePriceX36(
        'Price of the base at the lower of both edges: quote atoms per base atom × 10³⁶, from the exact root price of the tick, rounded down. The edge of tickLower if the base is token0, of tickUpper if it is token1; null for markets without ranges.',
      ),
      upperPriceX36: edgePriceX36(
        'Price of the base at the upper of both edges, as lowerPriceX36.',
      ),
    }),
    {
      tickLower: unitless,
      tickUpper: unitless,
      lowerPriceX36: priceX36('Lower price of the range'),
      upperPriceX36: priceX36('Upper price of the range'),
    },
  ),
)
export type RangeEdges = Static<typeof RangeEdges>

/** Initial positions of a candidate; a ladder has several. */
export const OpenedPositions = list(
  measured(closed({ ...RangeEdges.properties, liquidity: AtomicAmount }), { liquidity: unitless }),
  192,
  { description: 'Positions opened at the start.' },
)

/**
 * The same for readers of a share; its author decides whether positions and amounts are visible.
 */
export const SharedPositions = orNull(
  list(closed({ ...RangeEdges.properties, liquidity: orNull(AtomicAmount) }), 192),
)
