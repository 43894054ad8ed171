import type { contract } from '@liquidity-os/contract'
import { isAddressEqual } from 'viem'
import { proxyNameOf, singletonNameOf } from '../../../integrations/chain/safe-account.ts'
import { hourSeconds } from '../../../units.ts'

type Vault = contract.QualifiedVault
type Check = Vault['checks'][number]
type Attached = Vault['attached'][number]

export interface ControlFacts {
  readonly control: contract.SafeControl
  readonly attached: readonly Attached[]
  readonly declared: readonly contract.DeclaredControl[]
  /**
   * True if the code of the account still responds like a Safe; otherwise `control` contains the
   * last known state.
   */
  readonly isAnswering: boolean
  readonly proof: { readonly id: string; readonly strength: string; readonly token: string } | null
  /** Age of the snapshot's block. */
  readonly ageSeconds: number
}

/** Maximum age of a snapshot; older ones are stale. */
export const freshSeconds = hourSeconds

/** Checks who controls a vault. Runs every check, independent of other results. */
export function evaluateControl(facts: ControlFacts): Check[] {
  const { control, isAnswering, proof, ageSeconds } = facts
  const { owners, ownersWithCode, threshold } = control
  const singleton = singletonNameOf(control.singletonCodeHash)
  const proxy = proxyNameOf(control.codeHash)
  const contracts = ownersWithCode.length === 0 ? 'none of them' : ownersWithCode.join(', ')
  return [
    check('SINGLETON', singleton !== null && isAnswering, {
      observed: `${control.singleton}: ${singleton ?? `code ${control.singletonCodeHash}`}${isAnswering ? '' : ', which answers not like a Safe'}`,
      expected: 'a released build of Safe 1.3.0 or later in storage slot 0',
    }),
    check('PROXY', proxy !== null, {
      observed: proxy ?? `code ${control.codeHash}`,
      expected: 'a released Safe proxy, 1.3.0 or later',
    }),
    check('THRESHOLD', threshold >= 2, {
      observed: `${threshold} of ${owners.length}`,
      expected: 'at least 2 owners required to sign',
    }),
    check('OWNERS', new Set(owners).size === owners.length && owners.length >= threshold, {
      observed: `${owners.length} owners; contracts: ${contracts}`.slice(0, 1000),
      expected: 'distinct owners, no fewer than the threshold',
    }),
    attachedCheck('MODULES', 'MODULE', facts),
    attachedCheck('GUARD', 'GUARD', facts),
    attachedCheck('MODULE_GUARD', 'MODULE_GUARD', facts),
    attachedCheck('FALLBACK_HANDLER', 'FALLBACK_HANDLER', facts),
    check('CONTROL_PROOF', proof !== null, {
      observed: proof ? `${proof.id}, ${proof.strength} for ${proof.token}` : 'none',
      expected: 'a current project control proof that ends at this Safe, FULL or DELAYED',
    }),
    check('FRESH', ageSeconds <= freshSeconds, {
      observed: `${Math.max(0, ageSeconds)} s old`,
      expected: `a snapshot at most ${freshSeconds} s old`,
    }),
  ]
}

/**
 * Qualification from the checks. STALE has priority: other results of a stale snapshot are
 * outdated.
 */
export function qualificationOf(checks: readonly Check[]): Vault['qualification'] {
  const failing = checks.filter(({ ok }) => !ok)
  if (failing.some(({ code }) => code === 'FRESH')) return 'STALE'
  return failing.length === 0 ? 'QUALIFIED' : 'UNQUALIFIED'
}

/** The record state of a vault. */
export const statusOf = (qualification: Vault['qualification']) =>
  qualification === 'QUALIFIED' ? 'ACTIVE' : qualification === 'STALE' ? 'PAUSED' : 'PARTIAL'

function attachedCheck(code: Check['code'], role: Attached['role'], facts: ControlFacts): Check {
  const own = facts.attached.filter((one) => one.role === role)
  const unknown = own.filter((one) => one.name === null && !isDeclared(one, facts.declared))
  const names = own.map(
    (one) => `${one.address} ${one.name ?? (unknown.includes(one) ? 'unknown' : 'declared')}`,
  )
  return check(code, unknown.length === 0, {
    observed: (names.join(', ') || 'none').slice(0, 1000),
    expected:
      role === 'MODULE'
        ? 'only released or declared modules; otherwise MODULE_CAN_MOVE_FUNDS'
        : 'none, a released build, or one declared with its code hash',
  })
}

const isDeclared = (
  { role, address, codeHash }: Attached,
  declared: ControlFacts['declared'],
): boolean =>
  declared.some(
    (one) =>
      one.role === role &&
      isAddressEqual(one.address as `0x${string}`, address as `0x${string}`) &&
      one.codeHash === codeHash,
  )

const check = (
  code: Check['code'],
  ok: boolean,
  values: Pick<Check, 'observed' | 'expected'>,
): Check => ({ code, ok, ...values })
