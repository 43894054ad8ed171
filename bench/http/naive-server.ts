import { randomUUID } from 'node:crypto'
import { contract } from '@liquidity-os/contract'
import Fastify from 'fastify'
import { connectNaive, naiveTables } from './naive-database.ts'

/**
 * The peer: what a good engineer writes in an afternoon. Fastify with the schema of the contract, a pool, and
 * for each request one transaction that inserts the record, its event and the answer under its key, with the
 * columns and indexes that such a service searches by. No authentication, no hash chain, no tenants, no outbox.
 */
const database = await connectNaive(process.env.DATABASE_URL)
await database.run(naiveTables)

const app = Fastify({ ajv: { customOptions: { strict: false, removeAdditional: false } } })
const schema = { body: contract.createVenues.body }
const actor = 'user_bench'

app.post('/venues', { schema }, async (request, reply) => {
  const { payload, reason } = request.body as { payload: unknown; reason: string }
  const organizationId = String(request.headers['x-service-organization-id'])
  const key = String(request.headers['idempotency-key'])
  const createdAt = new Date().toISOString()
  const record = {
    id: `venue_${randomUUID()}`,
    resourceType: 'VenueProfile',
    organizationId,
    sequence: 1,
    resourceVersion: randomUUID(),
    previousResourceVersion: null,
    status: 'DRAFT',
    payload,
    reason,
    createdAt,
    createdBy: { kind: 'SESSION', id: actor },
  }
  const event = {
    id: randomUUID(),
    organizationId,
    sequence: 1,
    kind: 'venue.created',
    subject: { resourceType: 'VenueProfile', id: record.id },
    occurredAt: createdAt,
    actor: record.createdBy,
  }
  const answer = JSON.stringify({ data: record })
  await database.transaction([
    [
      `insert into naive_records (organization_id, id, sequence, resource_type, resource_version,
        previous_version, status, reason, body, created_at, actor_kind, actor_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        organizationId,
        record.id,
        1,
        record.resourceType,
        record.resourceVersion,
        null,
        record.status,
        reason,
        JSON.stringify(record),
        createdAt,
        'SESSION',
        actor,
      ],
    ],
    [
      `insert into naive_events (organization_id, subject_id, sequence, event_id, kind, body, occurred_at, actor_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [organizationId, record.id, 1, event.id, event.kind, JSON.stringify(event), createdAt, actor],
    ],
    [
      `insert into naive_idempotency (organization_id, actor_id, key, fingerprint, status, headers, response, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [organizationId, actor, key, request.url, 201, '{}', answer, createdAt],
    ],
  ])
  return reply.code(201).type('application/json').send(answer)
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.stdout.write(
  `${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`,
)
process.on('SIGTERM', () => process.exit(0))
