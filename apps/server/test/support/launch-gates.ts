import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { dayMilliseconds } from '../../src/units.ts'
import { callOperation } from './requests.ts'
import type { TestMember, TestService } from './service.ts'

const reason = 'For the test'

type Terms = Partial<contract.LaunchPlanInput>

export async function shownGate(
  service: TestService,
  by: TestMember,
  { gate, ...terms }: { gate: contract.LaunchGate } & Terms,
): Promise<contract.GateResult> {
  const { payload } = contract.createLaunchPlans.example.body
  const launchAt = new Date(service.clock.read() + 60 * dayMilliseconds).toISOString()
  const plan = await callOperation<VersionedRecord<contract.LaunchPlan>>(by, 'createLaunchPlans', {
    body: { payload: { ...payload, ...terms, launchAt }, reason },
  })
  expect([plan.status, plan.fieldErrors]).toEqual([201, {}])
  const params = { id: plan.data.id }
  const timelineOf = async () =>
    (await callOperation<contract.LaunchTimeline>(by, 'getLaunchTimeline', { params })).data
  const event = {
    key: 'gate',
    title: 'The gate',
    kind: 'GATE',
    ownerRole: 'OWNER',
    gate,
    offsetSeconds: -86_400,
    durationSeconds: 3_600,
    dependsOn: [],
    requiredEvidence: [],
  }
  const { head: expectedTimelineHead } = await timelineOf()
  const body = { expectedTimelineHead, reason, event }
  expect((await callOperation(by, 'appendLaunchTimelineEvent', { params, body })).status).toBe(201)
  return (await timelineOf()).events.find(({ key }) => key === 'gate')!.gateResult!
}
