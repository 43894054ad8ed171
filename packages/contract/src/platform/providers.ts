import Type, { type Static } from 'typebox'
import { ChainErrorDetails, OperatingSystemJob, versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { collection, data, operation, paging, record, session } from '../operation.ts'
import {
  closed,
  EvidenceHashes,
  Label,
  list,
  mapOf,
  named,
  oneOf,
  openObject,
  orNull,
  Reason,
  Timestamp,
} from '../scalars.ts'

export const providerKinds = [
  'CHAIN_RPC',
  'PRICE_ORACLE',
  'MARKET_DATA',
  'SIGNER_ED25519',
  'CUSTODIAN',
  'RESULTS_REGISTRY',
  'QUOTE_SOURCE',
  'ARTIFACT_STORE',
  'LANGUAGE_MODEL',
  'SAFE_SERVICE',
  'DNS',
] as const
export type ProviderKind = (typeof providerKinds)[number]

const ProviderId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{1,62}$',
  description: 'Chosen by the organization; names the provider in every later request.',
  examples: ['ethereum-main'],
})
const Endpoint = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'URL with https and a public host, without user information. A path or a query may contain a key: the service encrypts it with the deployment key and never shows it again. The redacted URL refers to the stored URL.',
})
const ShownEndpoint = Type.String({
  maxLength: 2000,
  description:
    'Provider URL; with a path or a query, only scheme and host: https://rpc.example.com/…',
})
const SealedEndpoint = Type.String({
  pattern: '^sealed:[A-Za-z0-9_-]{1,32}\\.[A-Za-z0-9_-]{38,2800}$',
  description:
    'Full URL with path or query, encrypted for this organization and this host; decrypted in this deployment only.',
})
const Configuration = openObject(
  'Settings by kind. CHAIN_RPC: { chainId, finality: "finalized" or a number of confirmations, timeoutMilliseconds?, limits? } with the limits of the plan, see NodeLimits. QUOTE_SOURCE: { protocol: "LIQUIDITY_RFQ_HTTP" }. LANGUAGE_MODEL: { dialect: "OPENAI", "ANTHROPIC" or "OLLAMA", model, responseFormat?, temperature?, maximumTokens?, tokensMember?, timeoutMilliseconds? }. CUSTODIAN: {}, identified by its publicKeys alone. SAFE_SERVICE: { chainId }. SIGNER_ED25519: { possession, authorization? } and RESULTS_REGISTRY: { possession }, each with one key.',
)
const CredentialReference = Type.String({
  pattern:
    '^(env:PROVIDER_SECRET_[A-Z0-9_]{1,80}|sealed:[A-Za-z0-9_-]{1,32}\\.[A-Za-z0-9_-]{38,1120})$',
  description:
    'Location of the secret, never the secret itself: an environment variable of the deployment, env:PROVIDER_SECRET_NAME, with the value "host secret", or a secret encrypted with the deployment key for this organization and one host, sealed:…, from `liquidity secret seal` or the console. The service sends it to that host only.',
})
const PublicKeys = list(Type.String({ maxLength: 200 }), 16, {
  description: 'Ed25519 public keys, raw 32 bytes in base64.',
})

export const Probe = named(
  'Probe',
  closed({
    at: Timestamp,
    checks: list(
      closed({
        code: Type.String(),
        ok: Type.Boolean(),
        expected: Type.String(),
        observed: Type.String(),
      }),
      32,
    ),
    facts: mapOf(Type.String(), 'Probe results by name.'),
  }),
)

export const Provider = named(
  'Provider',
  closed({
    providerId: ProviderId,
    kind: oneOf(providerKinds, 'Purpose of the provider.'),
    displayName: Label,
    endpoint: orNull(ShownEndpoint),
    sealedEndpoint: Type.Optional(SealedEndpoint),
    configuration: Configuration,
    credentialReference: orNull(CredentialReference),
    publicKeys: PublicKeys,
    attestation: orNull(openObject('Self-reported statement of the provider.')),
    capabilities: list(Type.String({ maxLength: 60 }), 32),
    probe: orNull(Probe),
  }),
)
export const ProviderRecord = versioned('Provider', Provider)

export const ProviderPut = named(
  'ProviderPut',
  closed({
    payload: closed({
      providerId: ProviderId,
      kind: oneOf(providerKinds, 'Purpose of the provider.'),
      displayName: Label,
      endpoint: Type.Optional(Endpoint),
      configuration: Configuration,
      credentialReference: Type.Optional(CredentialReference),
      publicKeys: Type.Optional(PublicKeys),
    }),
    status: Type.Optional(
      oneOf(['ACTIVE', 'PAUSED', 'REVOKED'], 'Initial status. Default: ACTIVE.'),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'REVOKED'],
  REVOKED: [],
} as const

export const listOperatingSystemProviders = operation({
  id: 'listOperatingSystemProviders',
  method: 'GET',
  path: '/providers',
  ...heading,
  summary: 'List providers',
  description: 'Configured providers; secrets are never returned.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  query: recordQuery(moves),
  success: [200],
  response: collection(ProviderRecord),
})

export const putOperatingSystemProvider = operation({
  id: 'putOperatingSystemProvider',
  method: 'POST',
  path: '/providers',
  ...heading,
  summary: 'Register or replace a provider',
  description: 'Creates or replaces a provider: 201 if new, 200 for a new version.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200, 201],
  body: ProviderPut,
  response: record(ProviderRecord),
  errors: [
    'LIQUIDITY_PROVIDER_CONFIGURATION_INVALID',
    'LIQUIDITY_PROVIDER_PROBE_FAILED',
    'LIQUIDITY_PROVIDER_TERMINAL',
    ...chainErrors,
  ],
  example: {
    body: {
      payload: {
        providerId: 'local-chain',
        kind: 'CHAIN_RPC',
        displayName: 'Local chain',
        endpoint: 'https://rpc.example.com/',
        configuration: { chainId: 31337, finality: 'finalized' },
      },
      reason: 'Reads for the demo',
    },
  },
})

const Count = Type.Integer({ minimum: 0 })
const Milliseconds = orNull(
  Type.Integer({
    minimum: 0,
    description: 'Milliseconds, rounded up by at most 19 %; null without calls.',
  }),
)

export const nodeStates = ['UP', 'SLOW', 'LAGGING', 'LIMITED', 'QUOTA', 'DOWN', 'UNKNOWN'] as const
export type NodeState = (typeof nodeStates)[number]
export const nodeLimitNames = [
  'CALLS_PER_SECOND',
  'CALLS_PER_REQUEST',
  'LOG_BLOCKS',
  'CONCURRENT_REQUESTS',
  'CREDITS_PER_DAY',
] as const

export const ProviderHealth = named(
  'ProviderHealth',
  closed({
    state: oneOf(
      nodeStates,
      'SLOW: 5 % of the calls of the last 15 minutes took more than 2 s. LAGGING: more than 64 blocks and 300 s behind another provider of the chain. LIMITED: at least 5 % of the calls were refused, or the service pauses. QUOTA: the quota is used up. DOWN: no call was answered, the key is rejected, or the last probe failed. UNKNOWN: no calls and no probe.',
    ),
    headBlock: orNull(
      Type.Integer({ minimum: 0, description: 'Finalized block of the last successful probe.' }),
    ),
    headAt: orNull(Timestamp),
    lagBlocks: orNull(
      Type.Integer({
        minimum: 0,
        description: 'Blocks behind the newest provider of the chain; null without another one.',
      }),
    ),
    probedAt: orNull(Timestamp),
    pausedUntil: orNull(
      Type.String({ format: 'date-time', description: 'End of the current pause of this node.' }),
    ),
    limits: list(
      closed({
        name: oneOf(nodeLimitNames, 'Limited quantity.'),
        configured: orNull(
          Type.Number({
            description: 'Configured limit, or maximum of the service; null if none.',
          }),
        ),
        learned: orNull(Type.Number({ description: 'Learned from refusals; null without one.' })),
        learnedAt: orNull(Timestamp),
      }),
      8,
    ),
    capabilities: closed({
      finalizedTag: orNull(Type.Boolean({ description: 'True if the node has finalized blocks.' })),
      blockHashPin: orNull(
        Type.Boolean({ description: 'True if calls name a block by its hash.' }),
      ),
      archiveState: orNull(
        Type.Boolean({ description: 'True if the state of block 1 is served.' }),
      ),
      proofs: orNull(Type.Boolean({ description: 'True if `eth_getProof` is served.' })),
      simulateV1: orNull(Type.Boolean({ description: 'True if `eth_simulateV1` is served.' })),
      stateDepthBlocks: orNull(
        Type.Integer({
          minimum: 0,
          description:
            'Blocks below the final one of the oldest tried block whose state is served. Tried: 127, 10,000 and 1,000,000 blocks below, and block 1.',
        }),
      ),
      logDepthBlocks: orNull(
        Type.Integer({ minimum: 0, description: 'The same for logs of one block.' }),
      ),
    }),
    calls: closed({
      answered: Count,
      refused: Count,
      failed: Count,
      p50Ms: Milliseconds,
      p95Ms: Milliseconds,
    }),
    minutes: list(
      closed({
        at: Timestamp,
        calls: Count,
        refused: Count,
        failed: Count,
        p50Ms: Milliseconds,
        p95Ms: Milliseconds,
        bytes: Count,
      }),
      1440,
      { description: 'Minutes of the day with calls, oldest first.' },
    ),
    methods: list(
      closed({ method: Type.String(), calls: Count, refused: Count, credits: Count }),
      200,
      {
        description: 'Methods of the day, most calls first.',
      },
    ),
    creditsUsed: Type.Integer({
      minimum: 0,
      description: 'Credits of the calls of the day, by the configured credits per method.',
    }),
    lastError: orNull(closed({ ...ChainErrorDetails.properties, at: Timestamp })),
  }),
)
export type ProviderHealth = Static<typeof ProviderHealth>

export const readProviderHealth = operation({
  id: 'readProviderHealth',
  isExtension: true,
  method: 'GET',
  path: '/providers/{id}/health',
  ...heading,
  summary: 'Read the health of an RPC node',
  description:
    'State, learned limits, capabilities and calls of a UTC day. Minutes are stored for 90 days.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  query: {
    day: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description: 'UTC day. Default: today.',
        examples: ['2026-01-31'],
      }),
    ),
  },
  success: [200],
  response: data(ProviderHealth),
  errors: ['LIQUIDITY_PROVIDER_NOT_A_NODE'],
})

export const probeProvider = operation({
  id: 'probeProvider',
  isExtension: true,
  method: 'POST',
  path: '/providers/{id}/probes',
  ...heading,
  summary: 'Queue a probe of an RPC node',
  description: 'Queues a job that reads chain, finalized block and capabilities of the node.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  body: closed({ reason: Reason }),
  response: data(OperatingSystemJob),
  errors: ['LIQUIDITY_PROVIDER_NOT_A_NODE', 'LIQUIDITY_PROVIDER_PROBE_RUNNING'],
  example: { body: { reason: 'The key has a new plan' } },
})

export const providerFamily = declareFamily({
  module: 'platform/providers',
  operations: [
    listOperatingSystemProviders,
    putOperatingSystemProvider,
    readProviderHealth,
    probeProvider,
  ],
  type: 'Provider',
  prefix: 'provider',
  name: 'provider',
  plural: 'providers',
  payload: Provider,
  moves,
  refusals: { terminal: 'LIQUIDITY_PROVIDER_TERMINAL' },
  events: ['provider.registered', 'provider.replaced', 'provider.revoked'],
  title: 'payload.displayName',
  columns: ['payload.kind', 'payload.providerId', 'payload.probe.at', 'status'],
  ui: {
    page: 'settings/providers',
    task: 'Providers',
    icon: 'plug',
    summary: 'RPC providers and other data sources.',
    empty: 'Add a node. A free key is enough to start.',
    head: ['payload.kind', 'payload.endpoint', 'payload.probe.at'],
    actions: {
      putOperatingSystemProvider: { label: 'Add provider' },
      probeProvider: { label: 'Probe now', when: ['ACTIVE'] },
    },
    docs: 'venues',
  },
})
