import { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { Hex } from 'viem'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { currentSources } from '../../sources.ts'
import { type MadeCall, readCalls } from './action-calls.ts'
import { movementOf } from './action-movement.ts'
import { type ActionReads, pinnedReads, unknownState } from './action-state.ts'
import { stateOf } from './active-policy.ts'
import { checkResult } from './check-result.ts'
import { evaluatePolicy } from './evaluate-policy.ts'
import { releaseOrNull } from './policy-payload.ts'
import { termsOf } from './policy-terms.ts'
import type { Policy } from './records.ts'
import { requireSoundInput } from './validate-input.ts'
import { isFresh, requireVault, type Vault } from './vault-of.ts'

const operation = contract.checkAutonomyPolicy
type Request = HandlerRequest<typeof operation>
type Action = contract.PolicyCheckAction

/**
 * Checks an action against a policy and returns the change that would allow it. It activates no
 * policy.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, services, now } = request
  const { action } = body.payload
  const named = await namedPolicy(request)
  const { terms } = named
  const vault = await requireVault(records, terms.vaultId, named.at)
  const release = releaseOrNull(services, now)
  const calls = callsOf(action)
  requireConsistent(
    action,
    vault,
    terms,
    movementOf(readCalls(calls, action.chainId, terms, release, vault.payload.safeAddress)),
  )
  const at = Math.floor(now / 1000)
  const fresh = isFresh(vault, now)
  const evaluation = await evaluatePolicy(records, {
    terms,
    vault,
    release,
    calls,
    at,
    status: named.status,
    route: action.route,
    controlEpoch: fresh ? BigInt(vault.payload.controlEpoch) : null,
    neededLevel: levels[action.purpose ?? 'PREPARE'],
    adapterId: action.adapterId,
    stated: {
      amountIn: bigintOf(action.amountIn),
      assetIn: action.assetIn,
      expectedOut: bigintOf(action.expectedOut),
      minimumOut: bigintOf(action.minimumOut),
    },
    reads: finalizedReads(request, vault),
  })
  const result = checkResult(evaluation, {
    terms,
    action,
    now,
    policyRef: named.ref,
    block: vault.payload.snapshot,
    fresh,
  })
  const subject = named.policy ?? (await vaultHead(request, vault))
  const { checkHash, verdict, policyHash } = result
  const eventPayload = { checkHash, verdict, policyHash, reason: body.reason }
  const change = records.note(subject, 'policy.checked', eventPayload)
  return { status: 200, data: result, change }
})

const levels = { PREPARE: 2, STAGE: 3, BOUNDED: 4 } as const
const bigintOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text))

interface Named {
  readonly terms: PolicyTerms
  readonly status: 'ACTIVE' | 'PAUSED' | 'REVOKED' | 'EXPIRED' | 'HYPOTHETICAL'
  readonly ref: { id: string; resourceVersion: string } | null
  readonly policy: Current | null
  readonly at: string
}

async function namedPolicy(request: Request): Promise<Named> {
  const { records, now, body } = request
  const { policy } = body.payload
  if ('inline' in policy) {
    const at = 'payload.policy.inline'
    const terms = requireSoundInput(policy.inline, now, at)
    return { terms, status: 'HYPOTHETICAL', ref: null, policy: null, at: `${at}.vaultId` }
  }
  const isDraft = 'draft' in policy
  const ref = isDraft ? policy.draft : policy.ref
  const resourceType = isDraft ? 'PolicyIntentDraft' : 'AutonomyPolicy'
  const at = `payload.policy.${isDraft ? 'draft' : 'ref'}`
  const [record] = await currentSources(records, [{ ref: { resourceType, ...ref }, at }])
  if (!record) throw new Error(`${ref.id} no longer exists.`)
  if (isDraft) {
    const { candidate } = record.payload as { candidate: contract.AutonomyPolicyInput | null }
    if (candidate === null) {
      throw new Failure('LIQUIDITY_POLICY_CHECK_CONTRADICTS', {
        fieldErrors: { [at]: ['must be a draft with complete limits, got an incomplete draft'] },
      })
    }
    return { terms: termsOf(candidate), status: 'HYPOTHETICAL', ref: null, policy: null, at }
  }
  const current = await records.current('AutonomyPolicy', ref.id)
  const found = record as Policy
  return { terms: termsOf(found.payload), status: stateOf(found, now), ref, policy: current, at }
}

async function vaultHead({ records }: Request, { id }: Vault): Promise<Current> {
  const current = await records.current('QualifiedVault', id)
  if (!current) throw new Error(`Vault ${id} does not exist.`)
  return current
}

const callsOf = ({ calls }: Action): MadeCall[] =>
  calls.map(({ to, value, data, operation: kind }) => ({
    to,
    value: BigInt(value),
    data: data.toLowerCase() as Hex,
    operation: kind === 1 ? 1 : 0,
  }))

/** @throws Failure 422 if the stated action contradicts its calls */
function requireConsistent(
  action: Action,
  vault: Vault,
  terms: PolicyTerms,
  moved: ReturnType<typeof movementOf>,
): void {
  const faults: Record<string, string[]> = {}
  const at = (member: string) => `payload.action.${member}`
  if (action.chainId !== vault.payload.chainId) {
    faults[at('chainId')] = [
      `must be ${vault.payload.chainId}, the chain of ${terms.vaultId}, got ${action.chainId}`,
    ]
  }
  const statement = (
    member: 'amountIn' | 'assetIn' | 'minimumOut',
    found: bigint | string | null,
  ) => {
    const given = action[member]
    if (given === undefined || found === null) return
    if (`${found}`.toLowerCase() === given.toLowerCase()) return
    faults[at(member)] = [`must be ${found}, the value in the calls, got ${given}`]
  }
  statement('amountIn', moved.amountIn)
  statement('assetIn', moved.assetIn)
  statement('minimumOut', moved.minimumOut)
  if (moved.adapterIds.length > 0 && !moved.adapterIds.includes(action.adapterId)) {
    faults[at('adapterId')] = [
      `must be one of ${moved.adapterIds.join(', ')}, the adapters of the calls, got ${action.adapterId}`,
    ]
  }
  if (
    action.kind === 'SWAP' &&
    moved.adapterIds.length > 0 &&
    moved.assetIn !== null &&
    moved.assetOut === null
  ) {
    faults[at('kind')] = ['must not be SWAP if the calls have no output token, got SWAP']
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_POLICY_CHECK_CONTRADICTS', { fieldErrors: faults })
  }
}

/** Reads at the finalized block. Unknown if the chain is unavailable. */
function finalizedReads(
  { records, services }: Request,
  { payload: { chainId } }: Vault,
): ActionReads {
  const taken = takeSnapshot(records, services, [chainId], 'payload.action.chainId')
  // Both reads share the snapshot; one that fails first must not be an unhandled rejection.
  taken.catch(() => undefined)
  const orUnknown = async <Result>(
    read: (reads: ActionReads) => Promise<Result>,
    unknown: Result,
  ): Promise<Result> => {
    try {
      const chain = (await taken).chains.get(chainId)
      return chain ? await read(pinnedReads(chain)) : unknown
    } catch (error) {
      if (error instanceof ChainError || error instanceof Failure) return unknown
      throw error
    }
  }
  return {
    checkCode: (expected) =>
      orUnknown(({ checkCode }) => checkCode(expected), { isKnown: null, problem: unavailable }),
    readState: (calls) => orUnknown(({ readState }) => readState(calls), unknownState),
  }
}

const unavailable = 'The chain is unavailable, so its code was not read.'
