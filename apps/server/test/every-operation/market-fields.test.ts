import { afterAll, beforeAll, it } from 'vitest'
import { sql } from '../../src/store/database/sql.ts'
import { hostOf } from '../support/chain.ts'
import { tell } from '../support/requests.ts'
import { observedVenues, startTradedChain, type VenueRef } from '../support/scoring.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { markets } from './market-scenes.ts'
import { comparable, walkMembers } from './walk-members.ts'

/**
 * Changes every member of the requests that are computed from an observed market: what is computed is another, beside what the
 * answer only repeats, or the refusal names the member.
 */
let test: Awaited<ReturnType<typeof startTradedChain>>
let service: TestService
let owner: TestMember
let pool: VenueRef
let pair: VenueRef
beforeAll(async () => {
  test = await startTradedChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  ;({ pool, pair } = await observedVenues(service, owner, test))
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
          const answer = JSON.parse(
            JSON.stringify(told.data ?? null, (name, value) =>
              echoes.includes(name) ? undefined : value,
            ),
          )
          return { ...told, seen: comparable([answer, events], {}) }
        },
      })),
    )
  },
)
