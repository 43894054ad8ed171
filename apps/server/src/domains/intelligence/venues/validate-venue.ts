import { factoryOf } from '../../../chain/known-factories.ts'
import { checkVenue } from '../../../chain/venue-checks.ts'
import type { Services } from '../../../context.ts'
import { Failure } from '../../../http/failure.ts'
import { chainFailure, chainProviders } from '../../../providers/chain-providers.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import type { VenueProfile } from './venue.ts'

type Hex = `0x${string}`

/**
 * Compares a profile with the chain at its finalized block.
 *
 * @throws Failure 422 LIQUIDITY_VENUE_VALIDATION_FAILED with one entry for each check that failed
 */
export async function validateVenue(
  records: TenantRecords,
  services: Services,
  venue: Omit<VenueProfile, 'validation'>,
): Promise<NonNullable<VenueProfile['validation']>> {
  const { pair, kind, read } = venue
  const providers = await chainProviders(records, services, read.providerId, pair.chainId)
  const [first, ...others] = providers
  try {
    const { head, checks } = await checkVenue(
      [first.client, ...others.map(({ client }) => client)],
      read.finality,
      {
        kind: kind as 'UNISWAP_V2' | 'UNISWAP_V3',
        chainId: pair.chainId,
        address: venue.address as Hex,
        factory: factoryOf(venue) as Hex,
        base: pair.base as Hex,
        quote: pair.quote as Hex,
        baseDecimals: pair.baseDecimals,
        quoteDecimals: pair.quoteDecimals,
        feePips: venue.feePips ?? 3000,
        ...(venue.tickSpacing === undefined ? {} : { tickSpacing: venue.tickSpacing }),
      },
    )
    const failed = checks.filter(({ ok }) => !ok)
    if (failed.length > 0) {
      throw new Failure('LIQUIDITY_VENUE_VALIDATION_FAILED', {
        fieldErrors: Object.fromEntries(
          failed.map(({ code, expected, observed }) => [
            code,
            [`expected ${expected}, observed ${observed}`],
          ]),
        ),
      })
    }
    return {
      block: blockOf(pair.chainId, head.head),
      checks: checks.map((check) => ({ ...check })),
    }
  } catch (error) {
    throw chainFailure(error)
  }
}

/** A header as records name blocks. */
export function blockOf(
  chainId: number,
  header: { number: number; hash: string; timestamp: number },
) {
  return {
    chainId,
    number: header.number,
    hash: header.hash,
    timestamp: new Date(header.timestamp * 1000).toISOString(),
  }
}
