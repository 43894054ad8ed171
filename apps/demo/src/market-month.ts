import { type Client, each } from '@liquidity-os/client'
import type { Localchain } from '@liquidity-os/localchain'
import type { Address } from 'viem'
import type { LaunchChain } from './launch-chain.ts'
import { type RecordedMarket, recordedSymbol } from './recorded-market.ts'
import { recordedDays } from './recorded-prices.ts'
import {
  declareOwnTokens,
  ensureMarket,
  firstOf,
  indexed,
  type ObservationRecord,
  type StudyRecord,
  type VenueRecord,
} from './resources.ts'

/**
 * Records of the market at recorded prices: a venue with a month of history, a backtest, an alert
 * and a market maker's mandate.
 */

const reason = 'Market at recorded prices'
const ether = 10n ** 18n
const weth = (amount: bigint) => `${amount * ether}`
const [daySeconds, sampleSeconds] = [86_400, 600]
const name = `${recordedSymbol} / WETH 0.30 %, recorded prices, simulated trades`
const question = `Which range served a month of ${recordedSymbol} best`
const ruleName = `${recordedSymbol} weekly loss`
const mandateTitle = `Depth of ${recordedSymbol} / WETH, simulated market maker`
const venueKey = 'pool'
/** Full days of evidence before the last observed day. */
const evidenceDays = 6

/** Ids of the records. */
export type MarketMonth = Readonly<
  Record<'monthVenueId' | 'monthStudyId' | 'alertRuleId' | 'mandateId', string>
>

/** Creates all missing records, so an interrupted start resumes. */
export async function showMonth(
  client: Client,
  launch: LaunchChain,
  market: RecordedMarket,
  { email, say }: { email: string; say: (line: string) => void },
): Promise<MarketMonth> {
  say(
    `Recorded prices: ${recordedSymbol}/WETH of April and May 2024, shifted to end today; trades simulated`,
  )
  const venue = await ensureMonthVenue(client, launch, market)
  await declareOwnTokens(client, venue)
  const known = await findMonth(client, venue)
  if (known) return known
  say(`  Indexing ${recordedDays} days of its market; the alert on its weekly loss is emailed`)
  await indexPast(client, launch, venue)
  // The last index job evaluates the rule.
  const alertRuleId = await ensureRule(client, venue, email)
  const observations = await indexToNow(client, venue)
  say('  Backtesting ranges over the month')
  const monthStudyId = await ensureStudy(client, venue, observations)
  say('  Measuring the KPIs of a market maker')
  const mandateId = await ensureMandate(client, venue, market.maker, observations, say)
  return { monthVenueId: venue.id, monthStudyId, alertRuleId, mandateId }
}

/** The records of an earlier start; null if it was interrupted before the last one. */
async function findMonth(client: Client, venue: VenueRecord): Promise<MarketMonth | null> {
  const [study, rule, mandate] = await Promise.all([
    findStudy(client, venue),
    findRule(client),
    findMandate(client),
  ])
  if (!study || !rule || !mandate) return null
  const evidence = await client.listMarketMakerEvidence({ params: { id: mandate.id } })
  if (evidence.body.data.length === 0) return null
  return {
    monthVenueId: venue.id,
    monthStudyId: study.id,
    alertRuleId: rule.id,
    mandateId: mandate.id,
  }
}

// The user may have added any number of records since, so the oldest ones are read first.
const oldest = { query: { order: 'OLDEST' } } as const

const findStudy = (
  client: Client,
  { id: subject }: VenueRecord,
): Promise<StudyRecord | undefined> => {
  const query = { subject, status: 'COMPLETED', order: 'OLDEST' } as const
  return firstOf(
    each(client.listStudies, { query }),
    ({ payload }) => payload.spec.name === question,
  )
}

const findRule = (client: Client) =>
  firstOf(each(client.listAlertRules, oldest), ({ payload }) => payload.name === ruleName)

const findMandate = (client: Client) =>
  firstOf(
    each(client.listMarketMakerMandates, oldest),
    ({ payload }) => payload.title === mandateTitle,
  )

const ensureMonthVenue = (
  client: Client,
  launch: LaunchChain,
  { pool, token, quote, startBlock }: RecordedMarket,
): Promise<VenueRecord> =>
  ensureMarket(client, launch, {
    name,
    kind: 'UNISWAP_V3',
    address: pool,
    base: token,
    quote,
    startBlock,
    tags: ['recorded-prices', 'demo'],
    reason,
  })

/** Ages of the first two observations' ends: a shorter observation has depth at finer intervals. */
const endAges = [7 * daySeconds, daySeconds + 6 * 3600]

/** Indexes the market up to a day ago, unless an earlier start did. */
async function indexPast(
  client: Client,
  { chain }: LaunchChain,
  venue: VenueRecord,
): Promise<void> {
  const known = await listObservations(client, venue)
  const now = Math.floor(Date.now() / 1000)
  for (const age of endAges.slice(known.length)) {
    const toBlock = await lastBlockBefore(chain, venue.payload.read.startBlock, now - age)
    await indexed(client, venue, { toBlock, reason })
  }
}

/** @returns the observations of the month, oldest first: those of an earlier start, or new ones */
async function indexToNow(client: Client, venue: VenueRecord): Promise<ObservationRecord[]> {
  const known = await listObservations(client, venue)
  if (known.length > endAges.length) return known
  await indexed(client, venue, { reason })
  return listObservations(client, venue)
}

async function listObservations(
  client: Client,
  { id: subject }: VenueRecord,
): Promise<ObservationRecord[]> {
  const { body } = await client.listVenueObservations({ query: { subject, order: 'OLDEST' } })
  return body.data.slice(0, endAges.length + 1)
}

/** The last block before a time. Block times ascend. */
async function lastBlockBefore(
  { publicClient }: Localchain,
  startBlock: number,
  time: number,
): Promise<number> {
  let [before, after] = [BigInt(startBlock), await publicClient.getBlockNumber()]
  while (after - before > 1n) {
    const blockNumber = (before + after) / 2n
    const { timestamp } = await publicClient.getBlock({ blockNumber })
    if (timestamp < time) before = blockNumber
    else after = blockNumber
  }
  return Number(before)
}

/** An email channel and a threshold on the price. */
async function ensureRule(client: Client, venue: VenueRecord, email: string): Promise<string> {
  const known = await findRule(client)
  if (known) return known.id
  const label = 'Demo owner'
  const channel =
    (await firstOf(
      each(client.listAlertChannels, oldest),
      ({ payload }) => payload.label === label,
    )) ??
    (
      await client.createAlertChannel({
        body: { payload: { label, target: { kind: 'EMAIL', address: email } }, reason },
      })
    ).body.data
  const { body } = await client.createAlertRule({
    body: {
      payload: {
        name: ruleName,
        threshold: {
          metric: 'PRICE_CHANGE_PIPS',
          subject: { venueId: venue.id },
          comparator: 'LT',
          value: '-100000',
          windowSeconds: 7 * daySeconds,
          severity: 'WARNING',
        },
        forSeconds: 0,
        channels: [channel.id],
        repeatSeconds: daySeconds,
      },
      reason,
    },
  })
  return body.data.id
}

/** @returns the id of the study, that of an earlier start if it is there */
async function ensureStudy(
  client: Client,
  venue: VenueRecord,
  observations: readonly ObservationRecord[],
): Promise<string> {
  const known = await findStudy(client, venue)
  if (known) return known.id
  const { first, last } = endsOf(observations)
  const made = await client.createStudies({
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        kind: 'REPLAY',
        pair: venue.payload.pair,
        name: question,
        market: {
          venue: { id: venue.id, resourceVersion: last.venue.resourceVersion },
        },
        observations: observations.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
        window: { fromBlock: first.range.from.number, toBlock: last.range.to.number },
        arms: [
          { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } },
          { armId: 'full-range', label: 'Full range', position: { kind: 'FULL_RANGE' } },
          {
            armId: 'wide',
            label: '−40 % to +60 %',
            position: { kind: 'RANGE', lowerPips: 400_000, upperPips: 600_000 },
          },
        ],
        capital: { base: weth(20_000n), quote: weth(15n), normalization: 'EQUAL_VALUE' },
        sampleSeconds: 3600,
        tradeSizesQuote: [weth(1n), weth(10n)],
      },
      reason,
    },
  })
  const { data } = made.body
  if ('study' in data)
    throw new Error('The service queued the study instead of running it at once.')
  return data.id
}

function endsOf(observations: readonly ObservationRecord[]) {
  const [first, last] = [observations[0], observations.at(-1)]
  if (!first || !last) throw new Error('The index job created no observation of the month.')
  return { first: first.payload, last: last.payload }
}

const timeText = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** A mandate that is active for some days, and the books of the pool from then until observed. */
async function ensureMandate(
  client: Client,
  venue: VenueRecord,
  maker: Address,
  observations: readonly ObservationRecord[],
  say: (line: string) => void,
): Promise<string> {
  const until = Date.parse(endsOf(observations).last.range.to.timestamp) / 1000
  const mandate = (await findMandate(client)) ?? (await createMandate(client, venue, maker, until))
  const params = { id: mandate.id }
  const evidence = (await client.listMarketMakerEvidence({ params })).body.data
  if (evidence.length > 0) return mandate.id
  const from = Date.parse(mandate.payload.period.from) / 1000
  const samples = Array.from(
    { length: Math.floor((until - from) / sampleSeconds) },
    (_, index) => ({
      at: timeText(from + index * sampleSeconds),
      bids: [],
      asks: [],
    }),
  )
  if (samples.length === 0) {
    say('  The mandate begins after the observed month, so its KPIs have no samples.')
    return mandate.id
  }
  await client.ingestMarketMakerEvidence({
    params,
    body: { payload: { source: 'ONCHAIN', venueKey, samples }, reason },
  } as never)
  return mandate.id
}

/** @param until end of the observed month, in Unix seconds */
async function createMandate(client: Client, venue: VenueRecord, maker: Address, until: number) {
  const { chainId } = venue.payload.pair
  const from = until - (until % daySeconds) - evidenceDays * daySeconds
  const { body } = await client.createMarketMakerMandates({
    body: {
      payload: {
        title: mandateTitle,
        marketMaker: {
          name: 'Example Markets, simulated',
          signerKeys: [],
          wallets: [{ chainId, address: maker }],
        },
        pair: venue.payload.pair,
        venues: [
          {
            venueKey,
            kind: 'DEX',
            name: venue.payload.name,
            venue: { id: venue.id, resourceVersion: venue.resourceVersion },
          },
        ],
        kpis: [
          {
            kpiId: 'uptime',
            metric: 'UPTIME_PIPS',
            venueKey,
            side: 'BOTH',
            bandPips: 20_000,
            sizeQuote: weth(25n),
            comparator: 'GTE',
            threshold: '980000',
            window: 'DAY',
          },
          {
            kpiId: 'spread',
            metric: 'SPREAD_PIPS',
            venueKey,
            side: 'BOTH',
            comparator: 'LTE',
            threshold: '10000',
            window: 'DAY',
          },
        ],
        samplingSeconds: sampleSeconds,
        exclusions: [],
        compensation: { model: 'RETAINER', feeQuotePerMonth: weth(5n) },
        period: { from: timeText(from), to: timeText(from + 365 * daySeconds) },
      },
      status: 'ACTIVE',
      reason,
    },
  })
  return body.data
}
