import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { recordFamily } from '../../record-family.ts'

export type Vault = VersionedRecord<contract.QualifiedVault>
export type Receipt = VersionedRecord<contract.ExecutionReceipt>

const vaultKind = 'vault'
const receiptKind = 'receipt'

/** One vault per Safe and pair, permanently: a retired vault is reactivated with the same id. */
export const vaultName = ({
  chainId,
  safeAddress,
  pair: { base, quote },
}: Pick<contract.QualifiedVault, 'chainId' | 'safeAddress'> & {
  pair: Pick<contract.QualifiedVault['pair'], 'base' | 'quote'>
}) => ({ kind: vaultKind, name: [chainId, safeAddress, base, quote].join('|').toLowerCase() })

/** One receipt per vault and log position of a Safe. */
export const receiptName = ({
  vault,
  block,
  transactionHash,
  logIndex,
}: Pick<contract.ExecutionReceipt, 'block' | 'transactionHash' | 'logIndex'> & {
  vault: { readonly id: string }
}) => ({
  kind: receiptKind,
  name: `${vault.id}|${block.chainId}|${transactionHash}|${logIndex}`,
})

export const vaults = recordFamily(contract.vaultFamily, {
  names: ({ payload }) => [vaultName(payload)],
  nameKinds: [vaultKind],
})

export const receipts = recordFamily(contract.receiptFamily, {
  names: ({ payload }) => [receiptName(payload)],
  nameKinds: [receiptKind],
})
