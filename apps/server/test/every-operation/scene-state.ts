import { sql, values } from '../../src/store/database/sql.ts'
import { callOperation } from '../support/requests.ts'
import type { TestMember, TestService } from '../support/service.ts'
import type { Staged } from './scene.ts'
import { comparable, type WalkedBody, walkMembers, withoutMembers } from './walk-members.ts'

/** An organization that all requests of a walk share, as what it holds takes long to make. */
export interface ActContext {
  readonly service: TestService
  readonly owner: TestMember
}

export interface Act<World extends ActContext> {
  readonly stage: (world: World) => Promise<Staged>
  /** The request body after a change, if some members derive from others. */
  readonly sent?: (changed: object, staged: object, world: World) => object
}

/**
 * Sends a setup request.
 *
 * @throws Error if it is rejected
 */
export async function done<Data>(
  by: TestMember,
  id: string,
  body: object,
  request: object = {},
): Promise<Data> {
  const response = await callOperation<Data>(by, id, { ...request, body })
  if (response.code !== '')
    throw new Error(`${id}: ${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

/**
 * Sends a body to a subject set up for it alone, and collects the response and the subject's
 * events.
 */
async function acted<World extends ActContext>(
  id: string,
  { stage, sent: sentOf = (changed) => changed }: Act<World>,
  world: World,
  { place: itemIndex, change }: { place: number; change: (body: object) => unknown },
) {
  const { owner, service } = world
  const { by = owner, bodies, request, echoes = [] } = await stage(world)
  const body = bodies[itemIndex]!
  const sent = sentOf(change(body) as object, body, world)
  const response = await callOperation<{ id?: string }>(by, id, { ...request, body: sent })
  const of = [request?.params?.id ?? '', response.data?.id ?? '']
  const [written = []] = await service.database.tenant(owner.organizationId, [
    sql`select body from events where organization_id = ${owner.organizationId} and subject_id in ${values(of)}
      order by subject_id, sequence`,
  ])
  const seen = [response.data ?? null, written.map((row) => JSON.parse(row.body ?? 'null'))]
  return { ...response, seen: comparable(withoutMembers(seen, echoes), sent, body) }
}

/**
 * Changes every member of requests on existing records. The response or an event must change, or
 * the error must name the member.
 *
 * @param act several if the bodies need different setups
 */
export async function walkAct<World extends ActContext>(
  id: string,
  act: Act<World> | readonly Act<World>[],
  world: World,
): Promise<void> {
  const walked: WalkedBody[] = []
  for (const one of [act].flat()) {
    const { bodies } = await one.stage(world)
    const send = (place: number): WalkedBody['send'] => {
      return (change) => acted(id, one, world, { place, change })
    }
    walked.push(...bodies.map((body, index) => ({ body, send: send(index) })))
  }
  await walkMembers(id, walked)
}
