import { type Address, type Hex, isAddressEqual, parseAbi } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import type { Pin } from '../../../integrations/chain/finalized.ts'
import { limits } from '../../../limits.ts'

const rolesAbi = parseAbi([
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function getRoleMemberCount(bytes32 role) view returns (uint256)',
  'function getRoleMember(bytes32 role, uint256 index) view returns (address)',
])

/**
 * True if an account has a role of a contract.
 *
 * @returns null if the contract has no roles
 * @see OpenZeppelin AccessControl
 */
export function readRole(
  client: ChainClient,
  pin: Pin,
  address: Address,
  { role, account }: { readonly role: Hex; readonly account: Address },
): Promise<boolean | null> {
  return answered(() =>
    readContract(client, pin, {
      address,
      abi: rolesAbi,
      functionName: 'hasRole',
      args: [role, account],
    }),
  )
}

/** Other holders of a role, if the contract lists them. */
export interface RoleHolders {
  /** At most `limits.controlRoleHolders`, in contract order. */
  readonly others: Address[]
  readonly isWhole: boolean
}

/**
 * Reads the other holders of a role.
 *
 * @returns null if the contract cannot list them
 * @see OpenZeppelin AccessControlEnumerable
 */
export async function readOtherHolders(
  client: ChainClient,
  pin: Pin,
  address: Address,
  { role, account }: { readonly role: Hex; readonly account: Address },
): Promise<RoleHolders | null> {
  const at = { address, abi: rolesAbi } as const
  const count = await answered(() =>
    readContract(client, pin, { ...at, functionName: 'getRoleMemberCount', args: [role] }),
  )
  if (count === null) return null
  const max = limits.controlRoleHolders
  const shown = count > BigInt(max) ? max : Number(count)
  const holders = await answered(() =>
    Promise.all(
      Array.from({ length: shown }, (_, index) =>
        readContract(client, pin, {
          ...at,
          functionName: 'getRoleMember',
          args: [role, BigInt(index)],
        }),
      ),
    ),
  )
  if (holders === null) return null
  const others = holders.filter((holder) => !isAddressEqual(holder, account))
  return { others, isWhole: count <= BigInt(max) }
}
