import type { contract } from '@liquidity-os/contract'
import { queryOptions } from '@tanstack/react-query'
import { read } from './send.ts'

export type VenueLiquidity = contract.VenueLiquidity
export type VenuePositions = contract.VenuePositions

const refetchInterval = 60_000

export const liquidityQuery = (organizationId: string, venueId: string, withinPips: number) =>
  queryOptions({
    queryKey: [organizationId, 'venue-liquidity', venueId, withinPips],
    queryFn: () =>
      read<VenueLiquidity>(organizationId, `/venues/${venueId}/liquidity`, { withinPips }),
    refetchInterval,
    // The chart of another distance stays until the new data arrives.
    placeholderData: (before, query) => (query?.queryKey[2] === venueId ? before : undefined),
  })

/** @param hasResults false omits the results since the first deposit, which take longest */
export const positionsQuery = (organizationId: string, venueId: string, hasResults = true) =>
  queryOptions({
    queryKey: [organizationId, 'venue-positions', venueId, hasResults],
    queryFn: () =>
      read<VenuePositions>(
        organizationId,
        `/venues/${venueId}/positions`,
        hasResults ? {} : { results: 'false' },
      ),
    // The first figures of an added position follow its index job.
    refetchInterval: ({ state: { data } }) =>
      data?.positions.some(({ reasons }) => reasons.includes('POSITION_NOT_OBSERVED'))
        ? 3_000
        : refetchInterval,
  })

/** Names of addresses by lower-case address. */
export const addressLabelsQuery = (organizationId: string, addresses: readonly string[]) =>
  queryOptions({
    queryKey: [organizationId, 'address-labels', addresses.join(',')],
    queryFn: async () => {
      const labels = await read<contract.AddressLabel[]>(organizationId, '/address-labels', {
        addresses: addresses.join(','),
      })
      return new Map(labels.map(({ address, name }) => [address.toLowerCase(), name]))
    },
    enabled: addresses.length > 0,
    staleTime: 60_000,
  })
