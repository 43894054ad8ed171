import { expect } from 'vitest'
import { sql } from '../../src/store/database/sql.ts'
import { bookmarkBody } from './bodies.ts'
import { callOperation } from './requests.ts'
import type { TestMember, TestService } from './service.ts'

/** How a full organization is refused. */
export const full = { status: 403, code: 'LIQUIDITY_ORGANIZATION_STORAGE_FULL' }

/** Bytes in the rows of an organization, computed independently of the service. */
export async function held(
  { database }: TestService,
  { organizationId }: TestMember,
): Promise<number> {
  const [records = [], events = [], answers = [], artifacts = []] = await database.tenant(
    organizationId,
    [
      sql`select body from records`,
      sql`select body from events`,
      sql`select body from idempotency where body is not null`,
      sql`select encode(content, 'hex') as body from artifacts`,
    ],
  )
  const texts = [...records, ...events, ...answers].map(({ body }) => Buffer.byteLength(body!))
  const bytes = artifacts.map(({ body }) => body!.length / 2)
  return [...texts, ...bytes].reduce((sum, length) => sum + length, 0)
}

export async function counted({ database }: TestService, { organizationId }: TestMember) {
  const [[row] = []] = await database.tenant(organizationId, [
    sql`select bytes, measured_at from organization_usage`,
  ])
  return row ? { bytes: Number(row.bytes), isMeasured: row.measured_at !== null } : null
}

let number = 0
/** Saves a project, another with each call that names no key. */
export const writes = (by: TestMember, idempotencyKey?: string) => {
  number += 1
  const body = idempotencyKey ? bookmarkBody(1) : bookmarkBody(1000 + number)
  return callOperation(by, 'savePlatformProject', {
    body,
    ...(idempotencyKey ? { idempotencyKey } : {}),
  })
}

/** Writes until it is refused; how often it was not. */
export async function fill(by: TestMember): Promise<number> {
  for (let written = 0; ; written += 1) {
    const { status } = await writes(by)
    if (status === 403) return written
    expect(status).toBe(201)
  }
}
