import type { contract, FieldErrors } from '@liquidity-os/contract'
import { importPublicKey } from '@liquidity-os/evidence'
import type { Address, Hex } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import type { Check } from '../../../integrations/chain/check.ts'
import { ask } from '../../../integrations/chain/client.ts'
import { agreeOnFinalizedHead, pinBlock } from '../../../integrations/chain/finalized.ts'
import { type ProviderEvidence, probeProvider } from '../../../integrations/chain/probe.ts'
import { latestRound, requireBegun } from '../../../integrations/feeds/aggregator.ts'
import { readAnyCandles } from '../../../integrations/feeds/any-candles.ts'
import { candleSeconds, settledAt } from '../../../integrations/feeds/candles.ts'
import { requireDecimals } from '../../../integrations/feeds/feed-decimals.ts'
import { FeedError } from '../../../integrations/feeds/feed-error.ts'
import { readBook } from '../../../integrations/feeds/order-book.ts'
import { readSignedPrice } from '../../../integrations/feeds/signed-price.ts'
import { languageModel, openSettings } from '../../../integrations/models/configured-models.ts'
import {
  findModelSettings,
  settingFacts,
} from '../../../integrations/models/find-model-settings.ts'
import {
  clientOf,
  configurationOf,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { chainOfFeeds, feedHost, feedsOf } from '../../../integrations/providers/feed-providers.ts'
import { askQuoteSource } from '../../../integrations/quotes/quote-source.ts'
import { readServiceChain } from '../../../integrations/safe-service/safe-service.ts'
import { minuteSeconds } from '../../../units.ts'
import { probeKeyHolder } from './probe-key-holder.ts'
import { addressHint, type PutRequest } from './validate-configuration.ts'

/** Probes a provider before admission. The answers are stored as evidence. */
export async function probeByKind(
  request: PutRequest,
  payload: ProviderPayload,
): Promise<
  Pick<ProviderPayload, 'capabilities' | 'attestation'> & {
    probe: NonNullable<ProviderPayload['probe']>
  }
> {
  const { fail, now } = request
  try {
    const { checks, facts, capabilities, attestation = null } = await probe(request, payload)
    const failed = checks.filter(({ ok }) => !ok)
    if (failed.length > 0) {
      throw fail('LIQUIDITY_PROVIDER_PROBE_FAILED', { fieldErrors: faultsOf(failed) })
    }
    return {
      capabilities: [...capabilities],
      attestation,
      probe: {
        at: new Date(now).toISOString(),
        checks: checks.map((check) => ({ ...check })),
        facts: { ...facts },
      },
    }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw fail('LIQUIDITY_PROVIDER_PROBE_FAILED', {
      fieldErrors: { 'payload.endpoint': [unreachable(error, payload.endpoint)] },
      cause: error,
    })
  }
}

/** Adds the reported chain to a chain provider whose configuration has none. */
export async function withChain(
  { services, organizationId, fail }: PutRequest,
  payload: ProviderPayload,
): Promise<ProviderPayload> {
  const { configuration } = payload
  if (payload.kind !== 'CHAIN_RPC' || configuration.chainId !== undefined) return payload
  try {
    const requested = { ...payload, configuration: { ...configuration, chainId: unknownChain } }
    const terms = configurationOf(requested)
    if (!terms) throw new Error('A chain provider has a chain.')
    const client = await clientOf(payload, terms, services, {
      organizationId,
      purpose: 'PROBE',
    })
    const chainId = Number(await ask<Hex>(client, 'eth_chainId', []))
    return { ...payload, configuration: { ...configuration, chainId } }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw fail('LIQUIDITY_PROVIDER_PROBE_FAILED', {
      fieldErrors: { 'payload.endpoint': [unreachable(error, payload.endpoint)] },
      cause: error,
    })
  }
}

/** Placeholder until the chain is detected. */
const unknownChain = 0

type Attested = ProviderEvidence & { readonly attestation?: ProviderPayload['attestation'] }

function probe(request: PutRequest, payload: ProviderPayload): Attested | Promise<Attested> {
  if (payload.kind === 'CUSTODIAN') return keysOf(payload)
  if (payload.kind === 'QUOTE_SOURCE') return probeQuotes(request, payload)
  if (payload.kind === 'LANGUAGE_MODEL') return probeModel(request, payload)
  if (payload.kind === 'SAFE_SERVICE') return probeSafeService(request, payload)
  if (payload.kind === 'SIGNER_ED25519' || payload.kind === 'RESULTS_REGISTRY') {
    return probeKeyHolder(request, payload)
  }
  return payload.kind === 'CHAIN_RPC' ? probeChain(request, payload) : probeFeeds(request, payload)
}

/** A custodian needs no request. Its evidence lists the short names of its public keys. */
function keysOf({ publicKeys }: ProviderPayload): ProviderEvidence {
  const names = publicKeys.map((key) => importPublicKey(key).keyId)
  const observed = names.join(', ')
  return {
    checks: [{ code: 'KEYS_READABLE', ok: true, expected: 'Ed25519 public keys', observed }],
    facts: { keyIds: observed },
    capabilities: ['CUSTODY_STATEMENTS'],
  }
}

const faultsOf = (failed: readonly Check[]): FieldErrors =>
  Object.fromEntries(
    failed.map(({ code, expected, observed }) => [
      code,
      [`expected ${expected}, observed ${observed}`],
    ]),
  )

async function probeChain(
  { services, organizationId }: PutRequest,
  payload: ProviderPayload,
): Promise<ProviderEvidence> {
  const configuration = configurationOf(payload)
  if (!configuration) throw new Error('A chain provider has a chain.')
  const client = await clientOf(payload, configuration, services, {
    organizationId,
    purpose: 'PROBE',
  })
  return probeProvider(client, configuration)
}

/**
 * Sends a probe request for quotes: an answer in list form shows that the source supports the
 * protocol.
 */
function probeQuotes({ services, organizationId }: PutRequest, payload: ProviderPayload) {
  return probeOnce(payload, {
    code: 'QUOTES_ANSWERED',
    expected: 'a list of quotes',
    capability: 'SIGNED_QUOTES',
    ask: async () => {
      const host = feedHost(payload, organizationId)
      return `${(await askQuoteSource(host, { probe: true }, services)).length} quotes`
    },
  })
}

/**
 * Requests the wording of a neutral sentence: an answer in the expected form shows that the model
 * supports the dialect. Also finds the settings that the configuration leaves open.
 */
function probeModel({ services, organizationId }: PutRequest, payload: ProviderPayload) {
  return probeOnce(payload, {
    code: 'WORDS_ANSWERED',
    expected: 'one sentence of text',
    capability: 'NARRATION',
    ask: async () => {
      const configuration = payload.configuration as unknown as contract.LanguageModelConfiguration
      const model = languageModel({ ...payload, probe: null }, organizationId)
      const found = await findModelSettings(model, openSettings(configuration), services)
      return { observed: 'one sentence', facts: settingFacts(found) }
    },
  })
}

/** Requests the chain of a Safe Transaction Service: it must be the configured one. */
function probeSafeService({ services, organizationId }: PutRequest, payload: ProviderPayload) {
  const { chainId } = payload.configuration as unknown as contract.SafeServiceConfiguration
  return probeOnce(payload, {
    code: 'SERVES_CHAIN',
    expected: `a Safe Transaction Service of chain ${chainId}`,
    capability: 'SAFE_CONFIRMATIONS',
    ask: async () => {
      const served = await readServiceChain(feedHost(payload, organizationId), services)
      if (served === chainId) return `chain ${served}`
      throw FeedError.refused('WRONG_SUBJECT', `it serves chain ${served}`)
    },
  })
}

interface Probe {
  readonly code: string
  readonly expected: string
  readonly capability: string
  /** @throws FeedError */
  readonly ask: () => Promise<string | Observed>
}

interface Observed {
  readonly observed: string
  readonly facts: Readonly<Record<string, string>>
}

async function probeOnce(
  { endpoint }: ProviderPayload,
  { code, expected, capability, ask: requestedValue }: Probe,
): Promise<ProviderEvidence> {
  const ended = (
    ok: boolean,
    observed: string,
    facts: ProviderEvidence['facts'] = {},
  ): ProviderEvidence => ({
    checks: [{ code, ok, expected, observed }],
    facts,
    capabilities: ok ? [capability] : [],
  })
  try {
    const answer = await requestedValue()
    return typeof answer === 'string'
      ? ended(true, answer)
      : ended(true, answer.observed, answer.facts)
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    const hint = error.reason === 'NO_PUBLIC_ADDRESS' ? `: ${addressHint(endpoint)}` : ''
    return ended(false, `${error.reason}${hint}`)
  }
}

/** Requests the newest price of every feed. A missing or outdated price prevents admission. */
async function probeFeeds(
  request: PutRequest,
  payload: ProviderPayload,
): Promise<ProviderEvidence> {
  const checks: Check[] = []
  const facts: Record<string, string> = {}
  for (const one of await askersOf(request, payload)) {
    const code = `FEED_${one.feed.toUpperCase().replaceAll('-', '_')}`
    const expected = 'a current price'
    try {
      const observed = await one.ask()
      facts[one.feed] = observed
      checks.push({ code, ok: true, expected, observed })
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      const hint = error.reason === 'NO_PUBLIC_ADDRESS' ? `: ${addressHint(payload.endpoint)}` : ''
      checks.push({ code, ok: false, expected, observed: `${error.reason}${hint}` })
    }
  }
  return { checks, facts, capabilities: [] }
}

interface Asker {
  readonly feed: string
  /** @throws FeedError */
  readonly ask: () => Promise<string>
}

async function askersOf(request: PutRequest, payload: ProviderPayload): Promise<Asker[]> {
  const { services, organizationId } = request
  const now = Math.floor(request.now / 1000)
  const host = feedHost(payload, organizationId)
  const formatPoint = (point: { at: number; priceX36: bigint } | undefined) => {
    if (point === undefined)
      throw FeedError.refused('STALE', 'no price in the last three intervals')
    return `X36 ${point.priceX36} at ${new Date(point.at * 1000).toISOString()}`
  }
  const configured = feedsOf(payload)
  switch (configured.source) {
    case 'SIGNED':
      return configured.feeds.map((feed) => ({
        feed: feed.feed,
        ask: async () => formatPoint(await readSignedPrice(host, feed, services, { now })),
      }))
    case 'AGGREGATOR':
      return aggregatorAskers(request, configured, now)
    case 'MARKET':
      return configured.feeds.map((feed) => ({
        feed: feed.feed,
        ask: async () => {
          if (feed.kind === 'BOOK')
            return formatPoint(await readBook(host, feed, services, { now }))
          const grid = candleSeconds(feed)
          const from = Math.ceil((now - settledAt(2 * grid, grid)) / grid) * grid
          const window = { from, before: now + 1 }
          return formatPoint((await readAnyCandles(host, feed, window, services, { now })).at(-1))
        },
      }))
  }
}

async function aggregatorAskers(
  { records, services }: PutRequest,
  configured: Extract<ReturnType<typeof feedsOf>, { source: 'AGGREGATOR' }>,
  now: number,
): Promise<Asker[]> {
  const [first, ...others] = await chainOfFeeds(records, services, configured.chainProviderId)
  const clients = [first.client, ...others.map(({ client }) => client)] as const
  const { head } = await agreeOnFinalizedHead(clients, first.configuration.finality)
  const pin = await pinBlock(first.client, head)
  return configured.feeds.map((feed) => ({
    feed: feed.feed,
    ask: async () => {
      const { answer, decimals, updatedAt } = await latestRound(
        first.client,
        pin,
        feed.proxy as Address,
      )
      await requireBegun(first.client, feed.proxy as Address, {
        startBlock: feed.startBlock,
        head,
      })
      await requireDecimals(first.client, pin, first.configuration.chainId, feed, decimals)
      if (answer <= 0n) throw FeedError.refused('CLAMPED', 'the answer is not positive')
      const age = Math.max(0, head.timestamp - updatedAt)
      if (updatedAt === 0 || age > feed.heartbeatSeconds + minuteSeconds) {
        throw FeedError.refused('STALE', `updated ${age} s before block ${head.number}`)
      }
      if (updatedAt > now + minuteSeconds)
        throw FeedError.refused('CLOCK', 'the answer is dated in the future')
      return `${answer} with ${decimals} decimals at block ${head.number}`
    },
  }))
}

/** Reason a node did not respond, with a remedy. Excludes text from the node. */
function unreachable({ facts }: ChainError, endpoint: string | null): string {
  const { reason, method, httpStatus, rpcCode, network } = facts
  // Both cases give the same message, so that probes do not reveal internal host names.
  if (reason === 'ADDRESS_REFUSED' || network === 'NAME_NOT_RESOLVED') return addressHint(endpoint)
  const causes = [
    method && `called ${method}`,
    httpStatus && `HTTP ${httpStatus}${httpHint(httpStatus)}`,
    rpcCode && `JSON-RPC error ${rpcCode}`,
    network,
  ].filter((cause) => cause !== undefined)
  return `did not respond as an RPC node: ${[reason, ...causes].join(', ')}`
}

const httpHint = (status: number) =>
  status === 401 || status === 403 ? ' (check the key in the URL or the secret)' : ''
