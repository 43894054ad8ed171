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
  /** Operation that reads the subject; access to it grants access to the charts. */
  readonly operationId: string
  /**
   * The subject to draw: plain data only, because it crosses a thread boundary.
   *
   * @throws Failure 404 if the subject has no chart
   */
  readonly read: (request: PictureRequest) => Promise<object>
  /** The module whose default export makes drawings of that; it is loaded in the thread. */
  readonly drawings: URL
}

/** Families with charts, by the module name in the path. */
export type Pictures = ReadonlyMap<string, () => Promise<{ pictures: PictureFamily }>>

/** Charts of records that depend on the payload only. */
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
