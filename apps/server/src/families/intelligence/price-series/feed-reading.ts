import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import {
  agreeOnFinalizedHead,
  findBlockAtTime,
  pinBlock,
} from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { type Round, readRounds } from '../../../integrations/feeds/aggregator.ts'
import { readAnyCandles } from '../../../integrations/feeds/any-candles.ts'
import { candleSeconds, settledAt } from '../../../integrations/feeds/candles.ts'
import { requireDecimals } from '../../../integrations/feeds/feed-decimals.ts'
import { x36OfAnswer } from '../../../integrations/feeds/feed-point.ts'
import { readBook } from '../../../integrations/feeds/order-book.ts'
import { readSignedPrice } from '../../../integrations/feeds/signed-price.ts'
import type {
  ChainProvider,
  ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { chainOfFeeds, feedHost, feedsOf } from '../../../integrations/providers/feed-providers.ts'
import type { JobRun } from '../../../jobs/job-run.ts'
import { poolSource } from '../../../market/prices/pool-source.ts'
import type { StoredPoint } from '../../../market/prices/price-store.ts'
import { daySeconds, hourSeconds, minuteSeconds } from '../../../units.ts'

/** A time without prices, Unix seconds. */
export interface TimedGap {
  readonly from: number
  readonly to: number
  readonly code: contract.PriceGap['code']
}

export interface FeedReading {
  readonly points: readonly StoredPoint[]
  readonly gaps: readonly TimedGap[]
  /** End of settled data: earlier days can be sealed. */
  readonly settledBefore: number
  readonly blocks: contract.PriceSegment['blocks']
}

/** A feed in the form of the job. */
export interface Feed {
  readonly name: string
  readonly key: contract.PriceSeriesKey
  readonly baseDecimals: number
  readonly quoteDecimals: number
  readonly maximumAgeSeconds: number
  /** True if the source provides only current prices. */
  readonly isPresent: boolean
  /** Start of price data in Unix seconds; null if none exists yet. */
  readonly since: () => Promise<number | null>
  /**
   * Points from `from` (inclusive) to `before` (exclusive). A source without history returns its
   * current price.
   */
  readonly read: (window: {
    readonly from: number
    readonly before: number
  }) => Promise<FeedReading>
}

/** The feeds of a provider. */
export async function feedsToRead(run: JobRun, payload: ProviderPayload): Promise<Feed[]> {
  const configured = feedsOf(payload)
  switch (configured.source) {
    case 'AGGREGATOR':
      return aggregatorFeeds(run, payload, configured)
    case 'SIGNED':
      return configured.feeds.map((feed) => signedFeed(run, payload, feed))
    case 'MARKET':
      return configured.feeds.map((feed) =>
        feed.kind === 'BOOK' ? bookFeed(run, payload, feed) : candleFeed(run, payload, feed),
      )
  }
}

/** End of the job's work, from its own clock, so that a run has one time. */
const nowOf = ({ now }: JobRun) => Math.floor(now / 1000)

function candleFeed(
  run: JobRun,
  payload: ProviderPayload,
  feed: contract.CandleFeed | contract.PoolCandleFeed,
): Feed {
  const { organizationId, services, signal } = run
  const gridSeconds = candleSeconds(feed)
  const now = nowOf(run)
  return {
    name: feed.feed,
    baseDecimals: feed.baseDecimals,
    quoteDecimals: feed.quoteDecimals,
    key: {
      base: feed.base,
      quote: feed.quote,
      source: 'CANDLE',
      field: 'CLOSE',
      gridSeconds,
      of: `${payload.providerId}:${candleSource(feed)}`,
    },
    maximumAgeSeconds: 3 * gridSeconds,
    isPresent: false,
    since: async () => Math.floor(Date.parse(feed.since) / 1000),
    read: async ({ from, before }) => {
      const host = feedHost(payload, organizationId)
      const window = { from: Math.ceil(from / gridSeconds) * gridSeconds, before }
      const points = await readAnyCandles(host, feed, window, services, { now, signal })
      const until = Math.min(before, now)
      return {
        points,
        gaps: missingCandles(points, gridSeconds, { ...window, before: until }),
        // A candle settles after a delay, so settled data ends that long ago.
        settledBefore: now - (settledAt(0, gridSeconds) - 1),
        blocks: null,
      }
    },
  }
}

/** The exchange with its symbol, or the pool. */
const candleSource = (feed: contract.CandleFeed | contract.PoolCandleFeed): string =>
  feed.kind === 'CANDLE' ? `${feed.exchange}:${feed.symbol}` : poolSource(feed.pool)

function missingCandles(
  points: readonly StoredPoint[],
  grid: number,
  { from, before }: { readonly from: number; readonly before: number },
): TimedGap[] {
  const moments = new Set(points.map(({ at }) => at))
  const gaps: TimedGap[] = []
  for (let at = from; at < before; at += grid) {
    if (moments.has(at)) continue
    const last = gaps.at(-1)
    if (last?.to === at - grid) gaps[gaps.length - 1] = { ...last, to: at }
    else gaps.push({ from: at - grid, to: at, code: 'NO_TRADES' })
  }
  return gaps
}

/** A source with only current prices: the new price joins the stored ones. */
function presentFeed(
  run: JobRun,
  read: () => Promise<StoredPoint>,
): Pick<Feed, 'isPresent' | 'since' | 'read'> {
  return {
    isPresent: true,
    since: async () => null,
    read: async () => ({
      points: [await read()],
      gaps: [],
      settledBefore: nowOf(run),
      blocks: null,
    }),
  }
}

function signedFeed(run: JobRun, payload: ProviderPayload, feed: contract.SignedFeed): Feed {
  const { organizationId, services, signal } = run
  const host = feedHost(payload, organizationId)
  const requested = { now: nowOf(run), signal }
  return {
    name: feed.feed,
    baseDecimals: feed.baseDecimals,
    quoteDecimals: feed.quoteDecimals,
    key: {
      base: feed.base,
      quote: feed.quote,
      source: 'SIGNED',
      field: 'ANSWER',
      gridSeconds: 0,
      of: `${payload.providerId}:${feed.feed}`,
    },
    maximumAgeSeconds: feed.heartbeatSeconds + minuteSeconds,
    ...presentFeed(run, () => readSignedPrice(host, feed, services, requested)),
  }
}

function bookFeed(run: JobRun, payload: ProviderPayload, feed: contract.BookFeed): Feed {
  const { organizationId, services, signal } = run
  const host = feedHost(payload, organizationId)
  const requestedValue = { now: nowOf(run), signal }
  return {
    name: feed.feed,
    baseDecimals: feed.baseDecimals,
    quoteDecimals: feed.quoteDecimals,
    key: {
      base: feed.base,
      quote: feed.quote,
      source: 'BOOK',
      field: 'MID',
      gridSeconds: 0,
      of: `${payload.providerId}:${feed.exchange}:${feed.symbol}`,
    },
    // Three polling intervals, so that two missed polls are tolerated.
    maximumAgeSeconds: 3 * Math.max(minuteSeconds, services.config.feedPullSeconds),
    ...presentFeed(run, () => readBook(host, feed, services, requestedValue)),
  }
}

async function aggregatorFeeds(
  run: JobRun,
  payload: ProviderPayload,
  { chainProviderId, feeds }: contract.AggregatorConfiguration,
): Promise<Feed[]> {
  const { records, services, signal } = run
  const chain = await chainOfFeeds(records, services, chainProviderId, signal)
  const clients = clientsOf(chain)
  const { finality, chainId } = chain[0].configuration
  const { head } = await agreeOnFinalizedHead(clients, finality)
  return feeds.map((feed) => ({
    name: feed.feed,
    baseDecimals: feed.baseDecimals,
    quoteDecimals: feed.quoteDecimals,
    key: {
      base: feed.base,
      quote: feed.quote,
      source: 'ORACLE',
      field: 'ANSWER',
      gridSeconds: 0,
      of: `${payload.providerId}:${feed.feed}`,
    },
    maximumAgeSeconds: feed.heartbeatSeconds + minuteSeconds,
    isPresent: false,
    since: async () => {
      if (feed.startBlock > head.number) return null
      return (await readHeader(clients[0], feed.startBlock)).timestamp
    },
    read: (window) => readAggregator(clients, { feed, chainId }, head, window),
  }))
}

const clientsOf = ([first, ...others]: readonly [ChainProvider, ...ChainProvider[]]) =>
  [first.client, ...others.map(({ client }) => client)] as const

type Clients = ReturnType<typeof clientsOf>

/** Blocks per chunk of logs: an aggregator writes few logs. */
const logChunkBlocks = 10_000

async function readAggregator(
  clients: Clients,
  { feed, chainId }: { readonly feed: contract.AggregatorFeed; readonly chainId: number },
  head: Header,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<FeedReading> {
  const settledBefore = head.timestamp + 1
  const nothing = { points: [], gaps: [], settledBefore, blocks: null }
  const earlier = await findBlockAtTime(clients[0], from - 1, head)
  const fromBlock = Math.max(feed.startBlock, earlier === null ? 0 : earlier.number + 1)
  const to = await findBlockAtTime(clients[0], before - 1, head)
  if (to === null || to.number < fromBlock) return nothing
  const range = { fromBlock, to, logChunkBlocks }
  const rounds = await readRounds([...clients], feed.proxy as Address, range)
  const end = await pinBlock(clients[0], to)
  await requireDecimals(clients[0], end, chainId, feed, rounds.decimals)
  const first = await readHeader(clients[0], fromBlock)
  const known =
    rounds.fromBlock === fromBlock ? null : await readHeader(clients[0], rounds.fromBlock)
  const priced = (round: Round): StoredPoint => ({
    at: round.updatedAt,
    priceX36: x36OfAnswer(round.answer, rounds.decimals, feed),
    errorPips: feed.deviationPips,
  })
  const isWithin = ({ updatedAt }: Round) => updatedAt >= from && updatedAt < before
  const down = feed.sequencer
    ? await sequencerDown(clients, feed.sequencer as Address, range, before)
    : []
  const points = rounds.rounds.filter(isWithin).map(priced)
  const isDown = ({ at }: StoredPoint) => down.some((gap) => at >= gap.from && at < gap.to)
  return {
    points: oncePerSecond(points.filter((point) => !isDown(point))),
    gaps: [
      ...(known ? [{ from, to: known.timestamp, code: 'NOT_READ' as const }] : []),
      ...rounds.clamped.filter(isWithin).map(({ updatedAt }) => ({
        from: updatedAt,
        to: updatedAt,
        code: 'CLAMPED' as const,
      })),
      ...down,
    ],
    settledBefore,
    blocks: { from: blockOf(first), to: blockOf(to) },
  }
}

const blockOf = ({ number, hash }: Header) => ({ number, hash })

/** The last of several responses within one second. */
function oncePerSecond(points: readonly StoredPoint[]): StoredPoint[] {
  return [...new Map(points.map((point) => [point.at, point])).values()]
}

/**
 * Downtime of a rollup sequencer plus one hour, because prices may be outdated then. The sequencer
 * feed returns 0 when up and 1 when down.
 */
async function sequencerDown(
  clients: Clients,
  sequencer: Address,
  range: { readonly fromBlock: number; readonly to: Header; readonly logChunkBlocks: number },
  before: number,
): Promise<TimedGap[]> {
  const back = await readHeader(clients[0], range.fromBlock)
  const earlier = await findBlockAtTime(clients[0], back.timestamp - daySeconds, range.to)
  const { rounds, clamped } = await readRounds([...clients], sequencer, {
    ...range,
    fromBlock: earlier?.number ?? 0,
  })
  // In this feed 0 is a status, not a missing price.
  const course = [...rounds, ...clamped].sort((a, b) => a.updatedAt - b.updatedAt)
  return course.flatMap(({ answer, updatedAt }, index) => {
    if (answer === 0n) return []
    const up = course.slice(index + 1).find((round) => round.answer === 0n)
    const to = up ? up.updatedAt + hourSeconds : before
    return [{ from: updatedAt, to, code: 'SEQUENCER_DOWN' as const }]
  })
}
