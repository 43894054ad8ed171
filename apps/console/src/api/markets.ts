import type { contract } from '@liquidity-os/contract'
import { queryOptions } from '@tanstack/react-query'
import { depthBands, type Range } from './market-range.ts'
import { read } from './send.ts'

export type MarketSummary = contract.MarketSummary
export type MarketHistory = contract.MarketHistory

export const marketSummariesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'market-summaries'],
    queryFn: () => read<contract.MarketSummaries>(organizationId, '/market-summaries'),
    refetchInterval: 15_000,
  })

const points = 240
const dayMilliseconds = 86_400_000

/**
 * History of a market, or of one of its venues.
 *
 * @param venueId of the venue; all venues of the pair without it
 */
export const marketHistoryQuery = (
  organizationId: string,
  { pair, venueId }: { pair: string; venueId: string | undefined },
  { key, days }: Range,
) =>
  queryOptions({
    queryKey: [organizationId, 'market-history', pair, venueId ?? 'all', key],
    queryFn: async ({ client }) => {
      // The clock of the service, because the one of the browser can differ.
      const subject = venueId === undefined ? { pair } : { venueId }
      const { asOf } = await client.ensureQueryData(marketSummariesQuery(organizationId))
      const from =
        days === null
          ? await firstObserved(organizationId, subject)
          : new Date(Date.parse(asOf) - days * dayMilliseconds).toISOString()
      return readHistory(organizationId, { ...subject, from, points, bands: depthBands.join(',') })
    },
    refetchInterval: 60_000,
    // The charts of another range stay until the new data arrives.
    placeholderData: (before, query) => (query?.queryKey[2] === pair ? before : undefined),
  })

const readHistory = (organizationId: string, query: Record<string, unknown>) =>
  read<MarketHistory>(organizationId, '/market-history', query)

/** No observation is older than the first block of Ethereum. */
const beforeAll = '2015-07-30T00:00:00Z'
const minPoints = 60

/** Start of the first observation of a market or venue; undefined without observations. */
async function firstObserved(
  organizationId: string,
  subject: { pair: string } | { venueId: string },
): Promise<string | undefined> {
  const { evidence } = await readHistory(organizationId, {
    ...subject,
    from: beforeAll,
    points: minPoints,
  })
  if (evidence.first === null) return undefined
  const { payload } = await read<{ payload: { range: { from: { timestamp: string } } } }>(
    organizationId,
    `/venue-observations/${evidence.first}`,
  )
  return payload.range.from.timestamp
}
