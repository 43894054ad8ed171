import { afterAll, beforeAll, it } from 'vitest'
import { sql } from '../../src/store/database/sql.ts'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { tell } from '../support/requests.ts'
import { newOrganization, startTestService, type TestService } from '../support/service.ts'
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

interface Written {
  readonly resourceType?: string
  readonly kind?: string
  readonly sequence: number
  readonly subject?: { readonly resourceType: string }
}
/** Of records and events what does not depend on what is drawn. */
const orderOf = ({ resourceType, subject, kind, sequence }: Written) =>
  [resourceType ?? subject?.resourceType, kind ?? '', `${sequence}`.padStart(6, '0')].join(' ')

/** Sends a body in an organization where nothing else happened. */
async function outcome(id: string, place: number, change: (body: object) => unknown) {
  const owner = await newOrganization(service)
  const staged = await scenes[id]!(owner, test, service)
  const body = staged.bodies[place]!
  const sent = change(body) as object
  const told = await tell<unknown>(owner, id, { ...staged.request, body: sent })
  const [written = []] = await service.database.tenant(owner.organizationId, [
    sql`select body from events where organization_id = ${owner.organizationId}
      union all select body from records where organization_id = ${owner.organizationId}
      union all select json_build_object('sequence', 0, 'kind', kind, 'input', input)::text from jobs
        where organization_id = ${owner.organizationId}`,
  ])
  // Whatever order the ids of this organization give them.
  const recorded = written
    .map((row) => JSON.parse(row.body ?? 'null'))
    .map((one) => [orderOf(one), comparable(one, sent, body)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return { ...told, seen: [comparable(told.data ?? null, sent, body), recorded] }
}

it.each(Object.keys(scenes))('%s records or refuses every member', async (id) => {
  const { bodies } = await scenes[id]!(await newOrganization(service), test, service)
  await walkMembers(
    id,
    bodies.map((body, place) => ({
      body,
      // What a body names is another in every organization.
      send: (change) => outcome(id, place, change),
    })),
  )
})
