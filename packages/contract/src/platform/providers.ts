import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { collection, operation, paging, record, session } from '../operation.ts'
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
  'Settings by kind. CHAIN_RPC: { chainId, finality: "finalized" or a number of confirmations, timeoutMilliseconds? }. QUOTE_SOURCE: { protocol: "LIQUIDITY_RFQ_HTTP" }. LANGUAGE_MODEL: { protocol: "OPENAI_CHAT", model, timeoutMilliseconds? }. CUSTODIAN: {}, identified by its publicKeys alone. SIGNER_ED25519: { possession, authorization? } and RESULTS_REGISTRY: { possession }, each with one key.',
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
    'LIQUIDITY_CHAIN_UNAVAILABLE',
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

export const providerFamily = declareFamily({
  module: 'platform/providers',
  operations: [listOperatingSystemProviders, putOperatingSystemProvider],
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
    empty: 'Add an RPC provider to index venues.',
    head: ['payload.kind', 'payload.endpoint', 'payload.probe.at'],
    actions: {
      putOperatingSystemProvider: { label: 'Add or replace provider' },
    },
    docs: 'venues',
  },
})
