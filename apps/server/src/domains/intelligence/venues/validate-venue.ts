import { factoryOf } from '../../../chain/known-factories.ts'
import { checkVenue, type VenueIdentity } from '../../../chain/venue-checks.ts'
import type { Services } from '../../../context.ts'
import { Failure } from '../../../http/failure.ts'
import { chainFailure, chainProviders } from '../../../providers/chain-providers.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import { stableTerms } from './market-reads.ts'
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
  const { pair, read } = venue
  const providers = await chainProviders(records, services, read.providerId, pair.chainId)
  const [first, ...others] = providers
  try {
    const { head, checks } = await checkVenue(
      [first.client, ...others.map(({ client }) => client)],
      read.finality,
      identityOf(venue),
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

function identityOf(venue: Omit<VenueProfile, 'validation'>): VenueIdentity {
  const { pair, kind, read, feePips, tickSpacing } = venue
  const claimed = {
    ...{ chainId: pair.chainId, address: venue.address as Hex },
    ...{ base: pair.base as Hex, quote: pair.quote as Hex },
    ...{ baseDecimals: pair.baseDecimals, quoteDecimals: pair.quoteDecimals },
    logChunkBlocks: read.logChunkBlocks,
  }
  if (kind === 'STABLESWAP') {
    const terms = { ...stableTerms(venue), kind }
    // The profile of such a venue states its fee.
    return { ...claimed, ...terms, feePips: feePips ?? 0 }
  }
  return {
    ...claimed,
    // An order book was refused with its profile.
    kind: kind as 'UNISWAP_V2' | 'UNISWAP_V3',
    factory: factoryOf(venue) as Hex,
    feePips: feePips ?? 3000,
    ...(tickSpacing === undefined ? {} : { tickSpacing }),
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
