// @module-tag long
// @covers apps/demo/src

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Client, createClient } from '@liquidity-os/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './demo-process.ts'
import { type RunningDemo, startDemo } from './running-demo.ts'

let demo: RunningDemo
let client: Client
beforeAll(async () => {
  demo = await startDemo()
  const { baseUrl, organizationId, session } = demo.file
  client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
}, 900_000)
afterAll(() => demo?.stop())

const daySeconds = 86_400
const ratio = (value: bigint, of: bigint) => Number((value * 1_000_000n) / of) / 1_000_000

function idOf(name: string): string {
  const id = demo.file.resources[name]
  if (id === undefined) throw new Error(`demo.json has no ${name}.`)
  return id
}

/** WETH per OP times 10^36 at the last recorded swaps of the dataset, by their time. */
function recordedPrices(): { at: number; priceX36: bigint }[] {
  const path = join(root, 'datasets/cl-weth-op-2024/events.csv.gz')
  const [head = '', ...lines] = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
  const columns = head.split(',')
  const of = (line: string) =>
    Object.fromEntries(line.split(',').map((cell, n) => [columns[n], cell]))
  return lines.flatMap((line) => {
    const { type, timestamp, sqrtPriceX96 } = of(line)
    if (type !== 'SWAP') return []
    const root = BigInt(sqrtPriceX96 ?? '')
    return [{ at: Number(timestamp), priceX36: (2n ** 192n * 10n ** 36n) / (root * root) }]
  })
}

it('has 30 days of a market whose prices are those of the recording', async () => {
  const venueId = idOf('monthVenueId')
  const to = Math.floor(Date.now() / 1000)
  const from = new Date((to - 30 * daySeconds) * 1000).toISOString()
  const { body } = await client.readMarketHistory({ query: { venueId, from } })
  const { price, coveredPips, volumeQuote, gaps } = body.data
  // The copy of the first start is at most an hour old.
  const covered = coveredPips.reduce((sum, pips) => sum + pips, 0) / coveredPips.length
  expect(covered).toBeGreaterThan(990_000)
  for (const gap of gaps) expect(gap.to - gap.from).toBeLessThan(2 * 3600)
  const closes = price.close.flatMap((close) => (close === null ? [] : [BigInt(close)]))
  const recorded = recordedPrices()
  const last = recorded.at(-1)!
  expect(ratio(closes.at(-1)!, last.priceX36)).toBeCloseTo(1, 4)
  const month = recorded.filter(({ at }) => at > last.at - 30 * daySeconds)
  const highest = (prices: readonly bigint[]) => prices.reduce((a, b) => (b > a ? b : a))
  const peak = highest(month.map(({ priceX36 }) => priceX36))
  expect(ratio(highest(closes), peak)).toBeGreaterThan(0.97)
  expect(ratio(highest(closes), peak)).toBeLessThanOrEqual(1)
  const traded = volumeQuote.filter((volume) => volume !== null && volume !== '0')
  expect(traded.length).toBeGreaterThan(150)
  const venue = await client.getVenues({ params: { id: venueId } })
  expect(venue.body.data.payload.name).toMatch(/recorded prices, simulated trades$/)
})

it('leaves the flow of traders with one payer out of the score, and prints it as simulated', async () => {
  const [score] = (await client.listScores({ query: { status: 'ACTIVE' } })).body.data
  const { ownFlow, grade, confidencePips } = score!.payload
  // Two of six traders.
  expect(ownFlow!.sharePips).toBeGreaterThan(200_000)
  expect(ownFlow!.sharePips).toBeLessThan(450_000)
  expect(ownFlow!.trades).toBeGreaterThan(60)
  expect(ownFlow!.issuerSharePips).toBe(0)
  expect(confidencePips).toBeGreaterThan(500_000)
  expect(demo.printed).toContain(`grade ${grade}`)
  expect(demo.printed).toMatch(/^Market {4}SIMULATED: /m)
  expect(demo.printed).toContain(`Own flow  ${ownFlow!.sharePips / 10_000} % of the volume`)
})

it('has completed studies of the launch, the month and the day', async () => {
  const month = await client.getStudies({ params: { id: idOf('monthStudyId') } })
  const { result } = month.body.data.payload
  expect(month.body.data.status).toBe('COMPLETED')
  expect(result?.fidelity?.eventsExact).toBe(result?.fidelity?.eventsReplayed)
  const { body } = await client.readStudyVerdict({ params: { id: month.body.data.id } })
  expect(body.data.sentence).toContain('Replay of 30 days')
  const { data } = (await client.listStudies({ query: { status: 'COMPLETED' } })).body
  expect(data).toHaveLength(3)
})

it('has an open alert on the weekly loss, which was emailed', async () => {
  const id = idOf('alertRuleId')
  const { body } = await client.listAlertsV2({ query: { state: 'OPEN' } })
  expect(body.data.map((alert) => alert.id)).toContain(`THRESHOLD:${id}`)
  const firings = (await client.listAlertRuleFirings({ params: { id } })).body.data
  const [firing] = firings.firings
  expect(firings.firings).toHaveLength(1)
  expect(firing?.to).toBeNull()
  const recorded = recordedPrices()
  const last = recorded.at(-1)!
  const before = recorded.findLast(({ at }) => at <= last.at - 7 * daySeconds)!
  const change = (ratio(last.priceX36, before.priceX36) - 1) * 1_000_000
  // The market trades once an hour, so its price a week ago differs by up to an hour's move.
  expect(Math.abs(Number(firing?.extreme) - change)).toBeLessThan(20_000)
  expect(change).toBeLessThan(-100_000)
  expect(demo.printed).toContain(
    'To: demo@example.org\nSubject: [Simulated] Warning: OP weekly loss',
  )
})

it('asks the owner to approve a proposal', async () => {
  const { items } = (await client.listInbox()).body.data
  const waiting = items.filter(({ kind }) => kind === 'APPROVE').map(({ title }) => title)
  expect(waiting).toEqual(['Add a fourth owner to the Safe'])
})

it('has a mandate that one hour breached, by evidence from the chain', async () => {
  const params = { id: idOf('mandateId') }
  const { body } = await client.getMarketMakerMandates({ params })
  const start = Date.parse(body.data.payload.period.from) / 1000
  const dayOf = async (day: number) => {
    const at = new Date((start + day * daySeconds + 12 * 3600) * 1000).toISOString()
    const query = { at, kpiId: 'uptime' }
    const evaluated = await client.evaluateMarketMakerMandate({ params, query })
    const { pessimistic, optimistic, gapSeconds, verdict, trust } =
      evaluated.body.data.evaluations[0]!
    return { pessimistic, optimistic, gapSeconds, verdict, trust }
  }
  const figures = (pips: string, verdict: string) => ({
    pessimistic: pips,
    optimistic: pips,
    gapSeconds: 0,
    verdict,
    trust: 'ONCHAIN',
  })
  expect(await dayOf(3)).toEqual(figures('1000000', 'MET'))
  // 23 of 24 hours.
  expect(await dayOf(4)).toEqual(figures('958333', 'BREACHED'))
})

it('has a valid passport', async () => {
  const { data } = (await client.listPassports()).body
  expect(data.map(({ payload, status }) => [payload.slug, status])).toEqual([
    ['demo-token', 'ACTIVE'],
  ])
})

it('has a runway that covers all current holdings', async () => {
  const { latest } = (await client.getTreasurySummary()).body.data
  expect(latest.projection.availability).toBe('FOUND')
  const [base] = latest.runways
  // 73 WETH are proven or attested, 88 are held, and 4 are paid on the 28th of a month.
  const months = (x3: number | undefined) => (x3 ?? 0) / 1000
  const controlled = months(base?.controlledRunway?.cash.net.monthsX3)
  const all = months(base?.runway.cash.net.monthsX3)
  expect(Math.abs(controlled - 73 / 4)).toBeLessThan(1)
  expect(Math.abs(all - 88 / 4)).toBeLessThan(1)
  const { data } = (await client.listTreasuryProjections()).body
  const newest = data.find(({ id }) => id === latest.projection.source?.id)
  expect(newest?.payload.request.entries).toBeUndefined()
})
