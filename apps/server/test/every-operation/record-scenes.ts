import { generateKeyPairSync, sign } from 'node:crypto'
import { contract } from '@liquidity-os/contract'
import {
  controlAbi,
  createSafe,
  deployBeaconProxy,
  deployRoleToken,
} from '@liquidity-os/localchain'
import { poolBody, providerBody, type TestChain, validatedPool } from '../support/chain.ts'
import { accountStatement, custodianBytes, statementOf } from '../support/custody.ts'
import { TestClock, type TestMember } from '../support/service.ts'
import { pathSpec } from '../support/studying.ts'
import { capital } from './capital-bodies.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'
const wallet = '0x000000000000000000000000000000000000a11c'
const hash = `0x${'ab'.repeat(32)}`
const cases = <T extends object>(...payloads: T[]) =>
  payloads.map((payload) => ({ payload, reason }))

/**
 * A study of two arms, too large for an immediate response, so it stays queued and never runs here.
 */
async function queuedStudy(owner: TestMember) {
  const [arm] = pathSpec().arms
  const hold = { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } } as const
  const { body } = await owner.client.createStudies({
    body: {
      payload: pathSpec({
        arms: [arm!, hold],
        stepSeconds: 600,
        sampleSeconds: 3600,
        bandsPips: [20_000],
        paths: 2000,
        halfWidthPips: 1,
      }),
      reason,
    },
  })
  const { study } = body.data as unknown as { study: { id: string; resourceVersion: string } }
  return { id: study.id, resourceVersion: study.resourceVersion }
}

const researchBody = (study: { id: string; resourceVersion: string }) => ({
  payload: {
    kind: 'RESEARCH',
    subject: { study },
    question: 'Is holding any better than this?',
    mode: 'STEPWISE',
    budget: { maximumSteps: 20, maximumSeconds: 600, maximumModelTokens: 1000 },
  },
  evidenceHashes: [hash],
  reason,
})

const channels = [
  { kind: 'EMAIL', address: 'liquidity@example.com' },
  { kind: 'SLACK', url: 'https://hooks.example.com/services/one' },
  { kind: 'TELEGRAM', url: 'https://telegram.example.com/bot1/sendMessage', chatId: '-1001' },
  { kind: 'PAGERDUTY', url: 'https://events.example.com/v2', routingKey: 'a'.repeat(32) },
  { kind: 'WEBHOOK', url: 'https://alerts.example.com/liquidity' },
].map((target, index) => ({ label: `Channel ${index}`, target }))
const channel = { payload: channels[0], reason }

const rule = (channelId: string) => ({
  ...contract.createAlertRule.example.body.payload,
  match: {
    ...contract.createAlertRule.example.body.payload.match,
    kinds: ['PROVIDER_DOWN'],
    pair: '31337|0x000000000000000000000000000000000000dEaD|0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  },
  channels: [channelId],
})

const unwatchedPair =
  '31337-0x000000000000000000000000000000000000dEaD-0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'

/** Thresholds on a venue that the organization watches, and one of another metric. */
const thresholdsOn = (venueId: string) => [
  {
    metric: 'DEPTH_QUOTE',
    subject: { venueId },
    comparator: 'LT',
    value: '1',
    bandPips: 20_000,
    side: 'WEAKER',
    resolveSeconds: 120,
    severity: 'WARNING',
  },
  {
    metric: 'VOLUME_QUOTE',
    subject: { venueId },
    comparator: 'GTE',
    value: '1',
    windowSeconds: 3600,
    severity: 'INFO',
  },
  // Refused: the metric takes no mandate, and the pair is not watched.
  {
    metric: 'TVL_QUOTE',
    subject: { mandateId: `mandate_${'0'.repeat(32)}`, kpiId: 'spread', pair: unwatchedPair },
    comparator: 'LT',
    value: '1',
    severity: 'CRITICAL',
  },
]
const thresholdRule = (channelId: string, threshold: object) => {
  const { match: _match, ...rest } = rule(channelId)
  return { ...rest, threshold }
}

const mandate = {
  ...contract.createMarketMakerMandates.example.body.payload,
  marketMaker: {
    name: 'A maker',
    legalEntity: 'A maker Ltd.',
    wallets: [{ chainId: 31_337, address: wallet }],
    signerKeys: [
      ...contract.createMarketMakerMandates.example.body.payload.marketMaker.signerKeys,
      { algorithm: 'EIP191', address: wallet },
    ],
  },
  exclusions: [{ from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z', reason: 'Agreed' }],
  documentHash: hash,
}
/** Refused where they name what is not there. */
const unbound = [
  {
    ...mandate,
    compensation: {
      model: 'LOAN_OPTION',
      loan: { resourceType: 'Loan', id: 'loan_none', resourceVersion: hash },
    },
  },
  {
    ...mandate,
    venues: [
      {
        venueKey: 'kraken',
        kind: 'CEX',
        name: 'Kraken',
        venue: { id: 'venue_none', resourceVersion: hash },
      },
    ],
  },
  {
    ...mandate,
    venues: [
      {
        venueKey: 'kraken',
        kind: 'CEX',
        name: 'Kraken',
        feed: { providerId: 'nobody', feed: 'book' },
      },
    ],
  },
]

const dollars = 'iso4217:USD'
const line = (lineId: string, schedule: object, more: object = {}) => ({
  lineId,
  label: lineId,
  category: 'All',
  direction: 'OUTFLOW',
  assetKey: dollars,
  amount: '1200000',
  schedule,
  growthAnnualPips: 30_000,
  certainty: 'COMMITTED',
  ...more,
})
const uncertain = { direction: 'INFLOW', certainty: 'UNCERTAIN', probabilityPips: 700_000 }
const scenario = (scenarioId: string, prices: readonly object[]) => ({
  scenarioId,
  label: scenarioId,
  prices,
  notes: 'Said by the board',
  inflowDelayMonths: 1,
  inflowMultiplierPips: 900_000,
  outflowMultiplierPips: 1_100_000,
})
export const assumptions = {
  label: 'Plan',
  quoteKey: dollars,
  startMonth: '2026-01',
  horizonMonths: 3,
  minimumCashQuote: '5000000',
  lines: [
    line('once', { kind: 'ONE_OFF', at: '2026-02-01T00:00:00Z' }),
    line('often', {
      kind: 'RECURRING',
      firstAt: '2026-01-31T00:00:00Z',
      every: 'MONTH',
      count: 2,
    }),
    line(
      'until',
      {
        kind: 'RECURRING',
        firstAt: '2026-01-31T00:00:00Z',
        every: 'QUARTER',
        until: '2026-03-31T00:00:00Z',
      },
      uncertain,
    ),
    line('vested', {
      kind: 'LINEAR',
      from: '2026-01-01T00:00:00Z',
      cliffAt: '2026-02-01T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
      stepSeconds: 86_400,
      initial: '100',
    }),
  ],
  scenarios: [
    {
      ...scenario('base', []),
      inflowMultiplierPips: 1_000_000,
      outflowMultiplierPips: 1_000_000,
      inflowDelayMonths: 0,
    },
    scenario('winter', [
      { tier: 'T2', path: { kind: 'STEP', month: '2026-02', movePips: -500_000 } },
      { tier: 'T3', path: { kind: 'LINEAR', movePips: -500_000 } },
    ]),
  ],
  ownTokenPolicy: { mode: 'SELL', maximumParticipationPips: 50_000, floorPriceX18: '1000000' },
  haircuts: { T0: 0, T1: 10_000, T2: 150_000, T3: 500_000, T4: 1_000_000 },
  conversionOrder: ['T0', 'T1', 'T2', 'T3', 'T4'],
}

/** Sets that are refused for one member each. */
const refusedAssumptions = [
  {
    obligation: {
      resourceType: 'TreasuryBucket',
      id: 'treasury_bucket_a',
      resourceVersion: hash,
    },
    direction: 'INFLOW',
  },
  { direction: 'INFLOW', ownTokenSharePips: 1 },
]
  .map((fault) => ({ ...assumptions, lines: [{ ...assumptions.lines[0], ...fault }] }) as object)
  .concat(
    [
      { assetKey: `eip155:1/erc20:${wallet}`, path: { kind: 'HOLD' } },
      { tier: 'T2', path: { kind: 'PATH', movesPips: [1, 2] } },
    ].map((price) => ({
      ...assumptions,
      scenarios: [assumptions.scenarios[0], scenario('winter', [price])],
    })),
  )

const made = (data: unknown) => {
  const { id, resourceVersion } = data as { id: string; resourceVersion: string }
  return { params: { id }, ifMatch: resourceVersion }
}
const credential = { label: 'Export', kind: 'API_KEY', scopes: ['studies:read'], reason }
const aCredential = async ({ client }: TestMember) =>
  made(
    (await client.createDeveloperCredentials({ body: credential as never })).body.data.credential,
  )

const webhook = { url: 'https://hooks.example.com/a', eventKinds: ['*'], description: 'Desk' }
const aWebhook = async ({ client }: TestMember) =>
  made(
    (await client.createWebhooks({ body: { payload: webhook, reason } as never })).body.data
      .webhook,
  )
const aChannel = async ({ client }: TestMember) =>
  made((await client.createAlertChannel({ body: channel as never })).body.data)
const theAssumptions = async ({ client }: TestMember) =>
  made(
    (await client.createTreasuryAssumptions({ body: { ...assumptions, reason } as never })).body
      .data,
  )

const valuation = { quoteKey: 'iso4217:USD', oracleProviderId: 'nobody' }
const obligation = {
  entryKind: 'OBLIGATION',
  label: 'Audit',
  asset: 'iso4217:EUR',
  purpose: 'OPERATING',
  obligation: {
    obligationKind: 'VENDOR',
    counterparty: 'Auditor',
    reference: 'Contract 7',
    amount: '1000',
    certainty: 'COMMITTED',
    schedule: {
      kind: 'LINEAR',
      from: '2025-12-01T00:00:00Z',
      cliffAt: '2025-12-10T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
      stepSeconds: 86_400,
      initial: '100',
    },
  },
  valuation,
}
const custodian = {
  kind: 'CUSTODIAN_ACCOUNT',
  providerId: 'bank',
  accountReferenceHash: hash,
}
const evidence = { resourceType: 'CustodyEvidence', id: 'of_nobody', resourceVersion: hash }
const owed = { ...obligation.obligation, certainty: 'EXPECTED' }
const december = '2025-12-20T00:00:00Z'
const monthly = { kind: 'RECURRING', firstAt: december, every: 'MONTH' }
const holding = (test: TestChain) => ({
  entryKind: 'ASSET',
  label: 'Reserve',
  purpose: 'COLLATERAL',
  asset: `eip155:31337/erc20:${test.markets.tokens[1].toLowerCase()}`,
  container: {
    kind: 'MARKET_MAKER_ACCOUNT',
    chainId: 31_337,
    address: test.chain.accounts[0]?.address,
  },
  allocation: { kind: 'FIXED', quantity: '1000', priority: 3 },
  observation: { mode: 'CHAIN' },
  restrictions: [
    {
      kind: 'LOCKED_UNTIL',
      quantity: '10',
      until: '2030-01-01T00:00:00Z',
      evidenceHash: hash,
    },
  ],
  loan: {
    lentTokens: '500',
    returnAt: '2027-01-01T00:00:00Z',
    callTranches: [{ tokens: '100', strikeX36: '5', expiresAt: '2027-01-01T00:00:00Z' }],
  },
  valuation,
})
/** Without a loan, at the account of a key. */
const held = (test: TestChain) => {
  const { loan: _, container, ...rest } = holding(test)
  return { ...rest, container: { ...container, kind: 'EOA' } }
}
const parity = (test: TestChain) => ({
  quoteKey: holding(test).asset,
  oracleProviderId: 'nobody',
})
export const aHolding = async ({ client }: TestMember, test: TestChain) => {
  await client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const { restrictions: _, ...payload } = held(test)
  return made(
    (await client.createTreasuryEntries({ body: { payload, reason } as never })).body.data,
  )
}
const aReconciliation = async (owner: TestMember, test: TestChain) => {
  const { client } = owner
  await aHolding(owner, test)
  const request = { scope: { kind: 'ALL_ACTIVE' } }
  const { data } = (await client.previewTreasuryReconciliation({ body: request as never })).body
  const asOf = data.computation.snapshot?.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  const kept = await client.createTreasuryReconciliation({
    body: {
      request: { ...request, asOf },
      expectedReconciliationHash: data.reconciliationHash,
      reason,
    } as never,
  })
  return { ...made(kept.body.data), lineKey: data.lines[0]?.lineKey }
}
const anObligation = async ({ client }: TestMember) =>
  made(
    (
      await client.createTreasuryEntries({
        body: { payload: obligation, evidenceHashes: [hash], reason } as never,
      })
    ).body.data,
  )

const keys = generateKeyPairSync('ed25519')
const publicKey = Buffer.from(
  // Every Ed25519 key has its one coordinate.
  keys.publicKey.export({ format: 'jwk' }).x!,
  'base64url',
).toString('base64')
const aCustodian = async ({ client }: TestMember) => {
  const payload = { providerId: 'bank', kind: 'CUSTODIAN', displayName: 'Bank', configuration: {} }
  const body = { payload: { ...payload, publicKeys: [publicKey] }, reason }
  return made((await client.putOperatingSystemProvider({ body: body as never })).body.data)
}
/** Signed by the custodian; then refused ones of a key, for one member each. */
const signedStatements = async (owner: TestMember, test: TestChain, version: string) => {
  // The walk's service runs at the initial time of every test clock.
  const service = { clock: new TestClock() }
  const statement = statementOf(service, owner, {
    container: `custodian:bank:${hash}`,
    controller: 'bank',
    relation: 'CUSTODIAN',
    evidenceId: 'walk:bank',
    nonce: hash,
    holdings: [{ assetKey: dollars, quantity: '1000' }],
  })
  const bytes = sign(null, custodianBytes(statement), keys.privateKey).toString('base64')
  const custodianSignature = {
    scheme: 'ED25519',
    signature: bytes,
    providerId: 'bank',
    providerKeyResourceVersion: version,
  }
  const [account] = test.chain.accounts
  const ofKey = await accountStatement(service, owner, test.chain, {
    account: account!.address,
    evidenceId: 'walk:key',
    nonce: hash,
    holdings: [{ assetKey: holding(test).asset, quantity: '1000' }],
  })
  const byKey = { scheme: 'EIP712_EOA', signature: `0x${'ab'.repeat(65)}` }
  return [
    { statement: statement, signature: custodianSignature, reason },
    // Refused: blocks of a chain that began days ago, a hash of no block, another signer, addresses of an account.
    { statement: ofKey, signature: byKey, reason },
    { statement: { ...ofKey, blockHash: hash }, signature: byKey, reason },
    { statement: ofKey, signature: { ...byKey, signer: wallet }, reason },
    { statement: { ...ofKey, addresses: [account!.address] }, signature: byKey, reason },
  ]
}

const read = {
  providerId: 'local-chain',
  startBlock: 1,
  finality: 'finalized',
  logChunkBlocks: 2000,
  cadenceSeconds: 300,
}
const venue = (test: TestChain) => ({
  ...poolBody(test).payload,
  name: 'Pool',
  read,
  ownedPositions: [
    { owner: wallet, tickLower: -600, tickUpper: 600 },
    { owner: wallet, tokenId: '7', manager: test.chain.contracts.positionManager },
  ] as object[],
  caps: { maxCapitalQuote: '1000' } as object,
  tags: ['desk'],
})
const stableswap = {
  variant: 'CLASSIC',
  index: { base: 0, quote: 1 },
  lpToken: wallet,
}
/** A draft, so no chain is read. */
const stablePool = (test: TestChain) => {
  const { tickSpacing, factory, ownedPositions, ...profile } = venue(test)
  const { base, quote } = profile.pair
  return { ...profile, kind: 'STABLESWAP', stableswap: { ...stableswap, coins: [base, quote] } }
}
const aVenue = async ({ client }: TestMember, test: TestChain) =>
  made((await client.createVenues({ body: { payload: venue(test), reason } as never })).body.data)

const ended = (status: string) => ({ status, evidenceHashes: [hash], reason })
const paused = { status: 'PAUSED', reason }

/** Once on a chain, too. */
const safes = new WeakMap<TestChain, Promise<string>>()
function aSafe(test: TestChain): Promise<string> {
  const { chain } = test
  const owners = chain.accounts.slice(1, 4).map(({ address }) => address)
  const made = safes.get(test) ?? createSafe(chain, { owners, threshold: 2 })
  safes.set(test, made)
  return made.then(async (address) => {
    await chain.mine(3)
    return address
  })
}

/** Once per chain: the controlled tokens are the same in every organization. */
const controlled = new WeakMap<TestChain, Promise<object[]>>()
async function stageControl({ chain }: TestChain): Promise<object[]> {
  const claimant = chain.accounts[0]!.address
  const token = await deployRoleToken(chain, 'ROLES')
  const role = await chain.publicClient.readContract({
    address: token,
    abi: controlAbi,
    functionName: 'MINTER_ROLE',
  })
  const { beacon, proxy } = await deployBeaconProxy(chain, token)
  const block = await chain.publicClient.getBlock()
  await chain.mine(3)
  // Typed data isolates the random nonce in its own field.
  const claim = { chainId: 31_337, claimant, format: 'EIP712', reason }
  return [
    { ...claim, token: proxy, method: 'PROXY_ADMIN', via: [beacon] },
    { ...claim, token, method: 'ROLE', role },
    { ...claim, token: proxy, method: 'DEPLOYER', deploymentTxHash: block.transactions[0] },
  ]
}
async function claims({ client }: TestMember, test: TestChain): Promise<object[]> {
  await client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const staged = controlled.get(test) ?? stageControl(test)
  controlled.set(test, staged)
  return staged
}

/** Scenes of operations whose answer is the record they write. */
export const recordScenes: Readonly<Record<string, Scene>> = {
  createDeveloperCredentials: async () => ({
    bodies: [{ ...credential, expiresAt: '2026-06-01T00:00:00.000Z' }],
  }),
  supersedeDeveloperCredentials: async (owner) => ({
    request: await aCredential(owner),
    bodies: [{ status: 'REVOKED', reason }],
  }),
  rotateDeveloperCredential: async (owner) => ({
    request: await aCredential(owner),
    bodies: [{ reason }],
  }),
  savePlatformProject: async () => ({
    bodies: cases({ chainId: 1, address: wallet, label: 'Ours', note: 'Of the launch' }),
  }),
  createWebhooks: async () => ({
    bodies: cases(webhook).map((body) => ({ ...body, evidenceHashes: [hash] })),
  }),
  createPartnerDomainChallenge: async () => ({
    bodies: [{ payload: { host: 'walked.partner.example' }, evidenceHashes: [hash], reason }],
  }),
  revokePartnerDomainChallenge: async (owner) => {
    const body = { payload: { host: 'walked.partner.example' }, reason }
    const { data } = (await owner.client.createPartnerDomainChallenge({ body })).body
    const { id, resourceVersion } = data
    return { request: { params: { id } }, bodies: [{ reason, resourceVersion }] }
  },
  supersedeWebhooks: async (owner) => ({
    request: await aWebhook(owner),
    bodies: [
      ...cases({ eventKinds: ['study.finished'], description: 'Other', rotateSecret: true }),
      { ...paused, evidenceHashes: [hash] },
      // Rejected: an active webhook has no held deliveries.
      { payload: { dropHeld: true }, status: 'ACTIVE', reason },
    ],
  }),
  replayWebhook: async (owner) => {
    const { params } = await aWebhook(owner)
    const [from, to] = ['2026-01-05T11:00:00.000Z', '2026-01-05T12:00:00.000Z']
    return { request: { params }, bodies: [{ from, to, kinds: ['webhook.created'], reason }] }
  },
  createAlertChannel: async () => ({ bodies: cases(...channels) }),
  supersedeAlertChannel: async (owner) => ({
    request: await aChannel(owner),
    bodies: [
      ...cases({ label: 'Other', target: { kind: 'EMAIL', address: 'other@example.com' } }),
      // Refused: a channel stays of its kind.
      ...cases(...channels.slice(1)),
      paused,
    ],
  }),
  createAlertRule: async (owner, test) => {
    const { params } = await aChannel(owner)
    const thresholds = thresholdsOn((await validatedPool(owner, test)).id)
    return {
      bodies: cases<object>(
        rule(params.id),
        ...thresholds.map((threshold) => thresholdRule(params.id, threshold)),
      ),
    }
  },
  supersedeAlertRule: async (owner, test) => {
    const { params } = await aChannel(owner)
    const thresholds = thresholdsOn((await validatedPool(owner, test)).id)
    const first = { ...rule(params.id), name: 'First', forSeconds: 0, repeatSeconds: 900 }
    const { body } = await owner.client.createAlertRule({
      body: { payload: first, reason } as never,
    })
    const others = thresholds.map((threshold) => thresholdRule(params.id, threshold))
    return {
      request: made(body.data),
      bodies: [...cases<object>(rule(params.id), ...others), paused],
    }
  },
  testAlertChannel: async (owner) => ({
    request: { params: (await aChannel(owner)).params },
    bodies: [{ reason }],
  }),
  previewAlertRule: async (owner, test) => {
    const thresholds = thresholdsOn((await validatedPool(owner, test)).id)
    return { bodies: thresholds.map((threshold) => ({ threshold, forSeconds: 0 })) }
  },
  createTreasuryAssumptions: async () => ({
    bodies: [assumptions, ...refusedAssumptions].map((one) => ({ ...one, reason })),
  }),
  reviseTreasuryAssumptions: async (owner) => {
    const request = await theAssumptions(owner)
    const { ifMatch: resourceVersion, params } = request
    const second = { ...assumptions, label: 'Second' }
    const bodies = [second, ...refusedAssumptions].map((one) => ({
      assumptions: one,
      resourceVersion,
      reason,
    }))
    return { request: { params }, bodies }
  },
  issueProjectControlChallenge: async (owner, test) => ({ bodies: await claims(owner, test) }),
  acceptProjectControlProof: async (owner, test) => {
    const [, claim] = await claims(owner, test)
    const { body } = await owner.client.issueProjectControlChallenge({ body: claim as never })
    const { nonce, typedData } = body.data
    const signature = await test.chain.accounts[0]!.signTypedData(typedData as never)
    return { bodies: [{ nonce, signature, reason }] }
  },
  createTreasuryEntries: async (owner, test) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    return {
      bodies: [
        ...[holding(test), obligation].map((payload) => ({
          payload,
          evidenceHashes: [hash],
          reason,
        })),
        ...cases<object>(
          { ...obligation, obligation: { ...owed, schedule: { kind: 'ONE_OFF', at: december } } },
          { ...obligation, obligation: { ...owed, schedule: { ...monthly, count: 2 } } },
          {
            ...obligation,
            obligation: { ...owed, schedule: { ...monthly, until: '2026-03-01T00:00:00Z' } },
          },
          { ...held(test), restrictions: [], assetClass: 'STABLE' },
          // Rejected: custodian holdings require evidence, and only one of two versions is current.
          { ...held(test), container: custodian },
          {
            ...held(test),
            observation: { mode: 'CUSTODY_EVIDENCE', evidence },
            container: custodian,
          },
          { ...held(test), valuation: { ...parity(test), oracleGeneration: hash } },
        ),
      ],
    }
  },
  refreshTreasuryLedgerEntry: async (owner, test) => {
    const { params, ifMatch: resourceVersion } = await aHolding(owner, test)
    const { allocation, restrictions } = holding(test)
    const bodies = [
      {
        label: 'Other',
        purpose: 'GRANTS',
        allocation,
        restrictions,
        valuation,
        evidenceHashes: [hash],
      },
      // Rejected: only one of two versions is current, and a holding has no settlements.
      { valuation: { ...parity(test), oracleGeneration: hash } },
      { settlements: [{ chainId: 1, txHash: hash, logIndex: 0 }] },
    ].map((body) => ({ ...body, resourceVersion, reason }))
    return { request: { params }, bodies }
  },
  retireTreasuryLedgerEntry: async (owner) => {
    const { params, ifMatch: resourceVersion } = await anObligation(owner)
    return {
      request: { params },
      bodies: [{ disposition: 'CANCELLED', resourceVersion, evidenceHashes: [hash], reason }],
    }
  },
  previewTreasuryReconciliation: async (owner, test) => {
    const { params, ifMatch: resourceVersion } = await aHolding(owner, test)
    const { asset } = holding(test)
    const elsewhere = `eip155:31337:${wallet.toLowerCase()}`
    const { data } = (
      await owner.client.previewTreasuryReconciliation({
        body: { scope: { kind: 'ALL_ACTIVE' } } as never,
      })
    ).body
    const asOf = data.computation.snapshot?.chains.map(({ chainId, blockNumber, blockHash }) => ({
      chainId,
      blockNumber,
      blockHash,
    }))
    return {
      bodies: [
        {
          scope: { kind: 'ALL_ACTIVE' },
          mappings: [{ entryIds: [params.id], container: elsewhere, assetKey: asset }],
          period: '2026-01',
          materialityQuote: '5',
          valuation: { quoteKey: asset, oracleProviderId: 'nobody' },
        },
        {
          asOf,
          scope: {
            kind: 'ENTRIES',
            entries: [{ resourceType: 'TreasuryBucket', id: params.id, resourceVersion }],
          },
        },
        // Rejected: no container has this evidence.
        { scope: { kind: 'ALL_ACTIVE' }, evidence: [evidence] },
      ],
    }
  },
  acknowledgeTreasuryReconciliation: async (owner, test) => {
    const { params, ifMatch: resourceVersion, lineKey } = await aReconciliation(owner, test)
    const request = {
      assertion: 'MAPPING_CONFIRMED',
      note: 'Looked at it',
      resourceVersion,
      reason,
    }
    return {
      request: { params },
      bodies: [
        { lineKeys: [lineKey], ...request },
        { lineKeys: 'ALL', ...request },
      ],
    }
  },
  admitTreasuryCustodyEvidence: async (owner, test) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    const { ifMatch } = await aCustodian(owner)
    return { bodies: await signedStatements(owner, test, ifMatch) }
  },
  createTreasuryProjection: async (owner, test) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    const sourceOf = (data: unknown) => {
      const { id, resourceType, resourceVersion } = data as Record<string, string>
      return { id, resourceType, resourceVersion }
    }
    const set = (
      await owner.client.createTreasuryAssumptions({
        body: { ...assumptions, startMonth: '2026-01', horizonMonths: 60, reason } as never,
      })
    ).body.data
    const entry = (
      await owner.client.createTreasuryEntries({
        body: { payload: obligation, evidenceHashes: [hash], reason } as never,
      })
    ).body.data
    const whole = {
      assumptions: sourceOf(set),
      entries: [sourceOf(entry)],
      scenarioIds: ['base'],
      priceProviderId: 'nobody',
      monteCarlo: { paths: 500, seed: '42' },
      reason,
    }
    // Rejected: this reconciliation does not exist.
    const reconciled = {
      ...whole,
      reconciliation: { ...sourceOf(entry), resourceType: 'TreasuryReconciliation' },
    }
    return { bodies: [whole, reconciled] }
  },
  startHealthAgentRun: async (owner) => ({
    bodies: [
      researchBody(await queuedStudy(owner)),
      { payload: { subject: { pair: contract.createVenues.example.body.payload.pair } }, reason },
      { payload: { kind: 'HEALTH', subject: { vaultId: 'vault_other' } }, reason },
      // Rejected: this proposal does not exist.
      {
        payload: {
          kind: 'PROPOSAL_REVIEW',
          subject: { proposal: { id: 'proposal_other', resourceVersion: hash } },
        },
        reason,
      },
      // Rejected: unknown project, or duplicate observation.
      ...[[1], [1, 1]].map((observations) => ({
        payload: { kind: 'PUBLIC_PROJECT', subject: { projectId: 'project_other', observations } },
        reason,
      })),
    ],
  }),
  applyAgentRunCommand: async (owner) => {
    const { body } = await owner.client.startHealthAgentRun({
      body: researchBody(await queuedStudy(owner)) as never,
    })
    const params = { runId: body.data.id }
    const expectedPhase = 'QUEUED'
    await owner.client.applyAgentRunCommand({
      params,
      body: { command: 'PAUSE', expectedPhase, reason },
    })
    return {
      request: { params },
      bodies: [
        {
          command: 'EXTEND_BUDGET',
          expectedPhase,
          reason,
          arguments: { maximumSteps: 60, maximumSeconds: 7200, maximumModelTokens: 60_000 },
        },
        { command: 'CANCEL', expectedPhase, reason },
      ],
    }
  },
  createCapitalRequirements: async () => ({
    bodies: capital.map((payload) => ({ payload, evidenceHashes: [hash], reason })),
  }),
  previewCapitalRequirements: async () => ({ bodies: capital.map((payload) => ({ payload })) }),
  createMarketMakerMandates: async () => ({
    bodies: [
      { payload: mandate, status: 'ACTIVE', evidenceHashes: [hash], reason },
      ...cases<object>(...unbound),
    ],
  }),
  createMandateShareLink: async ({ client, organizationId }, _, service) => {
    const { body } = await client.createMarketMakerMandates({
      body: { payload: mandate, status: 'ACTIVE', reason } as never,
    })
    // Slugs are unique per deployment. Each organization has its own, long enough to be masked as a
    // random value.
    const slug = `walk-${organizationId.slice(-32)}`
    const expiresAt = new Date(service.clock.read() + 86_400_000).toISOString()
    return {
      request: { params: { id: body.data.id } },
      bodies: [{ payload: { slug, expiresAt }, evidenceHashes: [hash], reason }],
    }
  },
  revokeMandateShareLink: async ({ client }) => {
    const { body } = await client.createMarketMakerMandates({
      body: { payload: mandate, status: 'ACTIVE', reason } as never,
    })
    const share = await client.createMandateShareLink({
      params: { id: body.data.id },
      body: { payload: {}, reason },
    })
    const { id, resourceVersion } = share.body.data
    return {
      request: { params: { id } },
      bodies: [{ payload: { resourceVersion }, evidenceHashes: [hash], reason }],
    }
  },
  supersedeMarketMakerMandates: async ({ client }) => {
    const { body } = await client.createMarketMakerMandates({
      body: { payload: { ...mandate, title: 'Before' }, reason } as never,
    })
    return {
      request: made(body.data),
      bodies: [
        { payload: mandate, status: 'ACTIVE', evidenceHashes: [hash], reason },
        ...cases<object>(...unbound),
      ],
    }
  },
  createVenues: async (_, test) => ({
    bodies: [
      { payload: venue(test), ...ended('DRAFT') },
      // Rejected: the depth share cap is unsupported, and no pool has two kinds.
      ...cases(
        { ...venue(test), caps: { maxDepthSharePips: 5000 } },
        { ...venue(test), stableswap },
      ),
      ...cases(stablePool(test)),
    ],
  }),
  supersedeVenues: async (owner, test) => {
    const { name, ownedPositions, caps, tags } = venue(test)
    const changed = { name, read, ownedPositions, caps, tags: [...tags, 'more'] }
    const { pair } = venue(test)
    return {
      request: await aVenue(owner, test),
      bodies: [
        ...cases<object>(changed, { caps: { maxDepthSharePips: 5000 } }),
        // Refused: a venue stays the pool that it is.
        ...cases({ kind: 'UNISWAP_V2' }, { address: wallet }, { pair: { ...pair, chainId: 1 } }),
        ended('REVOKED'),
      ],
    }
  },
  observeVaults: async ({ client }, test) => {
    await client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    const { restrictions: _, allocation: __, valuation: ___, ...entry } = held(test)
    const payload = {
      ...entry,
      purpose: 'LIQUIDITY_PROGRAM',
      container: { kind: 'SAFE', chainId: 31_337, address: await aSafe(test) },
    }
    const { body } = await client.createTreasuryEntries({ body: { payload, reason } as never })
    return { bodies: cases({ entryId: body.data.id }) }
  },
  queueVenueIndex: async (owner, test) => ({
    request: { params: { id: (await validatedPool(owner, test)).id } },
    bodies: cases({ mode: 'FULL', fromBlock: 2, toBlock: 9 }),
  }),
  changeSchedule: async (owner, test) => {
    await validatedPool(owner, test)
    const { body } = await owner.client.listSchedules()
    return { request: made(body.data[0]), bodies: [{ state: 'OFF', everySeconds: 600, reason }] }
  },
  probeProvider: async (owner, { chain }) => {
    const { client } = owner
    const { body } = await client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
    return { request: { params: { id: body.data.id } }, bodies: [{ reason }] }
  },
  putOperatingSystemProvider: async (_, { chain }) => ({
    bodies: [
      { ...providerBody(chain.rpcUrl), evidenceHashes: [hash] },
      { ...providerBody(chain.rpcUrl), status: 'PAUSED' },
      // Refused: an aggregator is read through its chain provider.
      ...cases({
        ...providerBody(chain.rpcUrl).payload,
        kind: 'PRICE_ORACLE',
        configuration: { source: 'AGGREGATOR' },
        credentialReference: 'env:PROVIDER_SECRET_DESK',
        publicKeys: [`0x${'11'.repeat(32)}`],
      }),
    ],
  }),
}
