import type { contract } from '@liquidity-os/contract'
import type { HeldName } from '../../../../family-parts.ts'
import { dueName } from '../../../../jobs/overdue.ts'
import { deadlineOf, type LegHistory } from './leg-chain.ts'

/** Kind of the names that plans hold until their next leg expires. */
export const dueKind = 'execution-leg-due'
/** Kind of the names that plans hold while the service tracks one of their transactions. */
export const flightKind = 'execution-leg-flight'

interface Named {
  readonly id: string
  readonly status: string
  readonly payload: Pick<contract.ProtectedExecutionPlan, 'legs'>
}

const followed = ['SUBMITTED', 'INCLUDED', 'FINALIZED']

export function namesOfLegs(
  { id, status, payload }: Named,
  legs: readonly LegHistory[],
): HeldName[] {
  if (status !== 'ACTIVE') return []
  const waiting = legs
    .filter(({ state }) => state === 'PLANNED' || state === 'ARMED')
    .map(({ legIndex }) => deadlineOf(payload, legIndex))
    .toSorted()
  const [next] = waiting
  return [
    ...(next === undefined
      ? []
      : [{ kind: dueKind, name: dueName(new Date(next).toISOString(), id) }]),
    ...(legs.some(({ state }) => followed.includes(state)) ? [{ kind: flightKind, name: id }] : []),
  ]
}
