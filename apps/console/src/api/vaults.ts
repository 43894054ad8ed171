import type { contract } from '@liquidity-os/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { shortAddress } from '../fields/numbers.ts'
import { addressLabelsQuery } from './liquidity.ts'
import { useMembership } from './queries.ts'
import { read } from './send.ts'

export interface VaultRecord {
  readonly id: string
  readonly status: string
  readonly payload: contract.QualifiedVault
}

const vaultRecordsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'vaults', 'records'],
    queryFn: () => read<VaultRecord[]>(organizationId, '/vaults', { limit: 100 }),
    staleTime: 15_000,
  })

export interface NamedVault {
  readonly vault: VaultRecord
  /** Name of its Safe in the treasury, else its short address. */
  readonly name: string
}

/** Vaults in force with the names of their Safes; undefined until they are read. */
export function useNamedVaults(): { vaults: readonly NamedVault[] | undefined; error: unknown } {
  const { organizationId } = useMembership()
  const records = useQuery(vaultRecordsQuery(organizationId))
  const current = (records.data ?? []).filter(({ status }) => status !== 'RETIRED')
  const safes = [...new Set(current.map(({ payload }) => payload.safeAddress.toLowerCase()))]
  const labels = useQuery(addressLabelsQuery(organizationId, safes))
  const isComplete = records.data !== undefined && (safes.length === 0 || !labels.isPending)
  return {
    error: records.error,
    vaults: isComplete
      ? current.map((vault) => {
          const { safeAddress } = vault.payload
          const label = labels.data?.get(safeAddress.toLowerCase())
          return {
            vault,
            name:
              label === undefined || label === 'Safe' ? `Safe ${shortAddress(safeAddress)}` : label,
          }
        })
      : undefined,
  }
}
