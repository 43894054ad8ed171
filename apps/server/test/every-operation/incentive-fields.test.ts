// @module-tag long
// @covers packages/contract/src apps/server/src/families/operate/incentive-programs

import { afterAll, beforeAll, it } from 'vitest'
import { evaluateIncentives } from '../../src/families/operate/incentive-programs/incentive-evaluation.ts'
import { refOf } from '../support/admissible.ts'
import { hostOf } from '../support/chain.ts'
import { tell } from '../support/requests.ts'
import {
  observationRefs,
  optimize,
  type Program,
  payPilot,
  programRequest,
  reachDay,
  rewardedVenues,
  startRewardChain,
} from '../support/rewarding.ts'
import { newOrganization, startTestService } from '../support/service.ts'
import { incentiveActs, type Rewarded } from './incentive-acts.ts'
import { walkAct } from './standing.ts'

/** Changes every member of the requests about a program of incentives, after one was measured to its end; see `walkAct`. */
let world: Rewarded
beforeAll(async () => {
  const test = await startRewardChain()
  const service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  const asked = await newOrganization(service)
  const venues = await rewardedVenues(service, asked, test)
  const compared = await observationRefs(asked, venues.pair)
  const { data: pilot } = await optimize(asked, programRequest(test, venues))
  const { id, payload } = pilot.program
  await payPilot(test, payload)(76)
  const { pool } = venues
  let owner = asked
  for (const day of [54, 76]) {
    owner = await reachDay(service, owner, { test, pool }, day)
    await evaluateIncentives(service.services)
  }
  const { data } = await tell<Program>(owner, 'getIncentivePrograms', { params: { id } })
  world = { service, owner, test, venues, compared, measured: refOf(data) }
})
afterAll(async () => {
  await world.service.stop()
  await world.test.chain.stop()
})

it.each(Object.entries(incentiveActs))('%s acts on every member', (id, act) =>
  walkAct(id, act, world),
)
