import { sql, values } from '../../src/store/database/sql.ts'
import { tell } from '../support/requests.ts'
import type { TestMember, TestService } from '../support/service.ts'
import type { Staged } from './scene.ts'
import { comparable, type WalkedBody, walkMembers, withoutMembers } from './walk-members.ts'

/** An organization that all requests of a walk share, as what it holds takes long to make. */
export interface Standing {
  readonly service: TestService
  readonly owner: TestMember
}

/** A request to what stands. */
export interface Act<World extends Standing> {
  readonly stage: (world: World) => Promise<Staged>
  /** What is sent of a body that was changed, where a member is computed from others. */
  readonly sent?: (changed: object, staged: object, world: World) => object
}

/**
 * Sends what has to be done for something to stand.
 *
 * @throws Error where it is refused
 */
export async function done<Data>(
  by: TestMember,
  id: string,
  body: object,
  request: object = {},
): Promise<Data> {
  const response = await tell<Data>(by, id, { ...request, body })
  if (response.code !== '')
    throw new Error(`${id}: ${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

/** Sends a body to what was staged for it alone, and looks at the answer and the events of its subjects. */
async function acted<World extends Standing>(
  id: string,
  { stage, sent: sentOf = (changed) => changed }: Act<World>,
  world: World,
  { place, change }: { place: number; change: (body: object) => unknown },
) {
  const { owner, service } = world
  const { by = owner, bodies, request, echoes = [] } = await stage(world)
  const body = bodies[place]!
  const sent = sentOf(change(body) as object, body, world)
  const response = await tell<{ id?: string }>(by, id, { ...request, body: sent })
  const of = [request?.params?.id ?? '', response.data?.id ?? '']
  const [written = []] = await service.database.tenant(owner.organizationId, [
    sql`select body from events where organization_id = ${owner.organizationId} and subject_id in ${values(of)}
      order by subject_id, sequence`,
  ])
  const seen = [response.data ?? null, written.map((row) => JSON.parse(row.body ?? 'null'))]
  return { ...response, seen: comparable(withoutMembers(seen, echoes), sent, body) }
}

/**
 * Changes every member of the requests to what stands: the answer or an event is another, or the refusal names the member.
 *
 * @param act more than one where what is staged for one body is not what another one acts on
 */
export async function walkAct<World extends Standing>(
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
