// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/venues
// @covers apps/server/src/families/intelligence/scores apps/server/src/families/intelligence/anomalies

import { afterAll, beforeAll, it } from 'vitest'
import { sql } from '../../src/store/database/sql.ts'
import { hostOf, poolBody } from '../support/chain.ts'
import { tell } from '../support/requests.ts'
import {
  observedVenues,
  scoreRequest,
  startTradedChain,
  type VenueRef,
} from '../support/scoring.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { type Desk, marketActs } from './market-acts.ts'
import { markets } from './market-scenes.ts'
import { walkAct } from './standing.ts'
import { comparable, walkMembers, withoutMembers } from './walk-members.ts'

/**
 * Changes every member of the requests that are computed from an observed market: what is computed is another, beside what the
 * answer only repeats, or the refusal names the member.
 */
let test: Awaited<ReturnType<typeof startTradedChain>>
let service: TestService
let owner: TestMember
let pool: VenueRef
let pair: VenueRef
let desk: Desk
beforeAll(async () => {
  test = await startTradedChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  ;({ pool, pair } = await observedVenues(service, owner, test))
  const operator = await newMember(service, owner.organizationId, 'OPERATOR')
  const observed = { venue: pool, pair: poolBody(test).payload.pair }
  const scored = scoreRequest(test, [pool, pair], { window: test.window })
  desk = { service, owner, operator, observed, scored }
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const reason = 'For the walk'

it.each(Object.entries(markets))(
  '%s computes from every member',
  async (id, { payloads, echoes }) => {
    await walkMembers(
      id,
      payloads({ test, pool, pair }).map((payload) => ({
        body: { payload, reason },
        send: async (change) => {
          const sent = change({ payload, reason }) as object
          const told = await tell<{ id?: string }>(owner, id, { body: sent })
          const [events] = await service.database.tenant(owner.organizationId, [
            sql`select body from events where organization_id = ${owner.organizationId} and subject_id = ${told.data?.id ?? ''}`,
          ])
          const answer = withoutMembers(told.data ?? null, echoes)
          return { ...told, seen: comparable([answer, events], {}, {}) }
        },
      })),
    )
  },
)

it.each(Object.entries(marketActs))('%s acts on every member', (id, act) => walkAct(id, act, desk))
