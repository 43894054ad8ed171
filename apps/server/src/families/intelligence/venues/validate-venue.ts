import { Failure } from '../../../failure.ts'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import type { Check } from '../../../integrations/chain/check.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { requiredFactory } from '../../../integrations/chain/known-factories.ts'
import { hasLogs } from '../../../integrations/chain/probe.ts'
import { checkVenue, type VenueIdentity } from '../../../integrations/chain/venue-checks.ts'
import { chainFailure, chainProviders } from '../../../integrations/providers/chain-providers.ts'
import { limits } from '../../../limits.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { stableTerms } from './market-reads.ts'
import { validatePosition } from './position-tokens.ts'
import type { VenueProfile } from './venue.ts'

type Hex = `0x${string}`

const unavailable = { code: 'LIQUIDITY_CHAIN_UNAVAILABLE' } as const

/**
 * Compares a profile with the chain at its finalized block.
 *
 * @param timeoutMilliseconds total time for all chain reads; each read also has the provider's
 * limit
 * @throws Failure 422 LIQUIDITY_VENUE_VALIDATION_FAILED with one entry per failed check, 503 if the
 * chain was unreadable or too slow
 */
export async function validateVenue(
  records: TenantRecords,
  services: ProviderAccess,
  venue: Omit<VenueProfile, 'validation'>,
  timeoutMilliseconds: number = limits.venueValidationMilliseconds,
): Promise<NonNullable<VenueProfile['validation']>> {
  const { pair, read } = venue
  const deadline = AbortSignal.timeout(timeoutMilliseconds)
  const patience = { signal: deadline }
  const { providerId } = read
  const providers = await chainProviders(records, services, providerId, pair.chainId, patience)
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
    const faults = await validatePosition(first.client, venue, head.head)
    if (Object.keys(faults).length > 0) {
      throw new Failure('LIQUIDITY_VENUE_VALIDATION_FAILED', { fieldErrors: faults })
    }
    return {
      block: blockOf(pair.chainId, head.head),
      checks: [...checks, ...(await startWarning(first.client, read.startBlock, head.head))].map(
        (check) => ({
          ...check,
        }),
      ),
    }
  } catch (error) {
    // A timeout can surface as different errors, depending on the current read.
    const isLate = error instanceof ChainError && deadline.aborted
    throw chainFailure(isLate ? new ChainError({ ...unavailable, reason: 'TIMEOUT' }) : error)
  }
}

/** A warning if the provider does not serve the logs of the start block: events would be missing. */
async function startWarning(
  client: ChainClient,
  startBlock: number,
  head: Header,
): Promise<Check[]> {
  if (startBlock > head.number || (await hasLogs(client, startBlock))) return []
  const observed =
    'WARNING: the provider does not serve them; choose a later start block or a provider with older logs'
  return [{ code: 'START_BLOCK', ok: true, expected: `logs of block ${startBlock}`, observed }]
}

function identityOf(venue: Omit<VenueProfile, 'validation'>): VenueIdentity {
  const { pair, kind, read, feePips, tickSpacing } = venue
  const claimed = {
    chainId: pair.chainId,
    address: venue.address as Hex,
    base: pair.base as Hex,
    quote: pair.quote as Hex,
    baseDecimals: pair.baseDecimals,
    quoteDecimals: pair.quoteDecimals,
    logChunkBlocks: read.logChunkBlocks,
  }
  if (kind === 'STABLESWAP') {
    const terms = { ...stableTerms(venue), kind }
    // The profile of such a venue states its fee.
    return { ...claimed, ...terms, feePips: feePips ?? 0 }
  }
  return {
    ...claimed,
    // The profile check rejects order books.
    kind: kind as 'UNISWAP_V2' | 'UNISWAP_V3',
    factory: requiredFactory(venue) as Hex,
    feePips: feePips ?? 3000,
    ...(tickSpacing === undefined ? {} : { tickSpacing }),
  }
}

/** A header in record form. */
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
