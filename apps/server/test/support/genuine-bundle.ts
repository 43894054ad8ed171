import {
  canonicalize,
  H,
  hexToBytes,
  importPrivateKey,
  makeConsistencyProof,
  makeInclusionProof,
  merkleRoot,
  organizationHash,
  type PrivateKey,
  passportSubjectHash,
  printCheckpoint,
  printLogProof,
  proofLeaf,
  sha256Hex,
  signArtifact,
  signLogKeyHandover,
  signNote,
  signPassport,
  signRegistryReceipt,
  signRevocation,
  signRevocations,
} from '@liquidity-os/evidence'
import { type Hex, hashTypedData, keccak256, pad, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { zipOf } from '../../src/families/prove/passports/bundle/zip.ts'
import { internals } from '../../verifier/verify.mjs'
import { mapped, type ProvenBlock, provenBlock, word } from './trie.ts'

/** Passport bundles that hold, made in the test without a service or a chain, so that a test can sign lies as well. */

type Json = ReturnType<typeof JSON.parse>
export type BundleKind = 'disclosed' | 'withheld'

const pkcs8 = '302e020100300506032b657004220420'
const keyOf = (name: string): PrivateKey =>
  importPrivateKey(Buffer.from(`${pkcs8}${sha256Hex(Buffer.from(name))}`, 'hex').toString('base64'))
const keys = {
  issuer: keyOf('issuer'),
  service: keyOf('service'),
  registry: keyOf('registry'),
  earlierLog: keyOf('earlier log'),
  log: keyOf('log'),
}
const rawOf = (key: PrivateKey) => key.publicKey.raw
const fingerprintOf = (key: PrivateKey) => sha256Hex(Buffer.from(rawOf(key), 'base64'))
export const issuerKey = fingerprintOf(keys.issuer)

const owners = ['11', '22', '33'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))
const chainId = 31337
const organizationId = 'org_example'
const origin = 'log.example/liquidity-os/log'
const address = (text: string): Hex => pad(toHex(text), { size: 20 })
const [base, quote] = [address('base'), address('quote')]
const generatedAt = '2026-01-05T12:00:00Z'
const reconciledAt = '2026-01-05T11:59:00Z'
const [at, safeBlockAt, poolBlockAt] = [1_767_614_400, 1_767_613_400, 1_767_612_000]
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const unsealed = {
  createdAt: '2026-01-05T12:00:00.000Z',
  createdBy: { id: 'user_1', kind: 'SESSION' },
  evidenceHashes: [],
  organizationId,
  previousResourceVersion: null,
  reason: 'For the test',
  sequence: 1,
  status: 'ACTIVE',
}

/** A record with the hashes of its payload and of itself. */
export function seal(id: string, resourceType: string, payload: Json): Json {
  const record = {
    ...unsealed,
    id,
    resourceType,
    payload,
    artifactHash: H('record-payload/v1', payload),
  }
  return { ...record, resourceVersion: H('record/v1', record) }
}
const refOf = ({ id, resourceVersion }: Json) => ({ id, resourceVersion })

function poolOf(kind: BundleKind, seed: number): Json {
  if (kind === 'withheld') {
    const fee = { numerator: '3', denominator: '1000' }
    return {
      kind: 'UNISWAP_V2',
      reserve0: `${10n ** 21n + BigInt(seed)}`,
      reserve1: `${2n * 10n ** 21n}`,
      fee,
    }
  }
  const liquidity = `${10n ** 20n + BigInt(seed)}`
  const tick = (index: number, sign: string) => ({
    index,
    liquidityGross: liquidity,
    liquidityNet: `${sign}${liquidity}`,
  })
  return {
    kind: 'UNISWAP_V3',
    feePips: 3000,
    tickSpacing: 60,
    tick: 0,
    liquidity,
    sqrtPriceX96: `${2n ** 96n}`,
    ticks: [tick(-6000, ''), tick(6000, '-')],
  }
}

function slotsOfPool(pool: Json): Map<Hex, bigint> {
  if (pool.kind === 'UNISWAP_V2')
    return new Map([[word(8n), BigInt(pool.reserve0) | (BigInt(pool.reserve1) << 112n)]])
  const first = BigInt(pool.sqrtPriceX96) | (BigInt.asUintN(24, BigInt(pool.tick)) << 160n)
  return new Map([
    [word(0n), first],
    [word(4n), BigInt(pool.liquidity)],
    ...pool.ticks.map(({ index, liquidityGross, liquidityNet }: Json): [Hex, bigint] => [
      mapped(word(BigInt.asUintN(256, BigInt(index))), 5n),
      BigInt(liquidityGross) | (BigInt.asUintN(128, BigInt(liquidityNet)) << 128n),
    ]),
  ])
}

const sentinel: Hex = '0x0000000000000000000000000000000000000001'
function slotsOfSafe({ singleton, owners, threshold, nonce }: Json): Map<Hex, bigint> {
  const links: Hex[] = [sentinel, ...owners, sentinel]
  return new Map([
    [word(0n), BigInt(singleton)],
    [word(3n), BigInt(owners.length)],
    [word(4n), BigInt(threshold)],
    [word(5n), BigInt(nonce)],
    ...links
      .slice(1)
      .map((next, index): [Hex, bigint] => [mapped(links[index] as Hex, 2n), BigInt(next)]),
  ])
}

const listOf = (records: Json[]): { count: number; root: string } => ({
  count: records.length,
  root: merkleRoot(records.map(({ artifactHash }) => hexToBytes(artifactHash.slice(2)))),
})
const stubOf = ({ artifactHash, createdAt, id }: Json) => ({ artifactHash, createdAt, id })

const keyOfAccount = (account: Hex) => `eip155:${chainId}:${account}`
const keyOfToken = (token: Hex) => `eip155:${chainId}/erc20:${token}`

/** An entry of a claim of the Safe with some of the quote and of the own token in it. */
export const claimEntry = (id: string, point: Json, quoteAtoms: string): Json =>
  seal(id, 'TreasuryEntry', {
    asset: `eip155:${chainId}/erc721:${address('manager')}/7`,
    assetClass: 'LP_CLAIM',
    containerKey: keyOfAccount(address('safe')),
    observed: {
      legs: [
        { asset: keyOfToken(quote), quantity: quoteAtoms },
        { asset: keyOfToken(base), quantity: '900' },
      ],
    },
    computation: {
      snapshot: {
        chains: [
          {
            chainId,
            blockNumber: point.number,
            blockHash: point.hash,
            timestamp: point.timestamp,
          },
        ],
      },
    },
  })

/** An entry of tokens that lie in an account, by default in the Safe. */
const balanceEntry = (
  id: string,
  {
    token,
    quantity,
    kind = 'SAFE',
    timestamp = reconciledAt,
  }: { token: Hex; quantity: string; kind?: string; timestamp?: string },
): Json =>
  seal(id, 'TreasuryEntry', {
    asset: keyOfToken(token),
    assetClass: 'STABLE',
    container: { kind },
    containerKey: keyOfAccount(address(kind === 'SAFE' ? 'safe' : 'maker')),
    observed: { quantity, legs: [] },
    computation: { snapshot: { chains: [{ chainId, timestamp }] } },
  })

const controlUntil = {
  evidence: { id: 'evidence_1', resourceVersion: H('evidence', 1) },
  until: '2026-02-01T00:00:00Z',
}

/** Claim evidence of a disclosed bundle, of entries in the order of `partsOf`. */
function claimsOf(
  entries: Json[],
  observation: Json,
  { pool, seed }: { pool: Json; seed: number },
) {
  const idle = (entry: Json, amounts: { base: string; quote: string }) => ({
    entry: refOf(entry),
    ...amounts,
    control: controlUntil,
  })
  return {
    managers: { mandates: [], custodians: ['Custodian'] },
    treasury: {
      base: keyOfToken(base),
      quote: keyOfToken(quote),
      price: { num: '1', den: '1' },
      owned: {
        positions: { base: '900', quote: `${seed}` },
        quoteBalance: '50',
        ownTokens: {
          base: '40000',
          realizableQuote: `${internals.saleOf(pool, true, 40_000n)}`,
        },
      },
      idle: [
        idle(entries[1], { base: '0', quote: '50' }),
        idle(entries[2], { base: '40000', quote: '0' }),
      ],
      rentedObservations: [refOf(observation)],
      lines: [
        { assetKey: keyOfToken(quote), ledger: '50', custody: null, chain: '50' },
        { assetKey: keyOfToken(base), ledger: '40000', custody: '40000', chain: '40000' },
      ],
    },
  }
}

/** The file of positions that goes with entries of claims. */
const positionsOf = (entries: Json[], quoteAtoms: string): Json => ({
  positionsVersion: 'liquidity-positions-v1',
  quote: keyOfToken(quote),
  positions: entries.map(({ id, resourceVersion, payload }) => {
    const [{ blockNumber, blockHash, timestamp }] = payload.computation.snapshot.chains
    return {
      entry: { id, resourceVersion },
      claim: payload.asset,
      container: payload.containerKey,
      quote: quoteAtoms,
      block: {
        chainId,
        number: blockNumber,
        hash: blockHash,
        timestamp: timestamp.replace('.000Z', 'Z'),
      },
      control: { ...controlUntil },
    }
  }),
})

/** Everything that the issuer knows before hashes and signatures; a test changes it to let the issuer lie. */
export interface BundleParts {
  vault: Json
  venue: Json
  observation: Json
  score: Json
  policy: Json
  pool: Json
  receipts: Json[]
  /** Counts in the publication event; null for an earlier release. */
  executions: Json
  anomalies: Json[]
  ledgerEntries: Json[]
  /**
   * Position data that the publication event names by hash; null for an earlier release, or without
   * treasury.
   */
  positions: Json
  /** Claim evidence that the publication event names by hash; null for an earlier release. */
  evidence: Json
  /** Samples that the score names by hash; null for an earlier release. */
  samples: Json
  chain: ProvenBlock[]
  /** Passport members; they override members derived from the rest. */
  claims: Json
  bindings: Json
  freshness: Json
}

function partsOf(kind: BundleKind, seed: number): BundleParts {
  const isDisclosed = kind === 'disclosed'
  const pool = poolOf(kind, seed)
  const [safe, market] = [address('safe'), address('pool')]
  const control = {
    nonce: `${7 + seed}`,
    singleton: address('singleton'),
    threshold: 2,
    version: '1.4.1',
    owners: owners.map((one) => one.address),
  }
  const accounts = [
    { address: safe, slots: slotsOfSafe(control) },
    { address: market, slots: slotsOfPool(pool) },
  ]
  const blockNumber = 100 + seed
  // With one block both accounts are in one file.
  const chain = isDisclosed
    ? [
        provenBlock({ chainId, blockNumber: blockNumber + 1, seconds: safeBlockAt }, [
          accounts[0]!,
        ]),
        provenBlock({ chainId, blockNumber, seconds: poolBlockAt }, [accounts[1]!]),
      ]
    : [provenBlock({ chainId, blockNumber, seconds: safeBlockAt }, accounts)]
  const pointOf = ({ hash, number, timestamp }: ProvenBlock) => ({
    chainId,
    hash,
    number,
    timestamp: timestamp.replace('Z', '.000Z'),
  })
  const ledgerEntries = [
    claimEntry('entry_0', pointOf(chain[0]!), `${seed}`),
    balanceEntry('entry_1', { token: quote, quantity: '50' }),
    balanceEntry('entry_2', { token: base, quantity: '40000' }),
    balanceEntry('entry_3', { token: quote, quantity: '70', kind: 'MARKET_MAKER_ACCOUNT' }),
  ]
  const point = pointOf(chain.at(-1)!)
  const sizes = [10n ** 16n, 10n ** 17n]
  const usableDepthByTradeSize = sizes.map((size) => {
    const { buy, sell } = internals.slippage(pool, true, size)!
    return { tradeSizeQuote: `${size}`, buySlippagePips: buy, sellSlippagePips: sell }
  })
  const limits = {
    level: 1,
    maximumAmountPerTransaction: '1000',
    maximumDailyTurnover: `${5000 + seed}`,
    maximumSlippagePips: 3000,
    approvedContracts: [market],
    approvedAssets: [base],
    approvedAdapterIds: ['uniswap-v3'],
    minimumSecondsBetweenActions: 60,
    oracleMaximumAgeSeconds: 600,
    expiresAt: '2026-06-01T00:00:00Z',
    controlEpoch: '1',
    publicMempoolFallbackAllowed: false,
  }
  return {
    pool,
    chain,
    vault: {
      chainId,
      control,
      controlEpoch: '1',
      pair: { base, quote },
      safeAddress: safe,
      snapshot: pointOf(chain[0]!),
    },
    venue: { address: market, kind: pool.kind, name: `Venue ${seed}` },
    observation: { state: { at: point }, metrics: { tvlQuote: '5000' } },
    score: {
      passportClaims: { historicalReliabilityPips: 990_000, usableDepthByTradeSize },
      window: { from: timeOf(at - 90_000), to: timeOf(at - 24_000 - seed) },
      request: {},
    },
    policy: { ...limits, name: 'Policy' },
    receipts: ['COMPLIANT', 'VIOLATING'].map((verdict, index) =>
      seal(`receipt_${index}`, 'ExecutionReceipt', { verdict, gas: seed }),
    ),
    executions: { compliant: 1, violating: 1, indeterminate: 0 },
    anomalies: [
      seal('anomaly_0', 'LiquidityAnomaly', {
        detectorVersion: 'robust-mad-v1',
        kind: 'DEPTH',
        severity: 'CRITICAL',
        criticalAt: [],
        fingerprint: `print ${seed}`,
      }),
    ],
    ledgerEntries,
    positions: isDisclosed ? positionsOf(ledgerEntries.slice(0, 1), `${seed}`) : null,
    evidence: isDisclosed
      ? claimsOf(ledgerEntries, { id: 'observation_1', resourceVersion: null }, { pool, seed })
      : {},
    samples: {
      samplesVersion: 'liquidity-samples-v1',
      usableSlippagePips: 20_000,
      runs: [
        {
          from: at - 90_000,
          to: at - 60_000,
          samples: 98,
          isUsable: true,
          worstSlippagePips: 9000,
        },
        {
          from: at - 59_000,
          to: at - 58_000,
          samples: 1,
          isUsable: false,
          worstSlippagePips: 21_000,
        },
        { from: at - 57_000, to: at - 30_000, samples: 1, isUsable: true, worstSlippagePips: seed },
      ],
    },
    bindings: {},
    freshness: {},
    claims: isDisclosed
      ? {
          policyLimits: limits,
          policyCompliancePips: 500_000,
          majorIncidentCount: 1,
          treasuryOwnedLiquidityQuote: `${seed}`,
          rentedLiquidityQuote: `${5000 - 900 - seed}`,
          externalManagerExposureQuote: '70',
          reconciledPositionCount: 2,
          externalManagerNames: ['Custodian'],
        }
      : { policyCompliancePips: null, majorIncidentCount: 0 },
  }
}

export interface GenuineBundle {
  readonly files: Map<string, Uint8Array>
  readonly bytes: Buffer
}

const json = (value: unknown) => Buffer.from(canonicalize(value))

/** The files in a container, under a manifest that is right for them. */
export function packed(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const changed = new Map(files)
  changed.delete('manifest.json')
  const hashes = [...changed].map(([name, content]) => [name, sha256Hex(content)])
  changed.set('manifest.json', json({ files: Object.fromEntries(hashes) }))
  return Buffer.from(zipOf(changed))
}

/** A bundle that holds; with `lie`, the same after the issuer changed what is signed. Equal seeds give equal bytes. */
export async function bundleOf(
  kind: BundleKind,
  seed: number,
  lie: (parts: BundleParts) => void = () => undefined,
): Promise<GenuineBundle> {
  const isDisclosed = kind === 'disclosed'
  const parts = partsOf(kind, seed)
  const none = { compliant: 0, violating: 0, indeterminate: 0 }
  if (!isDisclosed) Object.assign(parts, { receipts: [], executions: none, anomalies: [] })
  lie(parts)
  const { receipts, anomalies, ledgerEntries, chain, pool } = parts
  const vault = seal('vault_1', 'QualifiedVault', parts.vault)
  const venue = seal('venue_1', 'VenueProfile', parts.venue)
  const observation = seal('observation_1', 'VenueObservation', {
    ...parts.observation,
    state: { ...parts.observation.state, snapshotHash: H('market-state/v1', pool) },
    venue: refOf(venue),
  })
  const score = seal('score_1', 'MarketQualityScore', {
    ...parts.score,
    ...(parts.samples === null
      ? {}
      : {
          evidence: {
            inputs: [{ name: 'samples', hash: `0x${sha256Hex(json(parts.samples))}` }],
          },
        }),
  })
  const reconciliation = isDisclosed
    ? { id: 'reconciliation_1', resourceVersion: H('reconciliation', seed) }
    : null
  if (isDisclosed) parts.freshness.reconciliation ??= reconciledAt
  const provider = seal('provider_1', 'Provider', {
    providerId: 'issuer-key',
    publicKeys: [rawOf(keys.issuer)],
    displayName: `Key ${seed}`,
  })
  const policy = isDisclosed ? seal('policy_1', 'AutonomyPolicy', parts.policy) : null
  const scoreEnd = Date.parse(parts.score.window.to) / 1000
  const sets = { receipts, anomalies, ledgerEntries }
  const details = anomalies.map(({ payload, artifactHash }) => ({
    detectorVersion: payload.detectorVersion,
    kind: payload.kind,
    severity: payload.severity,
    artifactHash,
  }))
  const unsigned: Json = {
    passportVersion: 'liquidity-passport-v1',
    signatureAlgorithm: 'Ed25519',
    artifactRendererVersion: 'liquidity-passport-artifacts-v2',
    signerProviderId: 'issuer-key',
    signerKeyResourceVersion: provider.resourceVersion,
    slug: `dao-${seed}`,
    vaultId: vault.id,
    issuerName: 'Example DAO',
    generatedAt,
    validUntil: '2026-01-06T12:00:00Z',
    usableDepthByTradeSize: parts.score.passportClaims.usableDepthByTradeSize,
    historicalReliabilityPips: parts.score.passportClaims.historicalReliabilityPips,
    reconciledPositionCount: 0,
    dataFreshnessSeconds: at - scoreEnd,
    disclosure: {
      showTreasuryOwnership: isDisclosed,
      showExternalManagerNames: isDisclosed,
      showIncidentDetails: isDisclosed,
      showPolicyLimits: isDisclosed,
    },
    reportHashes: [H('report', seed)],
    sourceBindings: {
      bindingsVersion: 'liquidity-passport-sources-v1',
      vault: refOf(vault),
      controlEpoch: '1',
      marketQualityScore: refOf(score),
      policy: policy && refOf(policy),
      reconciliation,
      venueObservations: [refOf(observation)],
      mandates: [],
      ...Object.fromEntries(Object.entries(sets).map(([name, records]) => [name, listOf(records)])),
      reports: [
        {
          hash: H('report', seed),
          source: { resourceType: 'Study', id: 'study_1', resourceVersion: H('study', seed) },
        },
      ],
      signerProvider: refOf(provider),
      adapterReleaseHash: null,
      engineVersion: '0.1.0',
      blocks: chain.map(({ hash, number, timestamp }) => ({ chainId, hash, number, timestamp })),
      keys: {
        service: fingerprintOf(keys.service),
        log: fingerprintOf(keys.log),
        registry: isDisclosed ? fingerprintOf(keys.registry) : null,
      },
      ...parts.bindings,
    },
    ...(isDisclosed
      ? { incidentDetails: { v1IncidentEvidenceHashes: [], anomalies: details } }
      : {}),
    marketQualityScoreId: score.id,
    ...parts.claims,
  }
  for (const name of Object.keys(unsigned)) if (unsigned[name] === undefined) delete unsigned[name]
  const registry = {
    providerId: 'registry',
    providerResourceVersion: H('registry', 1),
    providerAttestationHash: H('attestation', 1),
  }
  if (isDisclosed) {
    const receipt = signRegistryReceipt(
      registry,
      passportSubjectHash(unsigned),
      generatedAt,
      keys.registry,
    )
    Object.assign(unsigned, {
      resultsRegistryProviderId: registry.providerId,
      resultsRegistryProviderResourceVersion: registry.providerResourceVersion,
      resultsRegistryProviderAttestationHash: registry.providerAttestationHash,
      resultsRegistryCommitmentHash: receipt.commitmentHash,
      resultsRegistryReceipt: receipt,
    })
  }
  const passport = signPassport(unsigned, keys.issuer) as Json
  const { reconciliation: bound } = unsigned.sourceBindings
  const evidence = parts.evidence && {
    claimsVersion: 'liquidity-claims-v1',
    reconciliation: bound && { ...bound, asOf: parts.freshness.reconciliation },
    sets: Object.fromEntries(
      Object.entries(sets).map(([name, records]) => [
        name,
        `0x${sha256Hex(json(records.map(stubOf)))}`,
      ]),
    ),
    ...parts.evidence,
  }
  for (const one of evidence?.treasury?.rentedObservations ?? [])
    one.resourceVersion ??= observation.resourceVersion
  const files = new Map<string, Uint8Array>([
    ['passport.json', json(passport)],
    ['keys.json', json(await keysFile(isDisclosed, provider, registry, parts.vault))],
    ...logFiles(passport, { ...parts, evidence }, isDisclosed, seed),
    ['artifacts.json', json(artifactsOf(passport))],
    ['revocations.json', json(revocationsOf(passport.slug))],
    ['verify.mjs', Buffer.from(`// ${seed}`)],
    ['README.txt', Buffer.from(`Read me ${seed}`)],
    ['sources/freshness.json', json(freshnessOf(parts))],
    ['inputs/observation_1.json', json(pool)],
  ])
  if (parts.positions) files.set('inputs/positions.json', json(parts.positions))
  if (evidence !== null) files.set('inputs/claims.json', json(evidence))
  if (parts.samples !== null) files.set('inputs/samples.json', json(parts.samples))
  for (const one of [vault, venue, observation, score, provider, policy])
    if (one) files.set(`sources/${one.id}.json`, json(one))
  for (const [name, records] of Object.entries(sets)) {
    const path = name === 'receipts' ? 'receipts/receipts.json' : `sources/${name}.json`
    files.set(path, json(isDisclosed ? records : records.map(stubOf)))
  }
  for (const [index, one] of chain.entries()) files.set(`chain/${index}.json`, json(one))
  if (isDisclosed) files.set('registry-receipt.json', json(passport.resultsRegistryReceipt))
  return { files, bytes: packed(files) }
}

const freshnessOf = ({ score, vault, freshness }: BundleParts) => ({
  scoreWindowEnd: score.window.to.replace('.000Z', 'Z'),
  vaultSnapshot: vault.snapshot.timestamp.replace('.000Z', 'Z'),
  ...freshness,
})

async function keysFile(
  isDisclosed: boolean,
  provider: Json,
  registry: { providerId: string; providerResourceVersion: string },
  { safeAddress, control }: Json,
) {
  const issuer = {
    publicKey: rawOf(keys.issuer),
    providerId: 'issuer-key',
    resourceVersion: provider.resourceVersion,
  }
  const service = [{ keyId: keys.service.publicKey.keyId, publicKey: rawOf(keys.service) }]
  const log = { name: origin, publicKey: rawOf(keys.log) }
  if (!isDisclosed) return { issuer, service, log }
  return {
    issuer,
    service,
    log: { ...log, handovers: [handover()] },
    registry: {
      publicKey: rawOf(keys.registry),
      providerId: registry.providerId,
      resourceVersion: registry.providerResourceVersion,
    },
    authorization: await authorizationOf(safeAddress, control.version),
  }
}

/** The signatures of two owners of the Safe for the key of the issuer. */
async function authorizationOf(safe: Hex, version: string) {
  const authorized = {
    organizationHash: organizationHash(organizationId) as Hex,
    issuedAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-12-31T00:00:00Z',
  }
  const seconds = (time: string) => BigInt(Date.parse(time) / 1000)
  const message = hashTypedData({
    domain: {
      name: 'Liquidity OS Passport Signer',
      version: '1',
      chainId,
      verifyingContract: safe,
    },
    primaryType: 'PassportSignerAuthorization',
    types: {
      PassportSignerAuthorization: [
        { name: 'organizationHash', type: 'bytes32' },
        { name: 'publicKey', type: 'bytes32' },
        { name: 'issuedAt', type: 'uint64' },
        { name: 'expiresAt', type: 'uint64' },
      ],
    },
    message: {
      organizationHash: authorized.organizationHash,
      publicKey: `0x${Buffer.from(rawOf(keys.issuer), 'base64').toString('hex')}`,
      issuedAt: seconds(authorized.issuedAt),
      expiresAt: seconds(authorized.expiresAt),
    },
  })
  const hash = hashTypedData({
    domain: { chainId, verifyingContract: safe },
    primaryType: 'SafeMessage',
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    message: { message },
  })
  const signed = await Promise.all(owners.slice(0, 2).map((owner) => owner.sign({ hash })))
  const signatures = `0x${signed.map((one) => one.slice(2)).join('')}`
  return { chainId, safe, version, ...authorized, signatures }
}

/** Six leaves before the passport, and its own. */
const earlierLeaves = Array.from({ length: 6 }, (_, index) => proofLeaf(H('leaf', index), at))
const rootOf = (leaves: readonly Uint8Array[]) => hexToBytes(merkleRoot(leaves).slice(2))
const handover = () =>
  signLogKeyHandover(
    { origin, size: 3, root: rootOf(earlierLeaves.slice(0, 3)) },
    keys.earlierLog,
    keys.log,
  )

function logFiles(
  passport: Json,
  { executions, positions, evidence }: BundleParts,
  isDisclosed: boolean,
  seed: number,
): [string, Uint8Array][] {
  const unhashed = {
    id: 'event_1',
    kind: 'passport.published',
    occurredAt: '2026-01-05T12:00:00.000Z',
    organizationId,
    previousEventHash: null,
    sequence: 1,
    seed,
    payload: {
      contentHash: passport.contentHash,
      slug: passport.slug,
      ...(executions === null ? {} : { executions }),
      ...(positions === null ? {} : { positionsHash: `0x${sha256Hex(json(positions))}` }),
      ...(evidence === null ? {} : { claimsHash: `0x${sha256Hex(json(evidence))}` }),
    },
  }
  const event = { ...unhashed, evidenceHash: H('event/v1', unhashed) }
  const leaf = proofLeaf(event.evidenceHash, at)
  const leaves = [...earlierLeaves, leaf]
  const { path } = makeInclusionProof(leaves, leaves.length - 1)
  const checkpoint = printCheckpoint({ origin, size: leaves.length, root: rootOf(leaves) })
  const proof = printLogProof({
    leafIndex: leaves.length - 1,
    extra: leaf,
    checkpoint: signNote(checkpoint, origin, keys.log),
    path: path.map((hash) => hexToBytes(hash.slice(2))),
  })
  const consistency = (fromSize: number) => ({
    fromSize,
    toSize: leaves.length,
    path: makeConsistencyProof(leaves, fromSize).path,
  })
  const fromRoot = `0x${Buffer.from(rootOf(leaves.slice(0, 4))).toString('hex')}`
  return [
    ['log/passport.tlog-proof', Buffer.from(proof)],
    ['log/event.json', json(event)],
    // From a power of two, where the path alone does not lead to the earlier root.
    [
      'log/consistency.json',
      json({ ...consistency(4), ...(evidence === null ? {} : { fromRoot }) }),
    ],
    ...(isDisclosed
      ? [['log/handovers.json', json([consistency(3)])] as [string, Uint8Array]]
      : []),
  ]
}

function artifactsOf(passport: Json) {
  const content = { json: json(passport), html: Buffer.from('<p>A passport</p>') }
  return Object.entries(content).map(([format, bytes]) =>
    signArtifact(
      {
        passportContentHash: passport.contentHash,
        format,
        variant: 'document',

        mediaType: `text/${format}`,
        byteLength: bytes.length,
        sha256: `0x${sha256Hex(bytes)}`,
        rendererVersion: 'liquidity-passport-artifacts-v2',
        rendererBuildHash: H('renderer', 1),
      },
      keys.service,
    ),
  )
}

function revocationsOf(slug: string) {
  const { keyId } = keys.service.publicKey
  const earlier = signRevocation(
    {
      contentHash: H('earlier', slug),
      code: 'ISSUER_REQUEST',
      keyId,
      revokedAt: '2026-01-04T00:00:00Z',
    },
    keys.service,
  )
  return signRevocations({ asOf: generatedAt, slug, revocations: [earlier], keyId }, keys.service)
}

/** Changes the stored value of a slot in a chain file, with an empty proof. */
export function emptySlot(block: ProvenBlock, slot: bigint): void {
  const found = block.accounts[0]?.storage.find(({ key }) => key === word(slot))
  if (!found) throw new Error(`Slot ${slot} is not in the proof.`)
  Object.assign(found, { value: word(0n), proof: [] })
}

export const emptyTrieRoot = keccak256('0x80')

/** The checkpoint from which the consistency proof of a bundle starts, signed by the key of its size. */
export function knownCheckpointOf({ files }: GenuineBundle): string {
  const { fromSize } = JSON.parse(Buffer.from(files.get('log/consistency.json')!).toString())
  const root = rootOf(earlierLeaves.slice(0, fromSize))
  return signNote(printCheckpoint({ origin, size: fromSize, root }), origin, keys.log)
}

/** Blocks that the passport of a bundle binds. */
export const blocksOf = ({
  files,
}: GenuineBundle): { chainId: number; number: number; hash: string }[] =>
  JSON.parse(Buffer.from(files.get('passport.json')!).toString()).sourceBindings.blocks
