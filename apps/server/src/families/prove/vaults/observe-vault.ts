import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import { receivedBy } from '../../../integrations/chain/safe-executions.ts'
import type { JobRun } from '../../../jobs/job-run.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { legOfExecution, legsOfVault } from '../../../market/plan-legs.ts'
import { approvedCalls, packetOf } from '../../../market/proposals/agreed-packets.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import { sql } from '../../../store/database/sql.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import { member } from '../../../store/records/find.ts'
import type { Current, Version } from '../../../store/records/tenant-records.ts'
import { epochsBegun } from './control-epoch.ts'
import { evaluateControl, qualificationOf, statusOf } from './evaluate-control.ts'
import { type ExecutedBlock, readExecutedBlocks } from './executions.ts'
import type { VaultBinding } from './holdings.ts'
import { queueRegistrations } from './queue-registrations.ts'
import type { ControlReading } from './read-control.ts'
import { readSafeLogs } from './read-safe-logs.ts'
import { receiptVersion } from './receipt-version.ts'
import { type ChainReceipt, receiptsOfBlock } from './receipts-of-block.ts'
import { receiptName, receipts, type Vault, vaultName, vaults } from './records.ts'
import { type Related, relatedTo } from './related.ts'

type Payload = contract.QualifiedVault

/** A Safe reading, shared by all its vaults. */
export interface Observing {
  readonly run: JobRun
  readonly chain: PinnedChain
  readonly finality: Payload['finality']
  readonly reading: ControlReading
  /** Release that decodes calls; null without a trusted release. */
  readonly release: Release | null
}

interface Observed {
  readonly vaultId: string
  readonly receipts: number
  readonly isWhole: boolean
  /** Null if only the block differs. */
  readonly change: Change | null
}

/** Interval for a new version without changes, so that a vault does not become stale. */
const renewedSeconds = 3_000

/**
 * Observes one vault at the block of the snapshot: its next version, and the receipts since the
 * previous one.
 */
export async function observeVault(observing: Observing, binding: VaultBinding): Promise<Observed> {
  const { run, chain, release } = observing
  const { records } = run
  const held = await records.holder(vaultName({ ...binding, safeAddress: binding.safe }))
  const known = held === null ? null : await vaults.current(records, held)
  const vaultId = known?.record.id ?? records.newId('QualifiedVault')
  const read = await readSafeLogs(chain, binding, known?.record.payload ?? null)
  const [client] = chain.clients
  const executed = await readExecutedBlocks(client, binding.safe, read.logs)
  const approved = executed.length > 0 ? await approvedCalls(records, vaultId) : []
  const fresh: ChainReceipt[] = []
  let found = 0
  for (const block of executed) {
    const received = read.logs.filter(
      (log) => log.blockNumber === block.block.number && receivedBy(log) !== null,
    )
    const place = { ...binding, release, approved }
    for (const receipt of await receiptsOfBlock(client, place, block, received)) {
      found += 1
      // A registered execution already has its receipt.
      const isKnown = await records.holder(receiptName({ ...receipt, vault: { id: vaultId } }))
      if (isKnown === null) fresh.push(receipt)
    }
  }
  const related = await relatedTo(records, binding, vaultId)
  const payload = payloadOf(observing, binding, {
    known: known?.record.payload ?? null,
    read,
    executed,
    related,
    found,
  })
  const { isWhole: whole } = payload.receipts
  const reevaluated = known ? await reevaluate(observing, known.record) : null
  const registrations = await queueRegistrations(records, vaultId, fresh)
  const evaluated =
    reevaluated && registrations
      ? joinChanges(reevaluated, registrations)
      : (reevaluated ?? registrations)
  if (known && !isNews(known.record, payload, run.now)) {
    return { vaultId, receipts: 0, isWhole: whole, change: evaluated }
  }
  const change = await changeOf(observing, { known, vaultId, payload, fresh })
  const all = evaluated ? joinChanges(change, evaluated) : change
  return { vaultId, receipts: fresh.length, isWhole: whole, change: all }
}

interface Found {
  readonly known: Payload | null
  readonly read: Awaited<ReturnType<typeof readSafeLogs>>
  readonly executed: readonly ExecutedBlock[]
  readonly related: Related
  /** Number of receipts in this reading, including existing ones. */
  readonly found: number
}

function payloadOf(
  { chain, finality, reading, run }: Observing,
  { chainId, safe, pair, entries, venues }: VaultBinding,
  { known, read, executed, related, found }: Found,
): Payload {
  const control = controlOf(reading, known)
  const declared = known?.declared ?? []
  const snapshot = blockOf(chainId, chain.block)
  const checks = evaluateControl({
    control,
    attached: reading.attached,
    declared,
    proof: related.proof,
    isAnswering: reading.control !== null,
    ageSeconds: Math.floor(run.now / 1000) - chain.block.timestamp,
  })
  const qualification = qualificationOf(checks)
  const epochFrom = known?.epochFrom ?? snapshot
  return {
    chainId,
    safeAddress: safe,
    pair,
    ledgerEntries: entries.map(refOf),
    venues: venues.map(refOf),
    control,
    attached: [...reading.attached],
    declared,
    controlEpoch: `${epochOf(known, control, read, executed)}`,
    epochFrom,
    qualification,
    checks,
    policy: related.policy,
    score: related.score,
    passport: related.passport,
    claimBlockers: claimBlockersOf(qualification, related),
    snapshot,
    receipts: {
      fromBlock: known?.receipts.fromBlock ?? read.fromBlock,
      through: read.through,
      count: (known?.receipts.count ?? 0) + found,
      isWhole: read.isWhole,
    },
    finality,
  }
}

const refOf = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  id,
  resourceVersion,
})

/** The last known control data with the current code, if that code no longer responds. */
function controlOf({ control, code }: ControlReading, known: Payload | null): contract.SafeControl {
  if (control) return control
  if (known) return { ...known.control, ...code }
  throw new Failure('LIQUIDITY_CHAIN_STATE_UNAVAILABLE', {
    message: 'The account of the holding does not respond as a Safe.',
  })
}

function epochOf(
  known: Payload | null,
  control: contract.SafeControl,
  read: Found['read'],
  executed: readonly ExecutedBlock[],
): bigint {
  if (!known) return 1n
  const since = known.epochFrom.number
  const logs = read.logs.filter(({ blockNumber }) => blockNumber > since)
  // While older history is still being read, current readings are not compared with each other.
  const isCompared = known.receipts.isWhole && read.isWhole
  const before = isCompared ? known.control : control
  const singletons = isCompared
    ? executed.flatMap(({ after }) => (after === null ? [] : [after.singleton]))
    : []
  return (
    BigInt(known.controlEpoch) + BigInt(epochsBegun({ before, after: control, logs, singletons }))
  )
}

const claimBlockersOf = (qualification: Payload['qualification'], { score }: Related) => [
  ...(qualification === 'QUALIFIED' ? [] : [`VAULT_${qualification}`]),
  ...(score === null ? ['SCORE_NOT_ACTIVE'] : []),
]

/** True if anything but the block has changed, or the snapshot must be renewed. */
function isNews({ status, payload: before }: VaultState, after: Payload, now: number): boolean {
  const age = Math.floor(now / 1000) - Math.floor(Date.parse(before.snapshot.timestamp) / 1000)
  return (
    status !== statusOf(after.qualification) ||
    canonicalize(withoutBlock(before)) !== canonicalize(withoutBlock(after)) ||
    age >= renewedSeconds
  )
}
type VaultState = { readonly status: string; readonly payload: Payload }

const withoutBlock = ({
  snapshot: _,
  receipts: { through: __, ...read },
  checks,
  ...rest
}: Payload) => ({
  ...rest,
  receipts: read,
  checks: checks.map(({ code, ok, observed }) => ({
    code,
    ok,
    observed: code === 'FRESH' ? '' : observed,
  })),
})

interface Writing {
  readonly known: Current<Payload> | null
  readonly vaultId: string
  readonly payload: Payload
  readonly fresh: readonly ChainReceipt[]
}

/** The version of the vault and its new receipts, stored together. */
async function changeOf(
  { run: { records }, release, chain }: Observing,
  { known, vaultId, payload, fresh }: Writing,
): Promise<Change> {
  const version: Version<Payload> = {
    status: statusOf(payload.qualification),
    payload,
    reason: known ? 'New reading' : 'A Safe has a liquidity holding and a venue that trades it',
    ...eventOf(known?.record ?? null, payload),
  }
  const { sealed, change } = known
    ? vaults.next(records, known, version)
    : vaults.first(records, version, vaultId)
  let whole = change
  const earlier: contract.ExecutionReceipt[] = []
  for (const receipt of fresh) {
    const { resourceVersion } = sealed.record
    const vault = { id: vaultId, resourceVersion, payload }
    const bound = await packetOf(records, {
      vaultId,
      safeTxHash: receipt.safeTxHash,
      nonce: receipt.nonce,
      at: Date.parse(receipt.block.timestamp),
    })
    const version = await receiptVersion(records, {
      release,
      vault,
      receipt,
      chain,
      bound,
      earlier,
    })
    earlier.push(version.payload)
    whole = joinChanges(whole, receipts.first(records, version).change)
  }
  return whole
}

/**
 * Re-evaluates receipts that were read before a plan leg named their transaction. Null if none
 * exists.
 */
async function reevaluate(
  { run: { records }, release, chain }: Observing,
  vault: Vault,
): Promise<Change | null> {
  const legs = await legsOfVault(records, vault.id)
  if (legs.length === 0) return null
  const open = await receipts.find(records, {
    where: sql`${member('payload.vault.id')} = ${vault.id}
      and ${member('payload.verdict')} = 'INDETERMINATE' and ${member('payload.leg')} is null`,
  })
  let whole: Change | null = null
  for (const { id, payload: receipt } of open) {
    if (legOfExecution(legs, receipt) === null) continue
    const current = await receipts.current(records, id)
    if (!current) throw new Error(`Receipt ${id} does not exist.`)
    const { safeTxHash, nonce, block } = receipt
    const at = Date.parse(block.timestamp)
    const bound = await packetOf(records, { vaultId: vault.id, safeTxHash, nonce, at })
    const version = await receiptVersion(records, { release, vault, receipt, chain, bound })
    const { change } = receipts.next(records, current, {
      ...version,
      reason: 'A plan leg named its transaction',
      event: version.event === 'receipt.violating' ? version.event : 'receipt.judged',
    })
    whole = whole === null ? change : joinChanges(whole, change)
  }
  return whole
}

function eventOf(before: VaultState | null, payload: Payload) {
  const { controlEpoch, qualification, snapshot, safeAddress } = payload
  const failing = payload.checks.flatMap(({ code, ok }) => (ok ? [] : [code]))
  const eventPayload = { safeAddress, controlEpoch, qualification, failing, block: snapshot }
  if (before && before.payload.controlEpoch !== controlEpoch) {
    return { event: 'vault.control_changed', eventPayload }
  }
  const isLost = before?.payload.qualification === 'QUALIFIED' && qualification !== 'QUALIFIED'
  return { event: isLost ? 'vault.disqualified' : 'vault.snapshot', eventPayload }
}
