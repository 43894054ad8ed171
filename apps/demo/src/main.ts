import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@liquidity-os/client'
import { basePath } from '@liquidity-os/contract'
import {
  type Config,
  converseWith,
  createOrganization,
  type Database,
  openDatabase,
  progressBar,
  readConfig,
  startService,
  verifyHistory,
} from '@liquidity-os/server'
import { firstScreen } from './first-screen.ts'
import { type LaunchChain, launchChain } from './launch-chain.ts'
import { ensureVenue, observeLaunch, putProvider, runStudy } from './resources.ts'
import { type DemoSession, signIn } from './sign-in.ts'

const organizationId = 'org_demo'
const email = 'demo@example.org'

/** What `DATA_DIR/demo.json` holds, for scripts that want to go on from here. */
interface DemoFile {
  baseUrl: string
  organizationId: string
  session: DemoSession
  apiKey: string
  oauth: { clientId: string; clientSecret: string }
  rpcUrl: string
  chainId: number
  resources: Record<string, string>
}

const say = (text: string) => process.stdout.write(`${text}\n`)

async function main(): Promise<void> {
  const isOnce = process.argv.includes('--exit')
  if (process.argv.includes('--help')) {
    say(
      'npm run demo             start the service with real data and keep serving\nnpm run demo -- --exit   the same, and end with status 0 after the checks',
    )
    return
  }
  const launch = await step('Performing the ENS launch on genuine bytecode', (advance) =>
    launchChain((done, total) => advance(done / total)),
  )
  const { recording, chain } = launch
  say(`  ${recording.equalEvents} of ${recording.events} recorded events equal`)
  const config = readConfig({
    LOG_LEVEL: 'error',
    ...process.env,
    OUTBOUND_ALLOW: [process.env.OUTBOUND_ALLOW, new URL(chain.rpcUrl).host]
      .filter(Boolean)
      .join(','),
  })
  const database = await openDatabase(config, converseWith(config))
  const service = await startService(config, { database })
  const file = await fillWorkspace(config, database, service.baseUrl, launch)
  const report = await verifyHistory(database, organizationId, service.services.artifacts)
  say(
    `History: ${report.records} versions and ${report.events} events, ${report.faults.length} broken links`,
  )
  if (report.faults.length > 0) throw new Error('The history does not verify.')
  say(goOn(file))
  if (isOnce) {
    await service.stop()
    await database.close()
    await chain.stop()
    return
  }
  say('Serving until you press Ctrl-C.')
  const stop = () => {
    void service
      .stop()
      .then(() => database.close())
      .then(() => chain.stop())
      .then(() => process.exit(0))
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** Everything that is done through the API, as a user would. */
async function fillWorkspace(
  config: Config,
  database: Database,
  baseUrl: string,
  launch: LaunchChain,
): Promise<DemoFile> {
  const path = join(config.dataDirectory, 'demo.json')
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoFile) : null
  if (!(await exists(database))) {
    await createOrganization(
      database,
      { name: 'Demo', owner: email, id: organizationId },
      Date.now(),
    )
  }
  const session = await signIn(database, config, baseUrl, email)
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
  const provider = await putProvider(client, launch)
  const venue = await ensureVenue(client, launch)
  const observation = await step('Indexing the venue', (advance) =>
    observeLaunch(client, venue, launch, (pips) => advance(pips / 1_000_000)),
  )
  const { eventsReplayed, eventsExact } = observation.payload.continuity.fidelity
  if (!observation.payload.continuity.proved || eventsExact !== eventsReplayed) {
    throw new Error(`The replay is not exact: ${eventsExact} of ${eventsReplayed} events.`)
  }
  const study = await step('Running the study', () => runStudy(client, venue, observation))
  say(firstScreen({ launch, venue, observation, study }))
  const credentials = await credentialsOf(client, baseUrl, before)
  const file: DemoFile = {
    baseUrl,
    organizationId,
    session,
    ...credentials,
    rpcUrl: launch.chain.rpcUrl,
    chainId: launch.chain.chainId,
    resources: {
      providerId: provider.payload.providerId,
      providerRecordId: provider.id,
      venueId: venue.id,
      observationId: observation.id,
      studyId: study.id,
      pool: launch.recording.pool,
      base: launch.base,
      quote: launch.quote,
    },
  }
  mkdirSync(config.dataDirectory, { recursive: true })
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  return file
}

async function exists(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query('select 1 from organizations where id = $1', [
    organizationId,
  ])
  return rows.length > 0
}

/** The credentials of an earlier start while they work, else new ones. */
async function credentialsOf(
  client: Client,
  baseUrl: string,
  before: DemoFile | null,
): Promise<Pick<DemoFile, 'apiKey' | 'oauth'>> {
  if (before && (await works(baseUrl, before.apiKey))) {
    return { apiKey: before.apiKey, oauth: before.oauth }
  }
  const scopes = [
    'studies:read',
    'studies:write',
    'strategies:validate',
    'scores:read',
    'proof:read',
    'alerts:read',
    'webhooks:manage',
  ] as const
  const issue = async (kind: 'API_KEY' | 'OAUTH_CLIENT') => {
    const { body } = await client.createDeveloperCredentials({
      body: {
        label: `Demo ${kind}`,
        kind,
        scopes: [...scopes],
        reason: 'Programs that try the demo',
      },
    })
    return body.data
  }
  const key = await issue('API_KEY')
  const oauth = await issue('OAUTH_CLIENT')
  return {
    apiKey: key.secret,
    oauth: { clientId: oauth.credential.id, clientSecret: oauth.secret },
  }
}

async function works(baseUrl: string, apiKey: string): Promise<boolean> {
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'bearer', token: apiKey } })
  return client.listStudies().then(
    () => true,
    () => false,
  )
}

/** Runs one step under a progress bar, on a terminal. */
async function step<T>(
  title: string,
  run: (advance: (share: number) => void) => Promise<T>,
): Promise<T> {
  say(title)
  const bar = progressBar(process.stderr, title)
  try {
    return await run(bar.advance)
  } finally {
    bar.clear()
  }
}

function goOn({ baseUrl, apiKey, resources }: DemoFile): string {
  return `
Open
  Reference    ${baseUrl}/docs
  Contract     ${baseUrl}${basePath}/openapi.json
  Status       ${baseUrl}${basePath}/status
  Sign in      npx liquidity session link ${email}

Try
  curl -H 'authorization: Bearer ${apiKey}' -H 'x-service-organization-id: ${organizationId}' \\
    ${baseUrl}${basePath}/studies/${resources.studyId}
`
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
}
