import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { chainFailure } from '../../../integrations/providers/chain-providers.ts'
import { recordReply } from '../../record-reply.ts'
import { createdKind } from './plan-events.ts'
import { deadlineName } from './plan-names.ts'
import { targetsOfAllocation } from './planning/allocation-targets.ts'
import { makePlan } from './planning/make-plan.ts'
import { venuesOf } from './planning/plan-venues.ts'
import { validateRequest } from './planning/validate-request.ts'
import { migrationPlans } from './records.ts'
import { natureOf } from './step-records.ts'

export default handle(contract.createMigrationPlans, async (request): Promise<Outcome> => {
  const { body, records, services, now, fail } = request
  const { payload: plan, reason, evidenceHashes = [] } = body
  const faults = validateRequest(plan, now)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_MIGRATION_INPUT_INVALID', { fieldErrors: faults })
  }
  const positions =
    'allocation' in plan.to
      ? await targetsOfAllocation(records, plan.to.allocation)
      : plan.to.positions
  const venues = await venuesOf(records, plan, positions)
  const targets = positions.map(({ venue, tickLower, tickUpper, sharePips }) => ({
    venueId: venue.id,
    sharePips,
    tickLower: tickLower ?? null,
    tickUpper: tickUpper ?? null,
  }))
  const computed = await makePlan(records, services, {
    request: plan,
    venues,
    targets,
    remainder: null,
  }).catch((error: unknown) => {
    throw chainFailure(error)
  })
  const natures = computed.payload.steps.map(natureOf)
  const { sealed, change } = migrationPlans.first(records, {
    status: 'DRAFT',
    payload: { ...computed.payload, back: null, decision: null },
    reason,
    evidenceHashes,
    event: createdKind,
    eventPayload: { natures, tranches: computed.payload.tranches },
  })
  const claims = [{ ...deadlineName(plan, sealed.record.id), recordId: sealed.record.id }]
  return recordReply(sealed, { ...change, claims }, 201)
})
