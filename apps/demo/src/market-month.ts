import type { Client } from '@liquidity-os/client'
import type { Address } from 'viem'
import type { LaunchChain } from './launch-chain.ts'
import { type RecordedMarket, recordedSymbol } from './recorded-market.ts'
import { recordedDays } from './recorded-prices.ts'
import { ensureMarket, indexed, type ObservationRecord, type VenueRecord } from './resources.ts'

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
/** Full days of evidence before today. */
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
  const alertRuleId = await ensureRule(client, venue, email)
  if (!(await findObservation(client, venue))) {
    say(`  Indexing ${recordedDays} days of its market; the alert on its weekly loss is emailed`)
    await indexed(client, venue, { reason })
  }
  say('  Backtesting ranges over the month')
  const observation = await firstObservation(client, venue)
  const monthStudyId = await ensureStudy(client, venue, observation)
  say('  Measuring the KPIs of a market maker')
  const until = Date.parse(observation.payload.range.to.timestamp) / 1000
  const mandateId = await ensureMandate(client, venue, market.maker, until)
  return { monthVenueId: venue.id, monthStudyId, alertRuleId, mandateId }
}

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

/** The oldest observation, which contains the month. */
async function findObservation(
  client: Client,
  { id: subject }: VenueRecord,
): Promise<ObservationRecord | undefined> {
  const { body } = await client.listVenueObservations({ query: { subject, order: 'OLDEST' } })
  return body.data[0]
}

async function firstObservation(client: Client, venue: VenueRecord): Promise<ObservationRecord> {
  const observation = await findObservation(client, venue)
  if (!observation) throw new Error('The index job created no observation of the recorded prices.')
  return observation
}

/** An email channel and a threshold. The rule exists before the index, which evaluates it. */
async function ensureRule(client: Client, venue: VenueRecord, email: string): Promise<string> {
  const known = (await client.listAlertRules()).body.data.find(
    ({ payload }) => payload.name === ruleName,
  )
  if (known) return known.id
  const label = 'Demo owner'
  const channels = (await client.listAlertChannels()).body.data
  const channel =
    channels.find(({ payload }) => payload.label === label) ??
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
  observation: ObservationRecord,
): Promise<string> {
  const { body: found } = await client.listStudies({ query: { subject: venue.id } })
  const known = found.data.find(
    ({ payload, status }) => payload.spec.name === question && status === 'COMPLETED',
  )
  if (known) return known.id
  const { range } = observation.payload
  const made = await client.createStudies({
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        kind: 'REPLAY',
        pair: venue.payload.pair,
        name: question,
        market: {
          venue: { id: venue.id, resourceVersion: observation.payload.venue.resourceVersion },
        },
        observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
        window: { fromBlock: range.from.number, toBlock: range.to.number },
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

const timeText = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/**
 * A mandate that is active for some days, and the books of the pool since then.
 *
 * @param until end of the observed time, in Unix seconds
 */
async function ensureMandate(
  client: Client,
  venue: VenueRecord,
  maker: Address,
  until: number,
): Promise<string> {
  const known = (await client.listMarketMakerMandates()).body.data.find(
    ({ payload }) => payload.title === mandateTitle,
  )
  const mandate = known ?? (await createMandate(client, venue, maker))
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
  await client.ingestMarketMakerEvidence({
    params,
    body: { payload: { source: 'ONCHAIN', venueKey, samples }, reason },
  } as never)
  return mandate.id
}

async function createMandate(client: Client, venue: VenueRecord, maker: Address) {
  const { chainId } = venue.payload.pair
  const now = Math.floor(Date.now() / 1000)
  const from = now - (now % daySeconds) - evidenceDays * daySeconds
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
