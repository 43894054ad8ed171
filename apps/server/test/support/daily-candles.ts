import { queueDue } from '../../src/jobs/schedules.ts'
import { startWorkers } from '../../src/service.ts'
import { daySeconds } from '../../src/units.ts'
import { candlesOf, type PriceSource } from './price-source.ts'
import { signInAgain, type TestMember, type TestService } from './service.ts'
import { until } from './until.ts'

/** A feed of daily closes. Its base has 18 decimals, and its quote as many if it does not say otherwise. */
interface DailyFeed {
  readonly feed: string
  readonly symbol: string
  /** Unix seconds of the first day. */
  readonly since: number
  readonly base: string
  readonly quote: string
  readonly quoteDecimals?: number
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString()

/**
 * Runs workers until they have read daily candles of the provider `exchange` for the day before
 * `until`, for each feed. The service clock advances, so the organization's sessions expire.
 *
 * @param input.closeAt close of the day that starts at the given Unix seconds, as text
 */
export async function readDailyCandles(
  service: TestService,
  owner: TestMember,
  terms: {
    readonly source: PriceSource
    readonly feeds: readonly DailyFeed[]
    readonly closeAt: (openAt: number) => string
    readonly until: number
  },
): Promise<void> {
  const { source, feeds, closeAt } = terms
  source.answer = ({ searchParams }) =>
    candlesOf(searchParams, {
      grid: daySeconds,
      now: Math.floor(service.clock.read() / 1000),
      closeAt,
    })
  await owner.client.putOperatingSystemProvider({
    body: {
      payload: {
        providerId: 'exchange',
        kind: 'MARKET_DATA',
        displayName: 'Exchange',
        endpoint: source.url,
        configuration: {
          shape: 'CCXT',
          feeds: feeds.map(({ feed, symbol, since, base, quote, quoteDecimals = 18 }) => ({
            feed,
            kind: 'CANDLE',
            exchange: 'kraken',
            symbol,
            timeframe: '1d',
            since: dayOf(since),
            base,
            baseDecimals: 18,
            quote,
            quoteDecimals,
          })),
        },
      },
      reason: 'For the test',
    },
  } as never)
  const workers = await startWorkers(service.services)
  const last = dayOf(terms.until - daySeconds).slice(0, 10)
  await until('the days were read', async () => {
    service.clock.advance(400_000)
    await queueDue(service.services)
    await signInAgain(service, owner)
    const { data } = (await owner.client.listPriceSeries()).body
    const isRead = data.every(({ payload }) => (payload.segment?.day ?? '') >= last)
    return data.length === feeds.length && isRead
  })
  await workers.stop()
}
