// @covers apps/console/src/pages/market-table.tsx apps/console/src/pages/market-numbers.tsx apps/console/src/pages/market-history.tsx apps/console/src/pages/market-liquidity.tsx apps/console/src/pages/own-positions.tsx apps/console/src/pages/runway.tsx apps/console/src/fields/exact.tsx

import type { contract } from '@liquidity-os/contract'
import { startLocalchain } from '@liquidity-os/localchain'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  changeText,
  monthsText,
  priceDecimals,
  shortFigure,
} from '../../../console/src/fields/figures.ts'
import { input, line } from '../../src/families/plan/treasury-assumptions/testing/sets.ts'
import { deployMarkets, poolFee } from '../../src/integrations/chain/testing/markets.ts'
import { hostOf, pairBody, poolBody, providerBody, type TestChain } from '../support/chain.ts'
import { approvePositions, mintPosition } from '../support/position-token.ts'
import { callOperation } from '../support/requests.ts'
import { indexTo } from '../support/scoring.ts'
import { newOrganization, type TestMember, type TestService } from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

let browser: Browser
/** Symbols of the token contracts; the names of the venues state others. */
let [baseSymbol, quoteSymbol] = ['', '']
let test: TestChain
let service: TestService
let owner: TestMember
let tokenId = 0n

/** A pool and a pair with trades on two days, up to shortly before the noon of the test clock. */
async function startMarkets(): Promise<TestChain> {
  const secondsOf = (time: string) => Date.parse(time) / 1000
  const chain = await startLocalchain({
    timestamp: secondsOf('2026-01-04T08:00:00Z'),
    blockSeconds: 60,
  })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  await approvePositions({ chain, markets })
  tokenId = await mintPosition(
    { chain, markets },
    {
      recipient: chain.accounts[1]!.address,
      fee: poolFee,
      tickLower: -600,
      tickUpper: 600,
      desired: 10n ** 18n,
    },
  )
  for (const time of ['2026-01-04T23:57:30Z', '2026-01-05T03:10:20Z', '2026-01-05T11:49:00Z']) {
    for (let swap = 0; swap < 6; swap += 1)
      await markets.swap(swap % 3 !== 0, 10n ** 17n + BigInt(swap) * 10n ** 15n)
    await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(secondsOf(time)) })
  }
  await markets.trade(10n ** 15n, 9n * 10n ** 14n)
  await chain.testClient.setBlockTimestampInterval({ interval: 1 })
  return { chain, markets }
}

beforeAll(async () => {
  browser = await startBrowser()
  test = await startMarkets()
  service = await startVisitedService({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
  owner = await newOrganization(service)
  await watchMarkets()
  const { base, quote } = await readMarket()
  expect(new Set([base.symbol, quote.symbol])).toEqual(new Set(['ONE', 'TWO']))
  baseSymbol = base.symbol!
  quoteSymbol = quote.symbol!
  await projectTreasury()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
})

/** Indexes a pool and a pair with misleading names up to the newest trade. */
async function watchMarkets(): Promise<void> {
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const newest = Number(await test.chain.publicClient.getBlockNumber())
  await test.chain.mine(64)
  const bodies = [
    poolBody(test, { name: 'ENS / WETH v3 0.30 %' }),
    pairBody(test, { name: 'ENS / WETH v2' }),
  ]
  for (const body of bodies) {
    const made = await owner.client.createVenues({
      body: { ...body, status: 'VALIDATED' } as never,
    })
    await indexTo(owner, made.body.data.id, newest)
  }
}

async function create<Data>(operation: string, body: object): Promise<Data> {
  const response = await callOperation<Data>(owner, operation as never, {
    body: { reason: 'For the test', ...body },
  })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data
}

/** A holding of the quote token that pays salaries for some months. */
async function projectTreasury(): Promise<void> {
  const [, quote] = test.markets.tokens
  const asset = `eip155:31337/erc20:${quote.toLowerCase()}`
  const address = test.chain.accounts[0]!.address
  await create('createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: 'Reserve',
      asset,
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address },
    },
  })
  const [balance] = (await owner.client.getTreasurySummary()).body.data.byAsset
  const amount = `${(BigInt(balance!.quantity) * 3n) / 20n}`
  const set = await create<{ id: string; resourceType: string; resourceVersion: string }>(
    'createTreasuryAssumptions',
    input({ quoteKey: asset, lines: [line({ assetKey: asset, amount })], horizonMonths: 24 }),
  )
  const { id, resourceType, resourceVersion } = set
  await create('createTreasuryProjection', { assumptions: { id, resourceType, resourceVersion } })
}

/** `SCREENSHOTS` names a folder for pictures of the pages. */
const shot = (name: string) =>
  process.env.SCREENSHOTS ? `${process.env.SCREENSHOTS}/${name}.png` : '/dev/null'

type Market = contract.MarketSummary

const readMarket = async (): Promise<Market> => {
  const { body } = await owner.client.listMarketSummaries()
  return body.data.markets[0]! as Market
}

/** Figures of a market with their units, as both pages print them. */
function expectedFigures(market: Market) {
  const { base, quote } = market
  const amount = (atoms: string) => shortFigure(BigInt(atoms), quote.decimals)
  return {
    price: `${shortFigure(BigInt(market.priceX36!), priceDecimals(base, quote))} ${quoteSymbol}`,
    change: changeText(market.change24hPips!).replace('\u00a0', ' '),
    buy: amount(market.depth2!.buyQuote),
    sell: amount(market.depth2!.sellQuote),
    volume: `${amount(market.volume24hQuote!)} ${quoteSymbol}`,
    tvl: `${amount(market.tvlQuote!)} ${quoteSymbol}`,
  }
}

/** Text without the arrow of a change. */
const plain = (text: string) => text.replace(/[▲▼]/g, '').replaceAll(/\s+/g, ' ').trim()

const openHome = async (options: Parameters<typeof enterAs>[3] = {}) => {
  const entered = await enterAs(browser, service, owner, options)
  onTestFinished(() => entered.context.close())
  return entered
}

async function expectFits(page: Page, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
}

describe('Home', () => {
  it('begins with the markets, with the figures of the API', async () => {
    const { visit, home } = await openHome({ permissions: ['clipboard-write', 'clipboard-read'] })
    const { page } = visit
    await page.goto(home)
    const row = page.getByRole('region', { name: 'Markets' }).locator('tbody tr')
    await row.getByRole('img', { name: /^Price of the last 7 days/ }).waitFor()
    const market = await readMarket()
    const cell = async (name: string) =>
      plain(await row.locator(`td[data-label="${name}"]`).innerText())
    const { price, change, buy, sell, volume, tvl } = expectedFigures(market)
    expect(await row.getByRole('rowheader').innerText()).toMatch(
      new RegExp(`^${baseSymbol}/${quoteSymbol}`),
    )
    expect([await cell('Price'), await cell('24 h change')]).toEqual([price, change])
    expect(await cell('2 % depth, buy / sell')).toBe(`${buy} / ${sell} ${quoteSymbol}`)
    expect([await cell('24 h volume'), await cell('TVL')]).toEqual([volume, tvl])
    expect([await cell('Score'), await cell('Open alerts')]).toEqual(['— No active score.', '0'])
    // The page is no wider than its window, although its table has many columns.
    await expectFits(page, 1280)
    // A focused figure shows all its digits, and a press copies them.
    const button = row.locator('td[data-label="Price"] button')
    const before = await button.innerText()
    await button.focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    expect((await button.innerText()).length).toBeGreaterThan(before.length)
    await page.keyboard.press('Enter')
    await button.getByText('Copied').waitFor()
    await expectAccessible(page)
    await page.screenshot({ path: shot('home'), fullPage: true, type: 'png' })
    await row.getByRole('link').first().click()
    await page.waitForURL(`${home}/markets/${market.pairKey}`)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
  })

  it('shows the runway and the balances of the treasury', async () => {
    const { visit, home } = await openHome()
    const { page } = visit
    await page.goto(home)
    const { latest, byAsset } = (await owner.client.getTreasurySummary()).body.data
    const { runway, controlledRunway, scenarioId } = latest.runways[0]!
    const { cash } = controlledRunway ?? runway
    const heading = page.getByRole('heading', { name: 'Treasury' })
    const tile = page.locator('section').filter({ has: heading })
    await tile
      .getByRole('link', { name: `Runway ${monthsText(cash.net.monthsX3)} months` })
      .waitFor()
    await tile.getByText(`Cash, ${scenarioId} case, runs out`).waitFor()
    await tile
      .getByText(
        `All liquid holdings, proven or not: ${monthsText(runway.liquid.net.monthsX3)} months.`,
      )
      .waitFor()
    const [balance] = byAsset
    const amount = shortFigure(BigInt(balance!.quantity), 18)
    await tile.getByRole('button', { name: `${amount} ${quoteSymbol}` }).waitFor()
  })

  it('shows cards on a phone, in both themes', async () => {
    const { visit, home } = await openHome({ viewport: { width: 360, height: 780 } })
    const { page } = visit
    await page.goto(home)
    await page.getByRole('img', { name: /^Price of the last 7 days/ }).waitFor()
    await expectFits(page, 360)
    await page.screenshot({ path: shot('phone'), fullPage: true, type: 'png' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
  })
})

describe('the market page', () => {
  it('shows the figures of the API, and charts of the range in its URL', async () => {
    const market = await readMarket()
    const { visit, home } = await openHome()
    const { page } = visit
    await page.goto(`${home}/markets/${market.pairKey}`)
    const tile = async (name: string) => {
      const label = page.getByText(name, { exact: true })
      return plain(await page.locator('dl > div').filter({ has: label }).locator('dd').innerText())
    }
    await page.getByText('24 h change', { exact: true }).waitFor()
    const { price, change, buy, sell, volume, tvl } = expectedFigures(market)
    expect([await tile('Price'), await tile('24 h change')]).toEqual([price, change])
    expect(await tile('2 % ask depth (buy)')).toBe(`${buy} ${quoteSymbol}`)
    expect(await tile('2 % bid depth (sell)')).toBe(`${sell} ${quoteSymbol}`)
    expect([await tile('24 h volume'), await tile('TVL')]).toEqual([volume, tvl])
    expect(await tile('Score')).toBe('— No active score.')
    await expectCharts(page, market, DAY)
    await page.screenshot({ path: shot('market'), fullPage: true, type: 'png' })
    await expectAccessible(page)
    await page.getByRole('link', { name: '30 d', exact: true }).click()
    await page.waitForURL(/\?range=30d$/)
    await expectCharts(page, market, 30 * DAY)
    await page.screenshot({ path: shot('month'), fullPage: true, type: 'png' })
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.waitForURL(/\?range=all$/)
    await page.getByRole('application', { name: 'Price', exact: true }).waitFor()
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
  })

  it('has charts with keyboard and table on a phone, in the dark', async () => {
    const market = await readMarket()
    const { visit, home } = await openHome({
      viewport: { width: 360, height: 780 },
      colorScheme: 'dark',
    })
    const { page } = visit
    await page.goto(`${home}/markets/${market.pairKey}?range=7d`)
    const chart = page.getByRole('application', { name: 'Price', exact: true })
    await chart.focus()
    await page.keyboard.press('End')
    const readout = page.getByRole('figure').filter({ has: chart }).getByRole('status')
    expect(await readout.innerText()).toContain('Close')
    await page.keyboard.press('t')
    await page.getByRole('region', { name: 'Chart data: Price' }).waitFor()
    await expectFits(page, 360)
    await expectAccessible(page)
    await page.screenshot({ path: shot('market-phone'), fullPage: true, type: 'png' })
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
  })
})

describe('liquidity and positions of a market', () => {
  it('show the sums of the API, and the fees of a position that the user adds', async () => {
    const market = await readMarket()
    const { visit, home } = await openHome()
    const { page } = visit
    await page.goto(`${home}/markets/${market.pairKey}`)
    await page.getByRole('link', { name: 'Liquidity and positions' }).click()
    const venue = page.getByLabel('Venue')
    await venue.selectOption({ label: 'ENS / WETH v3 0.30 %' })
    const params = { id: await venue.inputValue() }
    const liquidity = (await owner.client.readVenueLiquidity({ params } as never)).body.data
    const amount = (atoms: bigint) => `${shortFigure(atoms, market.quote.decimals)} ${quoteSymbol}`
    const sum = (side: string) =>
      amount(
        liquidity.bins
          .filter((bin) => bin.side === side)
          .reduce((all, { valueQuote }) => all + BigInt(valueQuote), 0n),
      )
    await page
      .getByText(`${sum('SELL')} below the price and ${sum('BUY')} above it, at the current price.`)
      .first()
      .waitFor()
    await page.getByRole('group', { name: 'Distance from the price' }).waitFor()
    await page.getByText('Add a position').click()
    await page.getByLabel('Position number').fill(`${tokenId}`)
    await page.getByLabel('Wallet that owns it').fill(test.chain.accounts[1]!.address)
    await page.getByRole('button', { name: 'Add position' }).click()
    // The test chain is not a well-known one.
    await page.getByLabel('Position manager').fill(test.chain.contracts.positionManager)
    await page.getByRole('button', { name: 'Add position' }).click()
    const row = page.getByRole('region', { name: 'Your positions' }).locator('tbody tr')
    await row.getByText('In range').waitFor()
    const { positions } = (await owner.client.listOwnPositions({ params } as never)).body.data
    const { amounts, uncollected } = positions[0]!
    expect(BigInt(uncollected!.valueQuote)).toBeGreaterThan(0n)
    const cell = async (name: string) =>
      plain(await row.locator(`td[data-label="${name}"]`).innerText())
    expect(await cell('Value')).toBe(amount(BigInt(amounts!.valueQuote)))
    expect(await cell('Uncollected fees')).toBe(
      `${shortFigure(BigInt(uncollected!.base), market.base.decimals)} ${baseSymbol} + ${amount(BigInt(uncollected!.quote))}`,
    )
    await page.getByText('Own', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.screenshot({ path: shot('positions'), fullPage: true, type: 'png' })
    await page.setViewportSize({ width: 360, height: 780 })
    await expectFits(page, 360)
    await page.screenshot({ path: shot('positions-phone'), fullPage: true, type: 'png' })
    // The first request of the form has no manager.
    const rejected = visit.faults.filter((fault) => !/status of 4(00|22)/.test(fault))
    expect([rejected, visit.foreignRequests]).toEqual([[], []])
  })
})

const DAY = 86_400

/** Sentences of the charts, computed again from the history of the API. */
async function expectCharts(page: Page, market: Market, seconds: number): Promise<void> {
  const { asOf } = (await owner.client.listMarketSummaries()).body.data
  const { body } = await owner.client.readMarketHistory({
    query: {
      pair: market.pairKey,
      from: new Date(Date.parse(asOf) - seconds * 1000).toISOString(),
      points: 240,
      bands: '20000',
    } as never,
  })
  const { price, volumeQuote, depth, base, quote } = body.data
  const closes = price.close.flatMap((close) => close ?? [])
  const ends = [closes[0]!, closes.at(-1)!].map((close) =>
    shortFigure(BigInt(close), priceDecimals(base, quote)),
  )
  const total = volumeQuote.reduce((sum, volume) => sum + BigInt(volume ?? 0), 0n)
  const last = (values: readonly (string | null)[]) =>
    shortFigure(BigInt(values.findLast((value) => value !== null)!), quote.decimals)
  const { buy, sell } = depth['20000']!
  await page
    .getByText(`Price from ${ends[0]} to ${ends[1]} ${quoteSymbol} per ${baseSymbol}.`)
    .first()
    .waitFor()
  await page
    .getByText(
      `2 % depth at the end: ${last(buy)} ${quoteSymbol} buy, ${last(sell)} ${quoteSymbol} sell.`,
    )
    .first()
    .waitFor()
  await page
    .getByText(`Observed volume: ${shortFigure(total, quote.decimals)} ${quoteSymbol}.`)
    .first()
    .waitFor()
  for (const name of ['Price', 'Depth', 'Volume'])
    await page.getByRole('application', { name, exact: true }).waitFor()
}
