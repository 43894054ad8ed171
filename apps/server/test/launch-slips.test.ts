import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { notifySlippedLaunches } from '../src/families/plan/launch-plans/timeline/slip-notices.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { signInAgain, type TestMember, type TestService } from './support/service.ts'

type Plan = VersionedRecord<contract.LaunchPlan>

const reason = 'For the test'

async function pass(service: TestService, owner: TestMember, milliseconds: number) {
  service.clock.advance(milliseconds)
  // Sessions end meanwhile.
  await signInAgain(service, owner)
}

/** A plan of hundred days with the usual steps. */
async function planned(service: TestService, owner: TestMember): Promise<Plan> {
  const launchAt = new Date(service.clock.read() + 100 * dayMilliseconds).toISOString()
  const {
    capitalRequirement: _study,
    venueId: _venue,
    intent: _intent,
    ...payload
  } = contract.createLaunchPlans.example.body.payload as unknown as contract.LaunchPlanInput
  const { data, fieldErrors } = await callOperation<Plan>(owner, 'createLaunchPlans', {
    body: { payload: { ...payload, launchAt }, reason },
  })
  expect(fieldErrors).toEqual({})
  const { head } = await timelineOf(owner, data)
  const response = await callOperation(owner, 'appendLaunchTimelineEvent', {
    params: { id: data.id },
    body: { template: 'STANDARD_90_DAY', expectedTimelineHead: head, reason },
  })
  expect(response.fieldErrors).toEqual({})
  return data
}

const timelineOf = async (owner: TestMember, { id }: Plan) =>
  (await callOperation<contract.LaunchTimeline>(owner, 'getLaunchTimeline', { params: { id } }))
    .data

/** Two sweeps, as two nodes would make them, and what was told of a plan. */
async function swept(service: TestService, owner: TestMember, { id }: Plan) {
  await notifySlippedLaunches(service.services)
  await notifySlippedLaunches(service.services)
  const query = { kind: 'launch.timeline.slipped', limit: '100' }
  const { data } = await callOperation<contract.EventsRead>(owner, 'listEvents', { query })
  return data.events.filter(({ subject }) => subject.id === id).map(({ payload }) => payload)
}

it('a launch with a late critical path is announced once, and its timeline continues from the reviewed head', async ({
  service,
  owner,
}) => {
  const plan = await planned(service, owner)
  expect(await swept(service, owner, plan)).toEqual([])
  await pass(service, owner, 70 * dayMilliseconds)
  const before = await timelineOf(owner, plan)
  expect(before.phase).toBe('SLIPPED')
  const [slip, ...more] = await swept(service, owner, plan)
  expect(more).toEqual([])
  const { launchAt, forecastLaunchAt, criticalPath } = before
  expect(slip).toMatchObject({ launchAt, forecastLaunchAt, criticalPath })
  await pass(service, owner, dayMilliseconds)
  expect((await swept(service, owner, plan)).length).toBe(1)
  const completed = await callOperation(owner, 'completeLaunchTimelineEvent', {
    params: {
      id: plan.id,
      eventId: before.events.find(({ key }) => key === 'legal-opinion')!.eventId,
    },
    body: { evidence: [{ kind: 'DOCUMENT', hash: `0x${'3'.repeat(64)}` }], reason },
    ifMatch: before.head,
  })
  expect([completed.code, completed.fieldErrors]).toEqual(['', {}])
  expect((await swept(service, owner, plan)).length).toBe(2)
  const { database, artifacts } = service.services
  expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
})
