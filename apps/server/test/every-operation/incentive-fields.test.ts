// @module-tag long
// @covers packages/contract/src apps/server/src/families/operate/incentive-programs

import { evaluateIncentives } from '../../src/families/operate/incentive-programs/incentive-evaluation.ts'
import { refOf } from '../support/admissible.ts'
import { chainTest, started } from '../support/fixtures.ts'
import { callOperation } from '../support/requests.ts'
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
import { incentiveActs } from './incentive-acts.ts'
import { walkAct } from './scene-state.ts'

/** Changes every member of the requests about a program of incentives, after one was measured to its end; see `walkAct`. */
const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startRewardChain))
  .extend('world', { scope: 'file' }, async ({ service, testChain, owner }) => {
    const venues = await rewardedVenues(service, owner, testChain)
    const compared = await observationRefs(owner, venues.pair)
    const { data: pilot } = await optimize(owner, programRequest(testChain, venues))
    const { id, payload } = pilot.program
    await payPilot(testChain, payload)(76)
    const { pool } = venues
    for (const day of [54, 76]) {
      await reachDay(service, owner, { test: testChain, pool }, day)
      await evaluateIncentives(service.services)
    }
    const { data } = await callOperation<Program>(owner, 'getIncentivePrograms', { params: { id } })
    return { service, owner, test: testChain, venues, compared, measured: refOf(data) }
  })

it.for(Object.entries(incentiveActs))('%s acts on every member', ([id, act], { world }) =>
  walkAct(id, act, world),
)
