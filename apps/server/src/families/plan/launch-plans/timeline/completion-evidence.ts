import type { contract, FieldErrors } from '@liquidity-os/contract'
import { InvalidKeyError, importPublicKey, verify } from '@liquidity-os/evidence'
import type { Hex } from 'viem'
import { Failure } from '../../../../failure.ts'
import { readReceipt } from '../../../../integrations/chain/receipts.ts'
import {
  type PinnedChain,
  readFromChain,
  takeSnapshot,
} from '../../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { currentSources } from '../../../sources.ts'
import { type FinalTransaction, validateDeploymentEvidence } from './deployed-evidence.ts'
import type { Step } from './fold-timeline.ts'
import {
  type Completing,
  handoverFault,
  mismatch,
  requireFittingRecords,
  requireUnused,
} from './matching-evidence.ts'

type Evidence = contract.LaunchEvidence

/**
 * Verifies the evidence for a step: current record versions with hash, successful transactions in
 * finalized blocks, and signatures by the gate's key.
 *
 * @returns true if a signature opens the gate
 * @throws Failure 422 for missing, false or unrelated evidence, 404 and 412 for records, 503 if a
 * chain is unavailable
 */
export async function requireEvidence(
  records: TenantRecords,
  services: ProviderAccess,
  completing: Completing,
  evidence: readonly Evidence[],
): Promise<boolean> {
  const { step } = completing
  const faults: FieldErrors = {}
  for (const { kind, minimum } of step.requiredEvidence) {
    const given = evidence.filter((one) => one.kind === kind).length
    if (given < minimum)
      faults.evidence = [`must have at least ${minimum} of ${kind}, got ${given}`]
  }
  for (const [index, one] of evidence.entries()) validateForm(one, `evidence.${index}`, faults)
  refuse(faults)
  requireUnused(completing, evidence)
  await requireRecords(records, completing, evidence)
  await requireTransactions(records, services, completing, evidence)
  return attested(step, evidence)
}

const member = {
  DOCUMENT: null,
  RECORD: 'ref',
  TRANSACTION: 'chain',
  SIGNATURE: 'signature',
} as const

function validateForm(one: Evidence, at: string, faults: FieldErrors): void {
  for (const name of ['ref', 'chain', 'signature'] as const) {
    const isWanted = member[one.kind] === name
    if (isWanted === (one[name] !== undefined)) continue
    faults[`${at}.${name}`] = [`must be ${isWanted ? 'given' : 'left out'} with ${one.kind}`]
  }
  if (one.chain && one.hash !== one.chain.txHash) {
    faults[`${at}.hash`] = [
      `must be ${one.chain.txHash}, the hash of the transaction, got ${one.hash}`,
    ]
  }
}

async function requireRecords(
  records: TenantRecords,
  completing: Completing,
  evidence: readonly Evidence[],
): Promise<void> {
  const named = evidence.flatMap(({ ref, hash }, index) =>
    ref ? [{ ref, hash, at: `evidence.${index}.ref` }] : [],
  )
  const found = await currentSources(records, named)
  const faults: FieldErrors = {}
  const placed = named.map(({ at }, index) => ({ at, record: found[index]! }))
  for (const [itemIndex, { hash, at }] of named.entries()) {
    const { artifactHash } = found[itemIndex]!
    if (hash === artifactHash) continue
    faults[at.replace('.ref', '.hash')] = [
      `must be ${artifactHash}, the hash of the record, got ${hash}`,
    ]
  }
  refuse(faults)
  requireFittingRecords(completing, placed)
}

async function requireTransactions(
  records: TenantRecords,
  services: ProviderAccess,
  completing: Completing,
  evidence: readonly Evidence[],
): Promise<void> {
  const [faults, mismatches]: [FieldErrors, FieldErrors] = [{}, {}]
  const found: { readonly at: string; readonly transaction: FinalTransaction }[] = []
  const pinned = new Map<number, PinnedChain>()
  for (const [index, { chain: named }] of evidence.entries()) {
    if (!named) continue
    const field = `evidence.${index}.chain.chainId`
    const known = pinned.get(named.chainId)
    const chain = known ?? (await pinChain(records, services, named.chainId, field))
    pinned.set(named.chainId, chain)
    const [client] = chain.clients
    const receipt = await readFromChain(() => readReceipt(client, named.txHash as Hex))
    const at = `evidence.${index}.chain.txHash`
    if (!receipt) faults[at] = ['must be a transaction on the chain, but none has this hash']
    else if (!receipt.isSuccessful) faults[at] = ['must have succeeded, but it reverted']
    else if (receipt.blockNumber > chain.block.number) {
      faults[at] = [
        `must be in a finalized block, at most ${chain.block.number}, got ${receipt.blockNumber}`,
      ]
    } else {
      found.push({ at, transaction: { receipt, chain } })
      const fault = handoverFault(completing, named.chainId, receipt)
      if (fault !== null) mismatches[at] = [fault]
    }
  }
  refuse(faults)
  const transactions = found.map(({ transaction }) => transaction)
  const ofDeployment = await readFromChain(() =>
    validateDeploymentEvidence(completing, transactions),
  )
  for (const [place, fault] of ofDeployment.entries()) {
    const at = found[place]?.at
    if (fault !== null && at !== undefined) mismatches[at] = [fault]
  }
  mismatch(mismatches)
}

async function pinChain(
  records: TenantRecords,
  services: ProviderAccess,
  chainId: number,
  field: string,
): Promise<PinnedChain> {
  const { chains } = await takeSnapshot(records, services, [chainId], field)
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
  return chain
}

/**
 * True if the key of the gate signed its document: Ed25519 over D("artifact-statement/v1", {
 * contentHash }).
 */
function attested({ gate }: Step, evidence: readonly Evidence[]): boolean {
  const faults: FieldErrors = {}
  let isAttested = false
  for (const [index, { kind, hash, signature }] of evidence.entries()) {
    if (kind !== 'SIGNATURE') continue
    if (gate?.kind !== 'DOCUMENT_ATTESTED') {
      faults[`evidence.${index}.kind`] = ['must not be SIGNATURE: the gate has no key']
    } else if (hash !== gate.documentHash) {
      faults[`evidence.${index}.hash`] = [`must be ${gate.documentHash}, got ${hash}`]
    } else if (signature === undefined || !isSigned(gate.publicKey, hash, signature)) {
      faults[`evidence.${index}.signature`] = [
        'must be a signature of the document by the gate key',
      ]
    } else isAttested = true
  }
  refuse(faults)
  return isAttested
}

function isSigned(publicKey: string, contentHash: string, signature: string): boolean {
  try {
    return verify(importPublicKey(publicKey), 'artifact-statement/v1', { contentHash }, signature)
  } catch (error) {
    if (error instanceof InvalidKeyError) return false
    throw error
  }
}

function refuse(fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length === 0) return
  throw new Failure('LIQUIDITY_LAUNCH_EVIDENCE_MISSING', { fieldErrors })
}
