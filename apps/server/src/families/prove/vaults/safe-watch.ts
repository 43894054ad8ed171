import type { contract } from '@liquidity-os/contract'
import { isAddressEqual } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { readContract } from '../../../integrations/chain/contract-call.ts'
import { readFinalizedHead } from '../../../integrations/chain/finalized.ts'
import { safeAbi } from '../../../integrations/chain/safe-account.ts'
import { anyChainProviders } from '../../../integrations/providers/chain-providers.ts'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import { limits } from '../../../limits.ts'
import { phaseOf } from '../../../market/proposals/agreed-packets.ts'
import type { ProviderAccess, RecordSweeping } from '../../../services.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement, member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { liquidityHoldings } from './holdings.ts'
import { observationTask } from './queue-observation.ts'
import { type Vault, vaults } from './records.ts'

/**
 * Reads the nonces of Safes with an approved packet. If a Safe executed a transaction, queues a reading
 * that records the execution and its receipt.
 */
export function watchSafes(services: RecordSweeping & ProviderAccess): Promise<void> {
  return sweepOverdue(services, {
    actor: 'safe-watch',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'ProposalWorkspace', {
        status: ['ACTIVE'],
        where: sql`${member('payload.phase')} = 'APPROVED'`,
        order: 'OLDEST',
        limit: limits.watchedPackets,
      }),
    end: (records, id) => queueIfExecuted(records, services, id),
  })
}

async function queueIfExecuted(
  records: TenantRecords,
  services: ProviderAccess,
  id: string,
): Promise<Change | null> {
  const current = await records.current<contract.ProposalWorkspace>('ProposalWorkspace', id)
  if (!current || phaseOf(current.record, records.now) !== 'APPROVED') return null
  const vault = await vaults.current(records, current.record.payload.vaultId)
  if (!vault || !(await hasExecuted(records, services, vault.record))) return null
  const { chainId, safeAddress } = vault.record.payload
  const holding = (await liquidityHoldings(records)).find(
    (one) => one.chainId === chainId && isAddressEqual(one.safe, safeAddress as `0x${string}`),
  )
  return holding ? queueRun(records, observationTask, holding.entry) : null
}

/** True if the finalized nonce of the Safe is above that of its last reading. */
async function hasExecuted(
  records: TenantRecords,
  services: ProviderAccess,
  { payload: { chainId, safeAddress, control } }: Vault,
): Promise<boolean> {
  try {
    const [{ client, configuration }] = await anyChainProviders(records, services, chainId)
    const block = await readFinalizedHead(client, configuration.finality)
    // The reading that follows compares all providers at one block.
    const nonce = await readContract(
      client,
      { block, form: 'NUMBER' },
      { address: safeAddress as `0x${string}`, abi: safeAbi, functionName: 'nonce' },
    )
    return nonce > BigInt(control.nonce)
  } catch (error) {
    // The health of the provider and the reading every few minutes report a failing node.
    if (error instanceof ChainError) return false
    throw error
  }
}
