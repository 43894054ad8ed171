import { contract, type FieldErrors } from '@liquidity-os/contract'
import { importPublicKey } from '@liquidity-os/evidence'
import type { HandlerRequest } from '../../../http/handler.ts'
import { compileSchema, type PartValidator } from '../../../http/validators.ts'
import { exchanges } from '../../../integrations/exchanges/exchange-process.ts'
import { allowHint, endpointFault } from '../../../integrations/outbound/endpoint-fault.ts'
import { secretFor } from '../../../integrations/providers/provider-secret.ts'
import { limits } from '../../../limits.ts'

export type PutRequest = HandlerRequest<typeof contract.putOperatingSystemProvider>
type Payload = PutRequest['body']['payload']

/** Validates provider settings beyond the schema, by kind. */
export function validateConfiguration(request: PutRequest): FieldErrors {
  const { payload } = request.body
  switch (payload.kind) {
    case 'CHAIN_RPC':
      return { ...validateReach(request), ...validateChain(request), ...unusedKeys(payload) }
    case 'PRICE_ORACLE':
      return validateOracle(request)
    case 'MARKET_DATA':
      return {
        ...(payload.configuration.shape === 'EXCHANGES'
          ? { ...validateNoReach(payload), ...validateExchanges(payload) }
          : validateReach(request)),
        ...unusedKeys(payload),
        ...validateShape('MarketDataConfiguration', payload.configuration),
        ...doubledFeeds(payload),
      }
    case 'CUSTODIAN':
      return validateCustodian(payload)
    case 'QUOTE_SOURCE':
      return {
        ...validateReach(request),
        ...unusedKeys(payload),
        ...validateShape('QuoteSourceConfiguration', payload.configuration),
      }
    case 'LANGUAGE_MODEL':
      return {
        ...validateReach(request),
        ...unusedKeys(payload),
        ...validateDialect(payload.configuration),
        ...validateShape('LanguageModelConfiguration', payload.configuration),
      }
    case 'SAFE_SERVICE':
      return {
        ...validateReach(request),
        ...unusedKeys(payload),
        ...validateShape('SafeServiceConfiguration', payload.configuration),
      }
    case 'SIGNER_ED25519':
      return validateKeyHolder(payload, 'SignerConfiguration')
    case 'RESULTS_REGISTRY':
      return validateKeyHolder(payload, 'ResultsRegistryConfiguration')
    default: {
      // A kind without implementation cannot be probed, and admission requires a probe.
      const served =
        'CHAIN_RPC, PRICE_ORACLE, MARKET_DATA, QUOTE_SOURCE, LANGUAGE_MODEL, SAFE_SERVICE, CUSTODIAN, SIGNER_ED25519 or RESULTS_REGISTRY'
      return { 'payload.kind': [`must be ${served} in this release, got ${payload.kind}`] }
    }
  }
}

function validateOracle(request: PutRequest): FieldErrors {
  const { payload } = request.body
  const { configuration, endpoint, credentialReference, publicKeys } = payload
  if (configuration.source === 'AGGREGATOR') {
    const why = 'must be omitted: an aggregator is read through its RPC provider'
    return {
      ...validateShape('AggregatorConfiguration', configuration),
      ...doubledFeeds(payload),
      ...unusedKeys(payload),
      ...(endpoint ? { 'payload.endpoint': [why] } : {}),
      ...(credentialReference ? { 'payload.credentialReference': [why] } : {}),
    }
  }
  if (configuration.source === 'SIGNED') {
    return {
      ...validateReach(request),
      ...validateShape('SignedPriceConfiguration', configuration),
      ...doubledFeeds(payload),
      ...validateKey(publicKeys ?? []),
    }
  }
  const came = JSON.stringify(configuration.source)
  return { 'payload.configuration.source': [`must be AGGREGATOR or SIGNED, got ${came}`] }
}

/**
 * A custodian is identified by its keys. Its signed statements are uploaded, so no endpoint is
 * needed.
 */
function validateCustodian({
  configuration,
  endpoint,
  credentialReference,
  publicKeys,
}: Payload): FieldErrors {
  const why = 'must be omitted: a custodian sends statements; the service does not query it'
  const members = Object.keys(configuration).map((name) => [
    `payload.configuration.${name}`,
    ['is not a field of this configuration'],
  ])
  return {
    ...validateKey(publicKeys ?? []),
    ...(endpoint ? { 'payload.endpoint': [why] } : {}),
    ...(credentialReference ? { 'payload.credentialReference': [why] } : {}),
    ...Object.fromEntries(members),
  }
}

/** An external signer is identified by one key and proves possession. No endpoint is needed. */
function validateKeyHolder(payload: Payload, name: keyof typeof schemas): FieldErrors {
  const { configuration, endpoint, credentialReference, publicKeys = [], kind } = payload
  const why = `must be omitted: a ${kind} sends signed data; the service does not query it`
  return {
    ...validateKey(publicKeys),
    ...(publicKeys.length > 1 ? { 'payload.publicKeys': ['must be one key'] } : {}),
    ...validateShape(name, configuration),
    ...(endpoint ? { 'payload.endpoint': [why] } : {}),
    ...(credentialReference ? { 'payload.credentialReference': [why] } : {}),
  }
}

/** Checks that the endpoint is allowed and the secret belongs to it. */
function validateReach({ body, services, organizationId }: PutRequest): FieldErrors {
  const { endpoint, credentialReference, kind } = body.payload
  if (!endpoint) return { 'payload.endpoint': [`is required for ${kind}`] }
  const fault = endpointFault(endpoint, services.config, {
    allowHttp: services.config.environment === 'development',
  })
  if (fault) return { 'payload.endpoint': [fault] }
  if (!credentialReference?.startsWith('sealed:')) return {}
  const place = { organizationId, host: new URL(endpoint).hostname }
  if (secretFor(credentialReference, place, services.sealing) !== null) return {}
  const message = `must be encrypted for this organization and the host ${place.host}; seal the secret again`
  return { 'payload.credentialReference': [message] }
}

/** The chain is optional, because the probe detects it. */
function validateChain({ body }: PutRequest): FieldErrors {
  const { configuration } = body.payload
  const faults: FieldErrors = {}
  const isProbed = (body.status ?? 'ACTIVE') === 'ACTIVE'
  const { chainId, finality, timeoutMilliseconds, limits: configured, ...unknown } = configuration
  const isNumber = (value: unknown, low: number, high: number) =>
    Number.isInteger(value) && Number(value) >= low && Number(value) <= high
  if (chainId === undefined && !isProbed) {
    const message = 'must be a chain ID if the service does not query the provider, got no value'
    faults['payload.configuration.chainId'] = [message]
  }
  if (chainId !== undefined && !isNumber(chainId, 1, Number.MAX_SAFE_INTEGER)) {
    faults['payload.configuration.chainId'] = [`must be a chain ID, got ${JSON.stringify(chainId)}`]
  }
  const max = limits.providerConfirmations
  if (finality !== undefined && finality !== 'finalized' && !isNumber(finality, 1, max)) {
    faults['payload.configuration.finality'] = [
      `must be "finalized" or 1 to ${max} confirmations, got ${JSON.stringify(finality)}`,
    ]
  }
  const { providerTimeoutLeastMilliseconds: low, providerTimeoutMostMilliseconds: high } = limits
  if (timeoutMilliseconds !== undefined && !isNumber(timeoutMilliseconds, low, high)) {
    faults['payload.configuration.timeoutMilliseconds'] = [
      `must be ${low} to ${high}, got ${JSON.stringify(timeoutMilliseconds)}`,
    ]
  }
  if (configured !== undefined) {
    Object.assign(faults, validateShape('NodeLimits', configured, 'payload.configuration.limits'))
  }
  for (const name of Object.keys(unknown)) {
    faults[`payload.configuration.${name}`] = ['is not a field of this configuration']
  }
  return faults
}

/** The service reads the public interfaces of exchanges itself. */
function validateNoReach({ endpoint, credentialReference }: Payload): FieldErrors {
  const why = 'must be omitted with shape EXCHANGES: the service reads the exchanges itself'
  return {
    ...(endpoint ? { 'payload.endpoint': [why] } : {}),
    ...(credentialReference ? { 'payload.credentialReference': [why] } : {}),
  }
}

function validateExchanges({ configuration }: Payload): FieldErrors {
  const feeds: readonly unknown[] = Array.isArray(configuration.feeds) ? configuration.feeds : []
  return Object.fromEntries(
    feeds.flatMap((feed, index) => {
      const { exchange, kind } = (feed ?? {}) as { exchange?: unknown; kind?: unknown }
      if (typeof exchange !== 'string') return []
      const listed = Object.hasOwn(exchanges, exchange) ? exchanges[exchange] : undefined
      const isServed = kind === 'CANDLE' ? listed?.hasCandles : listed?.hasBooks
      if (isServed !== false && listed !== undefined) return []
      const what = kind === 'CANDLE' ? 'candles' : 'order books'
      const message = `must be an exchange with public ${what} in ccxt, got ${exchange}`
      return [[`payload.configuration.feeds.${index}.exchange`, [message]]]
    }),
  )
}

/** `protocol` is the earlier name of one dialect; one of the two decides, and both must agree. */
function validateDialect({
  dialect,
  protocol,
  tokensMember,
}: Payload['configuration']): FieldErrors {
  const field = 'payload.configuration.dialect'
  if (dialect === undefined && protocol === undefined) {
    return { [field]: ['must be OPENAI, ANTHROPIC or OLLAMA, got no value'] }
  }
  if (dialect !== undefined && protocol !== undefined && dialect !== 'OPENAI') {
    return { [field]: [`must be OPENAI with protocol OPENAI_CHAT, got ${JSON.stringify(dialect)}`] }
  }
  if (tokensMember === undefined || dialect === undefined || dialect === 'OPENAI') return {}
  return {
    'payload.configuration.tokensMember': [
      `must be omitted with dialect ${JSON.stringify(dialect)}: only OPENAI has two names`,
    ],
  }
}

const schemas = {
  NodeLimits: contract.NodeLimits,
  AggregatorConfiguration: contract.AggregatorConfiguration,
  SignedPriceConfiguration: contract.SignedPriceConfiguration,
  MarketDataConfiguration: contract.MarketDataConfiguration,
  QuoteSourceConfiguration: contract.QuoteSourceConfiguration,
  SafeServiceConfiguration: contract.SafeServiceConfiguration,
  LanguageModelConfiguration: contract.LanguageModelConfiguration,
  SignerConfiguration: contract.SignerConfiguration,
  ResultsRegistryConfiguration: contract.ResultsRegistryConfiguration,
}
const validators = new Map<string, PartValidator>()

function validateShape(
  name: keyof typeof schemas,
  configuration: unknown,
  prefix = 'payload.configuration',
): FieldErrors {
  const validate = validators.get(name) ?? compileSchema(schemas[name])
  validators.set(name, validate)
  const faults = validate(configuration) ?? {}
  return Object.fromEntries(
    Object.entries(faults).map(([field, messages]) => [
      [prefix, field].filter((part) => part !== '').join('.'),
      messages,
    ]),
  )
}

function doubledFeeds({ configuration }: Payload): FieldErrors {
  const feeds: readonly unknown[] = Array.isArray(configuration.feeds) ? configuration.feeds : []
  const names = feeds.map((feed) => (feed as { feed?: unknown } | null)?.feed)
  const faults: FieldErrors = {}
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) {
      faults[`payload.configuration.feeds.${index}.feed`] = [`must be unique, got ${name}`]
    }
  }
  return faults
}

function validateKey(publicKeys: readonly string[]): FieldErrors {
  if (publicKeys.length === 0) return { 'payload.publicKeys': ['must contain the signing key'] }
  const faults: FieldErrors = {}
  for (const [index, key] of publicKeys.entries()) {
    try {
      importPublicKey(key)
    } catch {
      faults[`payload.publicKeys.${index}`] = ['must be a raw 32-byte Ed25519 key in base64']
    }
  }
  return faults
}

function unusedKeys({ publicKeys, kind }: Payload): FieldErrors {
  if (!publicKeys?.length) return {}
  return { 'payload.publicKeys': [`must be omitted: ${kind} has no signed data`] }
}

/**
 * Reason why the service does not call an address, and the remedy. A provider without an endpoint
 * is reached through another provider.
 */
export const addressHint = (endpoint: string | null): string =>
  `was not called: its name has no address, or one that is not public; ${endpoint === null ? 'check the RPC provider of its chain' : allowHint(endpoint)}`
