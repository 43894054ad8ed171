import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Hex, toEventSelector } from 'viem'
import { Failure } from '../../../../failure.ts'
import type { Receipt } from '../../../../integrations/chain/receipts.ts'
import { tokenKey } from '../../../../market/treasury/asset-keys.ts'
import { createdAtOf } from '../../../../store/records/find.ts'
import type { Step } from './fold-timeline.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Evidence = contract.LaunchEvidence

export interface Completing {
  readonly plan: Plan
  readonly step: Step
  readonly steps: readonly Step[]
}

/**
 * A transaction or a record can prove one step only, once. A document can prove several.
 *
 * @throws Failure 422 for duplicate evidence, or evidence of another step
 */
export function requireUnused({ step, steps }: Completing, evidence: readonly Evidence[]): void {
  const faults: FieldErrors = {}
  for (const [index, { kind, hash, ref }] of evidence.entries()) {
    if (kind !== 'TRANSACTION' && kind !== 'RECORD') continue
    const isSame = (one: Evidence) =>
      one.kind === kind && (kind === 'RECORD' ? one.ref?.id === ref?.id : one.hash === hash)
    const field = `evidence.${index}.${kind === 'RECORD' ? 'ref' : 'hash'}`
    if (evidence.findIndex(isSame) < index) {
      faults[field] = [`must be unique, got ${ref?.id ?? hash} twice`]
    }
    const other = steps.find((one) => one.key !== step.key && one.evidence.some(isSame))
    if (other) faults[field] = [`must prove only this step, but already closed ${other.key}`]
  }
  mismatch(faults)
}

/** Required record for a standard step. Returns the mismatch, or null. */
type Fits = (record: VersionedRecord, completing: Completing) => string | null

const expectedRecords: Readonly<Record<string, Fits>> = {
  'capital-study': (record, { plan }) => {
    const { token, quote } = plan.payload.request
    const of = requestOf(record)
    const isOfPair =
      record.resourceType === 'CapitalRequirementStudy' && of.token === token && of.quote === quote
    return isOfPair ? null : 'must be a CapitalRequirementStudy for the plan pair'
  },
  'maker-terms': (record, { plan }) => {
    const { pair } = record.payload as Partial<contract.MarketMakerMandate>
    const isOfToken =
      record.resourceType === 'MarketMakerMandate' &&
      record.status === 'ACTIVE' &&
      pair !== undefined &&
      tokenKey(pair.chainId, pair.base) === plan.payload.request.token
    return isOfToken ? null : 'must be an ACTIVE MarketMakerMandate for the plan token'
  },
  'depth-review': (record, { plan, steps }) => {
    const { request } = record.payload as Partial<contract.MarketQualityScore>
    const pair = request?.pair
    const isOfToken =
      record.resourceType === 'MarketQualityScore' &&
      pair !== undefined &&
      tokenKey(pair.chainId, pair.base) === plan.payload.request.token
    if (!isOfToken) return 'must be a MarketQualityScore for the plan token'
    const seededAt = steps.find(({ key }) => key === 'seed')?.doneAt ?? null
    const isAfter = seededAt === null || createdAtOf(record.id) >= seededAt
    return isAfter ? null : 'must be a score measured after the liquidity was seeded'
  },
  'outcome-review': (record, { plan }) => {
    const { evidence = [], review = [] } = record.payload as Partial<contract.DecisionPack>
    const isOfPlan =
      record.resourceType === 'DecisionPack' &&
      evidence.some(({ source }) => source.id === plan.id) &&
      review.length > 0
    return isOfPlan ? null : 'must be the DecisionPack of the plan, with a recorded outcome'
  },
}

const requestOf = ({ payload }: VersionedRecord) =>
  (payload as { request?: { token?: string; quote?: string } }).request ?? {}

/** @throws Failure 422 if a record does not belong to the step */
export function requireFittingRecords(
  completing: Completing,
  found: readonly { readonly record: VersionedRecord; readonly at: string }[],
): void {
  const fits = expectedRecords[completing.step.key]
  if (!fits) return
  const faults: FieldErrors = {}
  for (const { record, at } of found) {
    const expected = fits(record, completing)
    if (expected === null) continue
    const { token, quote } = requestOf(record)
    const pair = token === undefined ? '' : ` of ${token} in ${quote}`
    faults[at] = [`${expected}, got ${record.resourceType} ${record.id}, ${record.status}${pair}`]
  }
  mismatch(faults)
}

const handovers: readonly Hex[] = [
  toEventSelector('RoleGranted(bytes32,address,address)'),
  toEventSelector('RoleRevoked(bytes32,address,address)'),
  toEventSelector('OwnershipTransferred(address,address)'),
]

/**
 * Error in a transaction as proof of the control handover; null if it fits, and for other steps.
 */
export function handoverFault(
  { plan, step }: Completing,
  chainId: number,
  { logs }: Receipt,
): string | null {
  if (step.key !== 'roles-handed-over') return null
  const { token } = plan.payload.request
  const isThere = logs.some(
    ({ address, topics: [topic] }) =>
      topic !== undefined && tokenKey(chainId, address) === token && handovers.includes(topic),
  )
  const what = 'must grant or revoke a role of the token, or transfer its ownership'
  return isThere ? null : `${what}, ${token}, but has no such log`
}

/** @throws Failure 422 unless the errors are empty */
export function mismatch(fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length === 0) return
  throw new Failure('LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH', { fieldErrors })
}
