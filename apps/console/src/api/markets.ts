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

export const marketHistoryQuery = (organizationId: string, pair: string, { key, days }: Range) =>
  queryOptions({
    queryKey: [organizationId, 'market-history', pair, key],
    queryFn: async ({ client }) => {
      // The clock of the service, because the one of the browser can differ.
      const { asOf } = await client.ensureQueryData(marketSummariesQuery(organizationId))
      const from =
        days === null
          ? await firstObserved(organizationId, pair)
          : new Date(Date.parse(asOf) - days * dayMilliseconds).toISOString()
      return readHistory(organizationId, { pair, from, points, bands: depthBands.join(',') })
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

/** Start of the first observation of a pair; undefined without observations. */
async function firstObserved(organizationId: string, pair: string): Promise<string | undefined> {
  const { evidence } = await readHistory(organizationId, {
    pair,
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
