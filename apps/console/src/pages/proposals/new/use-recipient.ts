import { useQuery } from '@tanstack/react-query'
import { addressLabelsQuery } from '../../../api/liquidity.ts'
import { useMembership } from '../../../api/queries.ts'
import { shortAddress } from '../../../fields/numbers.ts'
import { readAddress } from './proposal-terms.ts'

/** Name of a pasted account, else its short address; null without one. */
export function useRecipient(pasted: string, chainId: number): string | null {
  const { organizationId } = useMembership()
  const { address } = readAddress(pasted, chainId)
  const labels = useQuery(
    addressLabelsQuery(organizationId, address === null ? [] : [address.toLowerCase()]),
  )
  if (address === null) return null
  return labels.data?.get(address.toLowerCase()) ?? shortAddress(address)
}
