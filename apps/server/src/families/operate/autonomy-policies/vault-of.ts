import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { hourSeconds } from '../../../units.ts'

export type Vault = VersionedRecord<contract.QualifiedVault>

/** @throws Failure 404 if the vault does not exist */
export async function requireVault(
  records: TenantRecords,
  vaultId: string,
  at = 'payload.vaultId',
): Promise<Vault> {
  const vault = await vaultOf(records, vaultId)
  if (vault) return vault
  throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { [at]: [`must be a vault of this organization, got ${vaultId}`] },
  })
}

export async function vaultOf(records: TenantRecords, vaultId: string): Promise<Vault | null> {
  const found = await records.current<contract.QualifiedVault>('QualifiedVault', vaultId)
  return found?.record ?? null
}

/** True if the last vault reading is recent, independent of sweeps. */
export const isFresh = ({ payload: { snapshot } }: Vault, now: number): boolean =>
  now - Date.parse(snapshot.timestamp) <= hourSeconds * 1000

/** Reasons why a vault cannot have an executable policy; empty if it can. */
export function validateQualification(vault: Vault, now: number): string[] {
  const { status, payload } = vault
  if (status === 'RETIRED') return ['it is RETIRED']
  const failing = payload.checks.flatMap(({ code, ok }) => (ok || code === 'FRESH' ? [] : [code]))
  return [...failing, ...(isFresh(vault, now) ? [] : ['FRESH'])]
}

const moduleAbi = parseAbi(['function disableModule(address previous, address module)'])
const sentinel = '0x0000000000000000000000000000000000000001'

/**
 * Modules that can act for the Safe without its owners at the last reading. Includes the calls that
 * remove them, in list order from the head.
 */
export function onChainOf(vault: Vault | null): contract.AutonomyPolicy['onChain'] {
  if (!vault) {
    const detail = 'The vault no longer exists.'
    return { authority: 'UNKNOWN', detail, removal: null }
  }
  const { control, safeAddress, snapshot } = vault.payload
  const read = `as read at block ${snapshot.number}`
  if (control.modules.length === 0) {
    const detail = `The Safe has no modules (${read}). Only its owners can act.`
    return { authority: 'NONE', detail, removal: null }
  }
  const removal = control.modules.map((module) => ({
    to: safeAddress,
    value: '0',
    data: encodeFunctionData({
      abi: moduleAbi,
      functionName: 'disableModule',
      args: [sentinel, module as Hex],
    }),
  }))
  const detail = `The Safe has ${control.modules.length} modules (${read}). No policy of this service limits them. Their access remains on chain until the owners execute the removal calls.`
  return { authority: 'UNKNOWN', detail, removal: removal.slice(0, 64) }
}
