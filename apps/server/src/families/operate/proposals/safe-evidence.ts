import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { inconsistent } from '../../../integrations/chain/client.ts'
import {
  hasHash,
  type Packet,
  type Proposal,
  safeCallOf,
} from '../../../market/proposals/agreed-packets.ts'
import {
  type PinnedChain,
  type PinnedSnapshot,
  readFromChain,
} from '../../../market/treasury/treasury-snapshot.ts'
import {
  type ChainReceipt,
  hashBySafe,
  type Receipt,
  type readTransactionOf,
  type Vault,
} from '../../prove/vaults/api.ts'

type Found = Awaited<ReturnType<typeof readTransactionOf>>
type Mined = Extract<Found, { state: 'EXECUTED' }>

/** An execution with the hash of a packet. */
export interface Evidence {
  readonly packet: Packet
  readonly execution: ChainReceipt
  readonly nonce: bigint
  readonly mined: Mined
}

/**
 * @throws Failure 409 for an unknown, unfinalized or reverted transaction
 */
export function requireMined(
  found: Found,
  { transactionHash, head }: { transactionHash: string; head: number },
): Mined {
  const refused = (code: ConstructorParameters<typeof Failure>[0], message: string) =>
    new Failure(code, { fieldErrors: { transactionHash: [message] } })
  switch (found.state) {
    case 'NOT_FOUND':
      throw refused(
        'LIQUIDITY_SAFE_EVIDENCE_NOT_FOUND',
        `must be a mined transaction, got ${transactionHash}`,
      )
    case 'NOT_FINALIZED':
      throw refused(
        'LIQUIDITY_SAFE_EVIDENCE_NOT_FINALIZED',
        `must be in a finalized block: it is in ${found.blockNumber}, the last finalized block is ${head}`,
      )
    case 'REVERTED':
      throw refused(
        'LIQUIDITY_SAFE_EVIDENCE_REVERTED',
        `must have succeeded: it reverted in block ${found.blockNumber}; the Safe logged no event, and its nonce is unused`,
      )
    default:
      return found
  }
}

/**
 * Finds the execution whose logged hash matches a packet. The service recomputes the hash from its
 * template.
 *
 * @throws Failure 409 without a match, or if a direct call's signatures resolve to no owners.
 * Failure 503 if a provider reports a failure that the Safe cannot log, or a hash that differs from
 * the Safe's.
 */
export async function executionOf(
  proposal: Proposal,
  { mined, chain }: { mined: Mined; chain: PinnedChain },
): Promise<Evidence> {
  const { packets } = proposal.payload
  const matches = mined.executions.flatMap((execution) => {
    const { safeTxHash } = execution
    if (!safeTxHash || !execution.nonce) return []
    const nonce = BigInt(execution.nonce)
    return packets
      .filter((packet) => hasHash(proposal, packet, nonce, safeTxHash))
      .map((packet) => ({ packet, execution, nonce, mined }))
  })
  // If no open packet matches, a registered one does, and its unique name rejects the duplicate.
  const found = matches.find(({ packet }) => packet.state === 'OPEN') ?? matches[0]
  if (!found) throw mismatch(proposal, mined)
  await requireAgreeing(proposal, found, chain)
  const { execution } = found
  if (mined.isDirect && !execution.signersResolved) {
    throw new Failure('LIQUIDITY_SAFE_EVIDENCE_SIGNERS_INVALID', {
      fieldErrors: {
        transactionHash: [
          `must have signatures of ${mined.before?.safe?.threshold ?? 'enough'} owners, got signatures of other accounts`,
        ],
      },
    })
  }
  return found
}

function mismatch({ payload }: Proposal, { executions }: Mined): Failure {
  const hashes = executions.map(({ safeTxHash, module, nonce }) =>
    safeTxHash
      ? `${safeTxHash} with nonce ${nonce ?? 'unknown'}`
      : `a call of the module ${module}`,
  )
  const expected = payload.packets.map(
    ({ hashes: { safeTxHash, nonce } }) => `${safeTxHash} with nonce ${nonce}`,
  )
  const got = hashes.length > 0 ? hashes.join(', ') : 'no execution of the Safe'
  return new Failure('LIQUIDITY_SAFE_EVIDENCE_MISMATCH', {
    fieldErrors: {
      transactionHash: [`must execute ${expected.join(' or ')}, got ${got}`.slice(0, 2000)],
    },
  })
}

/** Rejects provider data that is impossible for a Safe with the template's refund settings. */
async function requireAgreeing(
  { payload: { action } }: Proposal,
  { packet, execution, nonce }: Evidence,
  chain: PinnedChain,
): Promise<void> {
  const block = { ...chain.block }
  const safe = action.safeAddress as Address
  const own = await readFromChain(() =>
    hashBySafe(chain, block, { safe, call: safeCallOf(packet), nonce }),
  )
  const isOther = own !== null && own !== execution.safeTxHash
  if (isOther || execution.outcome === 'FAILURE') {
    await readFromChain(() => Promise.reject(inconsistent('eth_getTransactionReceipt')))
  }
}

interface Resolved {
  readonly evidence: Evidence
  readonly receipt: Receipt
  readonly snapshot: PinnedSnapshot
  readonly vault: Vault
}

/** Event payload of a resolved submission. A third party can verify it on chain. */
export function evidenceOf(
  { action, packetHash }: contract.ProposalWorkspace,
  { evidence, receipt, snapshot, vault }: Resolved,
): Record<string, unknown> {
  const { execution, nonce, packet, mined } = evidence
  const [chain] = snapshot.view.chains
  return {
    packetIndex: packet.packetIndex,
    packetHash,
    actionType: action.actionType,
    safeTxHash: execution.safeTxHash,
    nonce: `${nonce}`,
    outcome: execution.outcome,
    transactionHash: execution.transactionHash,
    block: execution.block,
    finality: chain?.depth === null ? 'TAG' : `DEPTH ${chain?.depth}`,
    providers: chain?.providers ?? [],
    limitations: snapshot.limitations,
    owners: mined.before?.safe?.owners ?? null,
    threshold: mined.before?.safe?.threshold ?? null,
    signers: execution.signers,
    signersResolved: execution.signersResolved,
    controlEpoch: vault.payload.controlEpoch,
    effectsHash: H('effects/v1', execution.effects),
    ...policyOf(packet),
    receiptId: receipt.id,
  }
}

/** The policy of a commitment: the first word of its data. */
function policyOf({ decodedCalls }: Packet): { policyHash?: string } {
  const commitment = decodedCalls.find(({ readBy }) => readBy === 'COMMITMENT')
  return commitment ? { policyHash: commitment.data.slice(0, 66) } : {}
}
