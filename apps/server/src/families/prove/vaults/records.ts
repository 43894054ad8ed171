import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { recordFamily } from '../../record-family.ts'

export type Vault = VersionedRecord<contract.QualifiedVault>
export type Receipt = VersionedRecord<contract.ExecutionReceipt>

const vaultKind = 'vault'
const receiptKind = 'receipt'

/** One vault of a Safe and a pair, for ever: one that was retired comes back as itself. */
export const vaultName = ({
  chainId,
  safeAddress,
  pair: { base, quote },
}: Pick<contract.QualifiedVault, 'chainId' | 'safeAddress'> & {
  pair: Pick<contract.QualifiedVault['pair'], 'base' | 'quote'>
}) => ({ kind: vaultKind, name: [chainId, safeAddress, base, quote].join('|').toLowerCase() })

/** One receipt of what a Safe logged in one place, for each of its vaults. */
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
