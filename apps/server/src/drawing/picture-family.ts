import type { RequestActor } from '../access/request-actor.ts'
import { Failure } from '../failure.ts'
import type { Services } from '../services.ts'
import type { ResourceType } from '../store/records/resource-types.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/** A request for pictures, after the guards of its family. */
export interface PictureRequest {
  readonly id: string
  readonly query: Readonly<Record<string, unknown>>
  readonly actor: RequestActor
  readonly records: TenantRecords
  readonly services: Services
}

/** A family with pictures. */
export interface PictureFamily {
  /** The operation that reads what is drawn: whoever may ask it may see the pictures. */
  readonly operationId: string
  /**
   * What is drawn, as it travels to a thread: plain data only.
   *
   * @throws Failure 404 where there is nothing to be drawn
   */
  readonly read: (request: PictureRequest) => Promise<object>
  /** The module whose default export makes drawings of that; it is loaded in the thread. */
  readonly drawings: URL
}

/** Families with pictures by the name of their room, which is that in the path. */
export type Pictures = ReadonlyMap<string, () => Promise<{ pictures: PictureFamily }>>

/** Pictures of records whose payload alone is drawn. */
export function picturesOfPayload(
  operationId: string,
  type: ResourceType,
  drawings: URL,
): PictureFamily {
  const read = async ({ id, records }: PictureRequest) => payloadOf<object>(records, type, id)
  return { operationId, read, drawings }
}

/** @throws Failure 404 */
export async function payloadOf<Payload>(
  records: TenantRecords,
  type: ResourceType,
  id: string,
): Promise<Payload> {
  const current = await records.current<Payload>(type, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return current.record.payload
}
