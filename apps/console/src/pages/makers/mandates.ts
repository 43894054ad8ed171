import type { contract } from '@liquidity-os/contract'
import type { KpiFormat } from '@liquidity-os/contract/mandate-words'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { percentOf, shortDecimal } from '../../fields/numbers.ts'
import { displaySymbols, type NamedToken } from '../../fields/symbols.ts'
import { type Asset, unitsOf } from '../../fields/units.tsx'

export interface MandateRecord {
  readonly id: string
  readonly status: string
  readonly payload: contract.MarketMakerMandate
}

export const mandatesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'market-maker-mandates', 'named'],
    queryFn: () => read<MandateRecord[]>(organizationId, '/market-maker-mandates', { limit: 50 }),
    refetchInterval: 15_000,
  })

/** Results of the current windows. A draft has none. */
export const evaluationsQuery = (organizationId: string, { id, status }: MandateRecord) =>
  queryOptions({
    queryKey: [organizationId, 'mandate-evaluations', id],
    queryFn: () =>
      read<contract.MandateEvaluations>(organizationId, `/market-maker-mandates/${id}/evaluations`),
    enabled: status !== 'DRAFT',
    refetchInterval: 60_000,
  })

/** An hour of the file of a mandate. */
export interface HourRow {
  readonly from: string
  readonly to: string
  readonly bid: string
  readonly ask: string
  readonly known: number
  readonly bidQuoted: number
  readonly askQuoted: number
  readonly counted: number
  readonly reason: string | null
}

export const hoursQuery = (organizationId: string, { id, status, payload }: MandateRecord) =>
  queryOptions({
    queryKey: [organizationId, 'mandate-hours', id],
    queryFn: () => read<HourRow[]>(organizationId, `/exports/mandates/${id}/hours`, { as: 'json' }),
    enabled: status !== 'DRAFT' && hasUptime(payload),
    refetchInterval: 60_000,
  })

export const hasUptime = ({ kpis }: contract.MarketMakerMandate): boolean =>
  kpis.some(({ metric }) => metric === 'UPTIME_PIPS')

type Pair = contract.MarketMakerMandate['pair']

const maxAssets = 100

const assetsQuery = (organizationId: string, chainId: number) =>
  queryOptions({
    queryKey: [organizationId, 'mandate-assets', chainId],
    queryFn: () =>
      read<contract.KnownAsset[]>(organizationId, '/assets', { chainId, limit: maxAssets }),
    staleTime: 60_000,
  })

/** Tokens of a mandate. Venue names are free text and name no token. */
export function usePairTokens(pair: Pair): { base: Asset; quote: Asset } {
  const { organizationId } = useMembership()
  const { data } = useQuery(assetsQuery(organizationId, pair.chainId))
  return pairTokens(pair, data ?? [])
}

/** Tokens of a pair, with symbols of known tokens or short addresses. */
export function pairTokens(
  pair: Pair,
  known: readonly Pick<contract.KnownAsset, 'assetKey' | 'symbol'>[],
): { base: Asset; quote: Asset } {
  const { chainId } = pair
  const prefix = `eip155:${chainId}/erc20:`
  const tokens = known.flatMap(({ assetKey, symbol }): NamedToken[] =>
    assetKey.startsWith(prefix)
      ? [{ chainId, address: assetKey.slice(prefix.length).toLowerCase(), symbol }]
      : [],
  )
  const { base, quote } = unitsOf(pair, displaySymbols(tokens, []))
  if (base === null || quote === null) throw new Error('A mandate has no pair.')
  return { base, quote }
}

export const formatIn = (quote: Asset): KpiFormat => ({
  percent: percentOf,
  quote: (atoms) => `${shortDecimal(atoms, quote.decimals)}\u00a0${quote.symbol}`,
})
