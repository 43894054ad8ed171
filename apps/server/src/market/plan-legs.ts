import type { contract } from '@liquidity-os/contract'
import { sql } from '../store/database/sql.ts'
import { member } from '../store/records/find.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { daySeconds } from '../units.ts'

type Call = contract.ExecutionCall

/** A leg of a recent plan of a vault, with the fields that vaults and policies use. */
export interface PlanLeg {
  readonly planId: string
  readonly planned: contract.ExecutionLegRecord
  readonly sellToken: string
  readonly buyToken: string
  /** Allowance calls of the plan, in addition to the leg calls. */
  readonly allowances: readonly Call[]
  readonly isArmed: boolean
  /** Last transaction reported for the leg, with its time in Unix seconds; null before. */
  readonly sent: { readonly transactionHash: string; readonly at: number } | null
  /** True if the leg was abandoned or sold no tokens. */
  readonly isVoid: boolean
}

/** The required part of a leg event. */
interface LegTransition {
  readonly legIndex: number
  readonly to: string
  readonly occurredAt: string
  readonly evidence: { readonly transactionHash: string | null }
}

const kinds = ['plan.leg_transitioned', 'plan.closed']
const voids = ['REVERTED', 'REPLACED', 'EXPIRED', 'CANCELLED']

/** Legs of plans of a vault. Plans live one day, so older ones are not read. */
export async function legsOfVault(records: TenantRecords, vaultId: string): Promise<PlanLeg[]> {
  const plans = await records.find<contract.ProtectedExecutionPlan>('ProtectedExecutionPlan', {
    where: sql`${member('payload.vaultId')} = ${vaultId}`,
    createdFrom: records.now - 3 * daySeconds * 1000,
  })
  const found = await Promise.all(
    plans.map(async ({ id, payload }) => {
      const events = await records.events(id, { kinds })
      const byLeg = Map.groupBy(
        events.map(({ payload: stated }) => stated as unknown as LegTransition),
        ({ legIndex }) => legIndex,
      )
      const { sellToken, buyToken, allowances } = payload
      return payload.legs.map((planned) => ({
        planId: id,
        planned,
        sellToken,
        buyToken,
        allowances: allowances.map(({ call }) => call),
        ...readLegState(byLeg.get(planned.legIndex) ?? []),
      }))
    }),
  )
  return found.flat()
}

function readLegState(
  transitions: readonly LegTransition[],
): Pick<PlanLeg, 'isArmed' | 'sent' | 'isVoid'> {
  let state: Pick<PlanLeg, 'isArmed' | 'sent' | 'isVoid'> = {
    isArmed: false,
    sent: null,
    isVoid: false,
  }
  for (const { to, occurredAt, evidence } of transitions) {
    const { transactionHash } = evidence
    if (to === 'ARMED') state = { ...state, isArmed: true }
    else if (to === 'SUBMITTED' && transactionHash !== null) {
      const at = Math.floor(Date.parse(occurredAt) / 1000)
      state = { ...state, sent: { transactionHash, at }, isVoid: false }
    } else if (voids.includes(to)) state = { ...state, isVoid: true }
  }
  return state
}

type Made = Pick<contract.ExecutionReceipt, 'transactionHash' | 'calls'>

/** Leg of an execution; `isAlone` if the rest is only allowances of the plan. */
export interface ExecutedLeg {
  readonly leg: PlanLeg
  readonly isAlone: boolean
}

/**
 * Leg whose call an execution makes. Either its transaction was reported for the leg, or the leg is
 * armed and the execution does only that. A reported transaction that does not make the leg's call
 * never counts.
 */
export function legOfExecution(
  legs: readonly PlanLeg[],
  { transactionHash, calls }: Made,
): ExecutedLeg | null {
  const made = legs
    .filter(({ planned: { call } }) => call !== null && countOf(calls, call) === 1)
    .map((leg) => ({ leg, isAlone: isAlone(leg, calls) }))
  const named = made.find(({ leg }) => leg.sent?.transactionHash === transactionHash)
  return named ?? made.find(({ leg, isAlone: only }) => leg.isArmed && only) ?? null
}

const countOf = (calls: Made['calls'], call: Call): number =>
  (calls ?? []).filter((one) => isSame(one, call)).length

function isAlone({ planned: { call }, allowances }: PlanLeg, calls: Made['calls']): boolean {
  const expected = call === null ? allowances : [call, ...allowances]
  return (calls ?? []).every((one) => expected.some((other) => isSame(one, other)))
}

const isSame = (made: Call & { readonly operation: string }, expected: Call): boolean =>
  made.operation === 'CALL' &&
  made.to.toLowerCase() === expected.to.toLowerCase() &&
  made.value === expected.value &&
  made.data.toLowerCase() === expected.data.toLowerCase()
