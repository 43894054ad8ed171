import type { ProviderAccess, Services } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { CarriedOut, PlanHistory } from '../plan-events.ts'
import { keyOf, type PlanPayload, type PlanVenue } from '../plan-types.ts'
import { natureOf } from '../step-records.ts'
import { type ComputedPlan, locationsOf, makePlan, type Remainder } from './make-plan.ts'
import { findOpenApprovals, fundsOf } from './way-back.ts'

/** Remaining steps of a plan, simulated again from the current chain state. */
export async function restOf(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'awaited'>,
  terms: { plan: PlanPayload; history: PlanHistory; venues: readonly PlanVenue[] },
): Promise<{ steps: PlanPayload['steps']; computed: ComputedPlan | null }> {
  const { plan, history, venues } = terms
  const { done } = history.machine
  const remaining = plan.steps.slice(done)
  // Checks and waits need no new plan, and a pilot continues its soak.
  if (remaining.every((step) => natureOf(step) !== 'CALL'))
    return { steps: remaining, computed: null }
  const remainder = remainderOf(plan, history.carriedOut, done)
  const { request, targets } = plan
  const computed = await makePlan(records, services, { request, venues, targets, remainder })
  return { steps: computed.payload.steps, computed }
}

function remainderOf(
  plan: PlanPayload,
  carriedOut: readonly CarriedOut[],
  done: number,
): Remainder {
  const tranche = plan.steps[done]?.tranche
  const isOf = (step: PlanPayload['steps'][number]) => step.tranche === tranche
  const isTakenOut = plan.steps.slice(0, done).some((step) => isOf(step) && step.kind === 'REMOVE')
  const hasMint = plan.steps.slice(done).some((step) => isOf(step) && step.kind === 'MINT')
  return {
    wallet: fundsOf(carriedOut),
    // Dust from a deposit starts no tranche; the next tranche includes it.
    begun: isTakenOut ? { owed: owedOf(plan, carriedOut), isDeposited: !hasMint } : null,
    isPilotOver: tranche !== 0,
    approved: findOpenApprovals(carriedOut),
    first: done,
  }
}

function owedOf(plan: PlanPayload, carriedOut: readonly CarriedOut[]) {
  return locationsOf(plan.request).flatMap((location) => {
    const last = carriedOut.findLast(
      ({ subject }) =>
        subject?.venueId === location.venueId &&
        subject.position?.tokenId === location.tokenId &&
        subject.position.tickLower === location.tickLower &&
        (subject.kind === 'REMOVE' || subject.kind === 'COLLECT'),
    )
    const isOwed = last?.subject?.kind === 'REMOVE' && location.tickLower !== null
    return isOwed ? [{ world: location.venueId, position: keyOf(location) }] : []
  })
}
