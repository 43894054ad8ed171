import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDatabase } from '../../apps/server/src/context.ts'
import { sql } from '../../apps/server/src/database/sql.ts'
import { createOrganization } from '../../apps/server/src/identity/administration.ts'
import { mintToken } from '../../apps/server/src/identity/secrets.ts'
import { startService } from '../../apps/server/src/service.ts'
import { recordVenue } from './recorded-venue.ts'

/** The product with its workers inside, five organizations, and a recorded market in the first. */
const config = readConfig({ LOG_LEVEL: 'error', ...process.env, PORT: '0', WORKER: 'in-process' })
const database = await openDatabase(config)
const service = await startService(config, { database })
const now = Date.now()
const callers = []
for (let index = 0; index < 5; index += 1) {
  const { organizationId, owner } = await createOrganization(
    database,
    { name: `Bench ${index}`, owner: `bench-${index}-${now}@example.org` },
    now,
  )
  const { token, tokenHash } = mintToken()
  await database.global([
    sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
      values (${tokenHash}, ${owner.userId}, ${now}, ${now}, ${now + 12 * 3_600_000})`,
  ])
  const { origin } = new URL(config.baseUrl)
  const auth = { kind: 'session', cookieName: config.sessionCookie, cookie: token, origin }
  callers.push({ organizationId, auth })
}
const recorded = await recordVenue(service.services, callers[0]?.organizationId ?? '')

/** Tells the delay of the event loop since it was last asked, in milliseconds. */
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const probe = createServer((_request, response) => {
  const said = { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 }
  delay.reset()
  response.end(JSON.stringify(said))
})
await new Promise<void>((done) => {
  probe.listen(0, '127.0.0.1', done)
})
const address = probe.address()
process.stdout.write(
  `${JSON.stringify({
    baseUrl: service.baseUrl,
    probePort: typeof address === 'object' && address ? address.port : 0,
    callers,
    recorded,
  })}\n`,
)
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
