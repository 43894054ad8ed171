import { afterAll, beforeAll, it } from 'vitest'
import { sql } from '../../src/store/database/sql.ts'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { tell } from '../support/requests.ts'
import { newOrganization, startTestService, type TestService } from '../support/service.ts'
import type { Staged } from './scene.ts'
import { scenes } from './scenes.ts'
import { comparable, walkMembers } from './walk-members.ts'

/**
 * Changes every member of the requests that write a record: the answer or what was recorded of it is another, or the
 * refusal names the member. What is only kept and never read is another matter, which the tests of each family show.
 */
let test: TestChain
let service: TestService
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({
    ...{ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl), VENUE_INDEX_SECONDS: '60' },
  })
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

/** Sends a body in an organization where nothing else happened. */
async function outcome(id: string, body: (staged: Staged) => unknown) {
  const owner = await newOrganization(service)
  const staged = await scenes[id]!(owner, test, service)
  const sent = body(staged) as object
  const told = await tell<unknown>(owner, id, { ...staged.request, body: sent })
  const [written = []] = await service.database.tenant(owner.organizationId, [
    sql`select body from events where organization_id = ${owner.organizationId}
      union all select body from records where organization_id = ${owner.organizationId}`,
  ])
  // Whatever order the ids of this organization give them.
  const recorded = written.map(({ body }) => comparable(JSON.parse(body ?? 'null'), sent)).sort()
  return { ...told, seen: JSON.stringify([comparable(told.data ?? null, sent), recorded]) }
}

it.each(Object.keys(scenes))('%s records or refuses every member', async (id) => {
  const { bodies } = await scenes[id]!(await newOrganization(service), test, service)
  await walkMembers(
    id,
    bodies.map((body, place) => ({
      body,
      // What a body names is another in every organization.
      send: (change) => outcome(id, (staged) => change(staged.bodies[place]!)),
    })),
  )
})
