import type { FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import type { ChainClient } from '../../../../integrations/chain/client.ts'
import type { Pin } from '../../../../integrations/chain/finalized.ts'
import {
  type Periphery,
  type PeripheryRole,
  peripheryContract,
  peripheryFault,
} from '../../../../integrations/chain/known-periphery.ts'

export type { Periphery, PeripheryRole }

/** Named periphery contracts, with the chain's standard ones as defaults. */
export function peripheryOf(
  chainId: number,
  named: Partial<Record<PeripheryRole, string>> = {},
): Periphery {
  const of = (role: PeripheryRole) => peripheryContract(chainId, role, named[role])
  return {
    positionManager: of('positionManager'),
    swapRouter: of('swapRouter'),
    v2Router: of('v2Router'),
  }
}

/**
 * Checks the contracts that the plan would call. Each must exist, have known code, and belong to
 * the venue's factory.
 *
 * @param needed role and factory; a role may be needed for several
 * @throws Failure 422 LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN
 */
export async function requirePeriphery(
  client: ChainClient,
  pin: Pin,
  chainId: number,
  periphery: Periphery,
  needed: readonly { readonly role: PeripheryRole; readonly factory: string }[],
): Promise<void> {
  const faults: FieldErrors = {}
  for (const { role, factory } of needed) {
    const path = `payload.contracts.${role}`
    const address = periphery[role]
    if (address === null) {
      faults[path] = [`is required: chain ${chainId} has no well-known contract`]
      continue
    }
    const fault = await peripheryFault(client, pin, { role, address, chainId, factory })
    if (fault !== null) faults[path] = [fault]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN', { fieldErrors: faults })
  }
}
