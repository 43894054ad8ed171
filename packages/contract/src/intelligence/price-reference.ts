import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { closed, named } from '../scalars.ts'

/**
 * External prices for a market: from another venue of the organization, or a feed's price series.
 */
export const VenueReference = closed(
  { kind: Type.Literal('VENUE'), venue: Ref },
  {
    description:
      'Prices from sealed observations of another UNISWAP_V3 or UNISWAP_V2 venue of the same pair; maximum error: its fee.',
  },
)

export const SeriesReference = closed(
  {
    kind: Type.Literal('SERIES', {
      description:
        'Prices outside, of the days that this version of a PriceSeries and those before it sealed.',
    }),
    series: Ref,
    over: Type.Optional(Ref),
  },
  {
    description:
      'A series of the pair, in either direction; or of its base over one of its quote, both in the same third asset.',
  },
)

export const PriceReference = named('PriceReference', Type.Union([VenueReference, SeriesReference]))
export type PriceReference = Static<typeof PriceReference>
