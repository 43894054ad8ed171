import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The peer: what a good engineer writes in an afternoon. Fastify with a schema, `pg` with a pool, and one
 * transaction of three inserts for each request. No authentication, no hash chain, no tenants.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? '', max: 10 })
await pool.query(`
  create table if not exists naive_records (organization_id text, id text, sequence int, body jsonb,
    resource_version text unique, created_at timestamptz default now(), primary key (organization_id, id, sequence));
  create table if not exists naive_events (organization_id text, subject_id text, sequence int, event_id text unique,
    body jsonb, primary key (organization_id, subject_id, sequence));
  create table if not exists naive_idempotency (organization_id text, key text, status int, response jsonb,
    primary key (organization_id, key));`)

const app = Fastify()
const schema = {
  body: {
    type: 'object',
    required: ['payload', 'reason'],
    properties: {
      payload: { type: 'object', required: ['name', 'address', 'pair', 'read'] },
      reason: { type: 'string', minLength: 3, maxLength: 500 },
    },
  },
}
app.post('/venues', { schema }, async (request, reply) => {
  const { payload, reason } = request.body as { payload: unknown; reason: string }
  const organizationId = String(request.headers['x-service-organization-id'])
  const key = String(request.headers['idempotency-key'])
  const id = `venue_${randomUUID()}`
  const record = {
    id,
    resourceType: 'VenueProfile',
    organizationId,
    sequence: 1,
    resourceVersion: randomUUID(),
    previousResourceVersion: null,
    status: 'DRAFT',
    payload,
    reason,
    createdAt: new Date().toISOString(),
  }
  const event = {
    id: randomUUID(),
    kind: 'venue.created',
    subject: id,
    occurredAt: record.createdAt,
  }
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      'insert into naive_records (organization_id, id, sequence, body, resource_version) values ($1, $2, 1, $3, $4)',
      [organizationId, id, JSON.stringify(record), record.resourceVersion],
    )
    await client.query(
      'insert into naive_events (organization_id, subject_id, sequence, event_id, body) values ($1, $2, 1, $3, $4)',
      [organizationId, id, event.id, JSON.stringify(event)],
    )
    await client.query(
      'insert into naive_idempotency (organization_id, key, status, response) values ($1, $2, 201, $3)',
      [organizationId, key, JSON.stringify({ data: record })],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return reply.code(201).send({ data: record })
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.stdout.write(
  `${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`,
)
