import { sql } from '../../src/store/database/sql.ts'
import type { TestChain } from '../support/chain.ts'
import { callOperation } from '../support/requests.ts'
import { newOrganization, type TestService } from '../support/service.ts'
import type { Scene } from './scene.ts'
import { comparable, walkMembers } from './walk-members.ts'

interface Written {
  readonly resourceType?: string
  readonly kind?: string
  readonly sequence: number
  readonly subject?: { readonly resourceType: string }
}
/** Sort key of records and events that is independent of random IDs. */
const orderOf = ({ resourceType, subject, kind, sequence }: Written) =>
  [resourceType ?? subject?.resourceType, kind ?? '', `${sequence}`.padStart(6, '0')].join(' ')

/** For scenes without a chain. */
const none = {} as TestChain

/** Events, records and jobs of an organization, or events and versions of one of its records. */
const writtenBy = (organization: string, subject: string | undefined) =>
  subject === undefined
    ? sql`select body from events where organization_id = ${organization}
      union all select body from records where organization_id = ${organization}
      union all select json_build_object('sequence', 0, 'kind', kind, 'input', input)::text from jobs
        where organization_id = ${organization}`
    : sql`select body from events where organization_id = ${organization} and subject_id = ${subject}
      union all select body from records where organization_id = ${organization} and id = ${subject}`

/**
 * Changes every member of requests that write a record. The response or the stored data must
 * change, or the error must name the member. Each request runs in an otherwise empty organization.
 */
export async function walkScene(
  id: string,
  scene: Scene,
  { test = none, service }: { test?: TestChain; service: TestService },
): Promise<void> {
  const { bodies } = await scene(await newOrganization(service), test, service)
  const outcome = async (itemIndex: number, change: (body: object) => unknown) => {
    const owner = await newOrganization(service)
    const staged = await scene(owner, test, service)
    const body = staged.bodies[itemIndex]!
    const sent = change(body) as object
    const by = staged.by ?? owner
    const response = await callOperation<unknown>(by, id, { ...staged.request, body: sent })
    const [written = []] = await service.database.tenant(by.organizationId, [
      writtenBy(by.organizationId, staged.subject),
    ])
    // Sorted independently of the random IDs.
    const recorded = written
      .map((row) => JSON.parse(row.body ?? 'null'))
      .map((one) => [orderOf(one), comparable(one, sent, body)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return { ...response, seen: [comparable(response.data ?? null, sent, body), recorded] }
  }
  await walkMembers(
    id,
    bodies.map((body, index) => ({
      body,
      // Referenced IDs differ in every organization.
      send: (change) => outcome(index, change),
    })),
  )
}
