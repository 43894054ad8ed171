// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/venues
// @covers apps/server/src/families/intelligence/scores apps/server/src/families/intelligence/anomalies

import { sql } from '../../src/store/database/sql.ts'
import { poolBody } from '../support/chain.ts'
import { chainTest, started } from '../support/fixtures.ts'
import { callOperation } from '../support/requests.ts'
import { observedVenues, scoreRequest, startTradedChain } from '../support/scoring.ts'
import { newMember } from '../support/service.ts'
import { marketActs } from './market-acts.ts'
import { markets } from './market-scenes.ts'
import { walkAct } from './scene-state.ts'
import { comparable, walkMembers, withoutMembers } from './walk-members.ts'

/**
 * Changes every member of the requests that are computed from an observed market: what is computed is another, beside what the
 * answer only repeats, or the refusal names the member.
 */
const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startTradedChain))
  .extend('scene', { scope: 'file' }, async ({ service, testChain, owner }) => {
    const { pool, pair } = await observedVenues(service, owner, testChain)
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    const observed = { venue: pool, pair: poolBody(testChain).payload.pair }
    const scored = scoreRequest(testChain, [pool, pair], { window: testChain.window })
    const desk = { service, owner, operator, observed, scored }
    return { pool, pair, desk }
  })

const reason = 'For the walk'

it.for(Object.entries(markets))(
  '%s computes from every member',
  async ([id, { payloads, echoes }], { service, testChain, owner, scene: { pool, pair } }) => {
    await walkMembers(
      id,
      payloads({ test: testChain, pool, pair }).map((payload) => ({
        body: { payload, reason },
        send: async (change) => {
          const sent = change({ payload, reason }) as object
          const response = await callOperation<{ id?: string }>(owner, id, { body: sent })
          const [events] = await service.database.tenant(owner.organizationId, [
            sql`select body from events where organization_id = ${owner.organizationId} and subject_id = ${response.data?.id ?? ''}`,
          ])
          const answer = withoutMembers(response.data ?? null, echoes)
          return { ...response, seen: comparable([answer, events], {}, {}) }
        },
      })),
    )
  },
)

it.for(Object.entries(marketActs))('%s acts on every member', ([id, act], { scene: { desk } }) =>
  walkAct(id, act, desk),
)
