import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Client, createClient } from '@liquidity-os/client'
import { basePath } from '@liquidity-os/contract'
import type { Restored } from '@liquidity-os/localchain'
import {
  type Config,
  converseWith,
  createOrganization,
  createSignInLink,
  type Database,
  openDatabase,
  progressBar,
  readConfig,
  startService,
  startWorkers,
  verifyHistory,
} from '@liquidity-os/server'
import { firstScreen } from './first-screen.ts'
import { Issuer } from './issuer/passport.ts'
import { showToken } from './issuer/show-token.ts'
import { isFirstStart, type LaunchChain, launchChain, tradeMonth } from './launch-chain.ts'
import { type MarketMonth, showMonth } from './market-month.ts'
import { keepTrading, openOwnMarket } from './own-market.ts'
import { closeMonth } from './own-treasury.ts'
import { findRecordedMarket, swapAround } from './recorded-market.ts'
import {
  declareOwnTokens,
  ensureOwnVenue,
  ensureVenue,
  observeLaunch,
  putProvider,
  runStudy,
} from './resources.ts'
import { type DemoSession, signIn } from './sign-in.ts'

const organizationId = 'org_demo'
const email = 'demo@example.org'

/** Content of `DATA_DIR/demo.json`, for scripts that continue from the demo. */
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
      'npm run demo             Start the service with real data and live demo swaps.\nnpm run demo -- --exit   Run the checks without live swaps, then exit with status 0.',
    )
    return
  }
  const directory = process.env.DATA_DIR || 'data'
  const blocksPath = join(directory, 'chain.ndjson')
  mkdirSync(dirname(blocksPath), { recursive: true, mode: 0o700 })
  const launch = await step('Replaying the ENS launch on the original bytecode', (advance) =>
    launchChain(blocksPath, earlierPort(directory), (done, total) => advance(done / total)),
  )
  const { recording, chain } = launch
  say(`  ${recording.equalEvents} of ${recording.events} recorded events match`)
  sayRestored(launch.restored)
  if (isFirstStart(launch)) {
    await step('Trading 31 days at the recorded prices of OP/WETH', (advance) =>
      tradeMonth(launch, (done, total) => advance(done / total)),
    )
  } else await chain.followClock()
  const config = readConfig({
    LOG_LEVEL: 'error',
    PUBLIC_CHAINS: writePublicChains(launch, dirname(blocksPath)),
    CHAIN_OFFERS: `${chain.chainId} Demo chain ${chain.rpcUrl}`,
    ...process.env,
    OUTBOUND_ALLOW: [process.env.OUTBOUND_ALLOW, new URL(chain.rpcUrl).host]
      .filter(Boolean)
      .join(','),
  })
  const database = await openDatabase(config, converseWith(config))
  // Workers start later: the provider record first needs the current RPC address.
  const service = await startService({ ...config, worker: 'none' }, { database })
  const workspace = await enterWorkspace(config, database, service.baseUrl, launch)
  const workers = await startWorkers(service.services)
  const file = await fillWorkspace(config, workspace, launch)
  const issuer = new Issuer(workspace.client, organizationId, service.baseUrl, dirname(blocksPath))
  await showToken(issuer, launch, say)
  const month = await showRecordedMarket(workspace.client, launch)
  writeDemoFile(config, { ...file, resources: { ...file.resources, ...month } })
  say('')
  await launch.blocks.keep()
  const report = await verifyHistory(database, organizationId, service.services.artifacts)
  say(
    `History: ${report.records} versions and ${report.events} events, ${report.faults.length} broken links`,
  )
  const [fault] = report.faults
  if (fault) throw new Error(`The history fails verification: ${fault.subject} ${fault.message}`)
  const { link } = await createSignInLink(database, { email, baseUrl: service.baseUrl }, Date.now())
  say(goOn(file, link))
  const stop = async (stopTrading: () => Promise<void>) => {
    await stopTrading()
    await launch.blocks.keep()
    await workers.stop()
    await service.stop()
    await database.close()
    await chain.stop()
  }
  if (isOnce) return stop(async () => {})
  const stopTrading = await goOnTrading(workspace.client, launch)
  const end = () => void stop(stopTrading).then(() => process.exit(0))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  say('Serving until you press Ctrl-C.')
}

/** @returns ids of the records; none in a data directory of an earlier release */
async function showRecordedMarket(
  client: Client,
  launch: LaunchChain,
): Promise<Partial<MarketMonth>> {
  const market = await findRecordedMarket(launch.chain)
  if (market) return showMonth(client, launch, market, { email, say })
  say('This data directory has no market at recorded prices. Use a new directory.')
  return {}
}

/** RPC port of an earlier start, so that its URL stays valid; 0 at the first start. */
function earlierPort(directory: string): number {
  const path = join(directory, 'demo.json')
  if (!existsSync(path)) return 0
  const { rpcUrl } = JSON.parse(readFileSync(path, 'utf8')) as DemoFile
  return Number(new URL(rpcUrl).port)
}

/** Publishes the demo chain for unauthenticated queries. */
function writePublicChains({ chain, quote }: LaunchChain, directory: string): string {
  const path = join(directory, 'public-chains.json')
  const { uniswapV2Factory, uniswapV3Factory } = chain.contracts
  const factories = [
    { kind: 'UNISWAP_V2', address: uniswapV2Factory },
    { kind: 'UNISWAP_V3', address: uniswapV3Factory },
  ]
  const { chainId, rpcUrl } = chain
  const chains = [{ chainId, endpoints: [rpcUrl], referenceQuote: quote, factories }]
  writeFileSync(path, `${JSON.stringify({ chains }, null, 2)}\n`)
  return path
}

function sayRestored({ performed, blockCount }: Restored): void {
  if (blockCount > 0) say(`  ${performed} of ${blockCount} blocks after the launch replayed`)
}

/**
 * Opens a synthetic market next to the recorded one and continues trading, so the chain stays
 * active.
 */
async function goOnTrading(client: Client, launch: LaunchChain): Promise<() => Promise<void>> {
  const market = await openOwnMarket(launch)
  await launch.blocks.keep()
  const venue = await ensureOwnVenue(client, launch, market)
  say(`Live demo swaps continue in the venue “${venue.payload.name}”.`)
  say(await closeMonth(client, launch))
  await launch.blocks.keep()
  const recorded = await findRecordedMarket(launch.chain)
  const alongside = recorded && swapAround(launch.chain, recorded)
  return keepTrading(launch, market, alongside, async (failure) => {
    if (failure) process.stderr.write(`A demo swap failed: ${String(failure)}\n`)
    else await launch.blocks.keep()
  })
}

interface Workspace {
  baseUrl: string
  session: DemoSession
  client: Client
  provider: Awaited<ReturnType<typeof putProvider>>
}

/**
 * Signs in to the organization, created at the first start, and registers the chain's RPC address.
 */
async function enterWorkspace(
  config: Config,
  database: Database,
  baseUrl: string,
  launch: LaunchChain,
): Promise<Workspace> {
  if (!(await exists(database))) {
    await createOrganization(
      database,
      { name: 'Demo', owner: email, id: organizationId },
      Date.now(),
    )
  }
  const session = await signIn(database, config, baseUrl, email)
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
  return { baseUrl, session, client, provider: await putProvider(client, launch) }
}

/** Everything that is done through the API, as a user would. */
async function fillWorkspace(
  config: Config,
  { baseUrl, session, client, provider }: Workspace,
  launch: LaunchChain,
): Promise<DemoFile> {
  const path = join(config.dataDirectory, 'demo.json')
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoFile) : null
  const venue = await ensureVenue(client, launch)
  await declareOwnTokens(client, venue)
  const observation = await step('Indexing the venue', (advance) =>
    observeLaunch(client, venue, launch, (pips) => advance(pips / 1_000_000)),
  )
  const { eventsReplayed, eventsExact } = observation.payload.continuity.fidelity
  if (!observation.payload.continuity.proved || eventsExact !== eventsReplayed) {
    throw new Error(`The replay is not exact: ${eventsExact} of ${eventsReplayed} events.`)
  }
  const study = await step('Running the study', () => runStudy(client, venue, observation))
  const { body } = await client.readStudyVerdict({ params: { id: study.id } })
  say(firstScreen({ launch, venue, observation, study, verdict: body.data }))
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
  writeDemoFile(config, file)
  return file
}

function writeDemoFile({ dataDirectory }: Config, file: DemoFile): void {
  mkdirSync(dataDirectory, { recursive: true })
  const text = `${JSON.stringify(file, null, 2)}\n`
  writeFileSync(join(dataDirectory, 'demo.json'), text, { mode: 0o600 })
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
        label: kind === 'API_KEY' ? 'Demo API key' : 'Demo OAuth client',
        kind,
        scopes: [...scopes],
        reason: 'API access to the demo',
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

/** @param link one-time console sign-in link; anyone who opens it is signed in */
function goOn({ baseUrl, apiKey, resources }: DemoFile, link: string): string {
  return `
Open
  Console      ${baseUrl}
               sign in with ${link}
  Guide        ${baseUrl}/docs/
  Reference    ${baseUrl}/docs/api/
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
