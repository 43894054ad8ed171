import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { ChainReceipt } from './receipts-of-block.ts'

type Judged = Pick<contract.ExecutionReceipt, 'policyInForce' | 'verdict' | 'rules'>

/** Judges an execution by the policy that was in force at its block. */
export async function policyVerdict(
  _records: TenantRecords,
  _vault: { readonly id: string; readonly payload: contract.QualifiedVault },
  _receipt: ChainReceipt,
): Promise<Judged> {
  return { policyInForce: null, verdict: 'NO_POLICY', rules: [] }
}
