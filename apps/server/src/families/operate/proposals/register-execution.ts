import type { contract } from '@liquidity-os/contract'
import type { Hex } from 'viem'
import { Failure } from '../../../failure.ts'
import {
  approvedCalls,
  executionName,
  isExpected,
  type Proposal,
  phaseOf,
} from '../../../market/proposals/agreed-packets.ts'
import {
  type PinnedSnapshot,
  readFromChain,
  takeSnapshot,
} from '../../../market/treasury/treasury-snapshot.ts'
import { required } from '../../../required.ts'
import type { ProviderAccess, Services } from '../../../services.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  areEffectsKnown,
  isSameControl,
  type Receipt,
  readControl,
  readTransactionOf,
  receiptName,
  receipts,
  receiptVersion,
  type Vault,
} from '../../prove/vaults/api.ts'
import { releaseOrNull, requireVault } from '../autonomy-policies/api.ts'
import { proposals } from './records.ts'
import { type Evidence, evidenceOf, executionOf, requireMined } from './safe-evidence.ts'
import { withExecution } from './with-execution.ts'

type Payload = contract.ProposalWorkspace

/** The services and records of a registration. */
interface Registering {
  readonly records: TenantRecords
  readonly services: ProviderAccess & Pick<Services, 'config'>
  readonly now: number
}

interface Registration {
  readonly transactionHash: string
  readonly reason: string
  /** Unix time in ms at which the proposal must be approved. Default: now. */
  readonly executedAt?: number
}

/** A proposal with one more executed packet. */
export interface Registered {
  readonly proposal: Proposal
  /** Event of the new version. */
  readonly safeEvidence: Change['events'][number]['event'] | undefined
  readonly receipt: Receipt
  readonly change: Change
}

/**
 * Proves by the chain alone that a transaction executed a packet of an approved proposal, and
 * records it.
 *
 * @throws Failure 409 if the proposal is not approved, or the transaction does not prove an
 * execution; 503 if the chain cannot be read
 */
export async function registerExecution(
  registering: Registering,
  current: Current<Payload>,
  registration: Registration,
): Promise<Registered> {
  const { records, services, now } = registering
  requireApproved(current.record, registration.executedAt ?? now)
  const { chainId } = current.record.payload.action
  const vault = await requireVault(records, current.record.payload.vaultId, 'id')
  const snapshot = await takeSnapshot(records, services, [chainId], 'payload.action.chainId')
  const chain = snapshot.chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  const release = releaseOrNull(services, now)
  const transactionHash = registration.transactionHash as Hex
  const approved = await approvedCalls(records, vault.id)
  const found = await readFromChain(() =>
    readTransactionOf(chain, { vault, transactionHash, release, approved }),
  )
  const mined = requireMined(found, { transactionHash, head: chain.block.number })
  const evidence = await executionOf(current.record, { mined, chain })
  await requireUnbound(records, evidence)
  const known = await knownReceipt(records, current.record.id, vault, evidence)
  const { control } = await readFromChain(() =>
    readControl({ ...chain, block: mined.block }, safeOf(vault)),
  )
  const bound = { proposal: current.record, packet: evidence.packet }
  const made = known
    ? null
    : receipts.first(
        records,
        await readFromChain(() =>
          receiptVersion(records, { release, vault, receipt: evidence.execution, chain, bound }),
        ),
      )
  const receipt = known ?? made?.sealed.record
  if (!receipt) throw new Error('A receipt must exist or be created.')
  const sums = await sumOf(records, current.record, receipt)
  const isControlChanged =
    control === null || !isSameControl(control, current.record.payload.baselineControl)
  return written(records, current, {
    reason: registration.reason,
    evidence,
    receipt,
    snapshot,
    vault,
    isControlChanged,
    reconciliation: sums,
    made: made?.change ?? null,
  })
}

const safeOf = ({ payload }: Vault) => payload.safeAddress as `0x${string}`

function requireApproved(record: Proposal, now: number): void {
  const phase = phaseOf(record, now)
  if (phase === 'APPROVED') return
  throw new Failure('LIQUIDITY_PROPOSAL_NOT_APPROVED', {
    fieldErrors: { id: [`must be APPROVED, got ${phase}`] },
  })
}

/** @throws Failure 409 if a packet already has this execution */
async function requireUnbound(records: TenantRecords, { execution }: Evidence): Promise<void> {
  const { chainId } = execution.block
  const { safeAddress } = execution
  const safeTxHash = required(execution.safeTxHash, 'hash of the Safe transaction')
  const holder = await records.holder(executionName({ chainId, safeAddress, safeTxHash }))
  if (holder) throw bound(`${safeTxHash} belongs to ${holder}`)
}

const bound = (message: string) =>
  new Failure('LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND', {
    fieldErrors: { transactionHash: [message] },
  })

/** Receipt of the execution, if the vault recorded it before this registration. */
async function knownReceipt(
  records: TenantRecords,
  proposalId: string,
  vault: Vault,
  { execution }: Evidence,
): Promise<Receipt | null> {
  const id = await records.holder(receiptName({ ...execution, vault: { id: vault.id } }))
  const current = id === null ? null : await receipts.current(records, id)
  if (current === null) return null
  const { proposal } = current.record.payload
  if (proposal?.id === proposalId) return current.record
  if (proposal) throw bound(`belongs to ${proposal.id} by the receipt ${id}`)
  throw new Failure('LIQUIDITY_SAFE_EVIDENCE_BEFORE_APPROVAL', {
    fieldErrors: {
      transactionHash: [
        `must be executed after the packet was approved, but the receipt ${id} shows an earlier execution`,
      ],
    },
  })
}

/**
 * Combined movements of all packets, compared with the expected ones; null until all are executed.
 */
async function sumOf(
  records: TenantRecords,
  { payload }: Proposal,
  receipt: Receipt,
): Promise<Payload['reconciliation']> {
  const open = payload.packets.filter(({ state }) => state === 'OPEN')
  if (open.length > 1) return null
  const ids = payload.packets.flatMap(({ safeEvidence }) => (safeEvidence ? [safeEvidence.id] : []))
  const before = ids.length > 0 ? await receipts.find(records, { ids }) : []
  const all = [...before, receipt]
  const net = all.flatMap(({ payload: { effects } }) => effects.net)
  const isKnown = all.every((one) => areEffectsKnown(one.payload))
  return isExpected(payload.expectedEffects, net, isKnown) ? 'MATCHED' : 'UNEXPECTED_EFFECT'
}

interface Written {
  readonly reason: string
  readonly evidence: Evidence
  readonly receipt: Receipt
  readonly snapshot: PinnedSnapshot
  readonly vault: Vault
  readonly isControlChanged: boolean
  readonly reconciliation: Payload['reconciliation']
  readonly made: ReturnType<typeof receipts.first>['change'] | null
}

function written(
  records: TenantRecords,
  current: Current<Payload>,
  { reason, evidence, receipt, snapshot, vault, isControlChanged, reconciliation, made }: Written,
): Registered {
  const { record } = current
  const payload = withExecution(record.payload, { evidence, receipt, reconciliation })
  const { sealed, change } = proposals.next(records, current, {
    status: payload.phase === 'EXECUTED' ? 'COMPLETED' : 'ACTIVE',
    payload,
    reason,
    evidenceHashes: record.evidenceHashes,
    event: 'proposal.safe_evidence_resolved',
    eventPayload: {
      ...evidenceOf(record.payload, { evidence, receipt, snapshot, vault }),
      reconciliation: reconciliation ?? receipt.payload.reconciliation,
      isControlChanged,
    },
  })
  const own = change.events.find(({ event }) => event.subject.id === record.id)
  return {
    proposal: sealed.record,
    safeEvidence: own?.event,
    receipt,
    change: made ? joinChanges(change, made) : change,
  }
}
