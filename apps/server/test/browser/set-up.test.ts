// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/set-up apps/console/src/pages/providers apps/console/src/pages/study-outputs.tsx apps/console/src/pages/workbench.tsx

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostOf, providerBody, startTestChain, type TestChain } from '../support/chain.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { type ModelServer, startModelServer, wordsBy } from '../support/model-server.ts'
import {
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { until } from '../support/until.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

let browser: Browser
let test: TestChain
let mailbox: Mailbox
let model: ModelServer
let service: TestService
let owner: TestMember
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  mailbox = await startMailbox()
  model = await startModelServer()
  service = await startVisitedService({
    WORKER: 'in-process',
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl, model.url),
  })
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
  await mailbox?.stop()
  await model?.stop()
})

/** `SCREENSHOTS` names a folder for pictures of the pages. */
const shot = (name: string) =>
  process.env.SCREENSHOTS ? `${process.env.SCREENSHOTS}/${name}.png` : '/dev/null'

describe('a head of liquidity', () => {
  it('watches another market of a connected chain, and compares ranges in it', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    await page.goto(`${home}/markets/new`)
    await page.getByLabel('Token or pool').fill(test.markets.pool.address)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByText('Uniswap v3, fee 0.3 %').waitFor()
    await page.getByRole('button', { name: 'Watch market' }).click()
    await page.getByText('Replay verified every event').waitFor()
    await expectAccessible(page)
    await page.screenshot({
      path: process.env.SCREENSHOT ?? '/dev/null',
      fullPage: true,
      type: 'png',
    })
    await page.getByRole('link', { name: 'View market' }).click()
    await page.getByText('2 % ask depth (buy)').waitFor()
    await page.goto(`${home}/studies/new`)
    await page.getByRole('button', { name: 'Run backtest' }).click()
    await page.getByText('Positions vs HODL, in').waitFor()
    await page.getByLabel('Above the price, %').first().fill('60')
    await page.getByRole('button', { name: 'Run backtest' }).click()
    await page.getByText('(was −20 % to +25 %)').waitFor()
    await expectAccessible(page)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('sees the state, the calls and the limits of its node, and probes it', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(`${home}/settings?tab=providers`)
    const row = page
      .getByRole('region', { name: 'Providers' })
      .getByRole('row', { name: /RPC node/ })
    await row.getByText('Up', { exact: true }).waitFor()
    await row.getByText('Local chain', { exact: true }).first().waitFor()
    await expectAccessible(page)
    await page.screenshot({ path: shot('providers'), fullPage: true, type: 'png' })
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'Calls per minute' }).waitFor()
    await page.getByText('No limits learned.').waitFor()
    await page.getByText('Reads state by block hash.').waitFor()
    await page.getByRole('button', { name: 'Probe this node' }).click()
    await page.getByRole('status').getByRole('link', { name: 'View jobs' }).waitFor()
    await until('the probe ends', async () => {
      const { body } = await owner.client.listOperatingSystemJobs({
        query: { kind: 'PROVIDER_PROBE', status: 'COMPLETED' },
      })
      return body.data.length > 0
    })
    await expectAccessible(page)
    await page.screenshot({ path: shot('provider'), fullPage: true, type: 'png' })
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('adds a language model with its key, and reads what it accepts', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    model.answer = wordsBy((text) => text, 'ANTHROPIC')
    await page.goto(`${home}/settings?tab=providers`)
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByLabel('Kind').selectOption({ label: 'Language model' })
    expect(await page.getByLabel('URL').inputValue()).toBe('https://api.openai.com/v1')
    await page.getByLabel('API', { exact: true }).selectOption({ label: 'Anthropic' })
    expect(await page.getByLabel('URL').inputValue()).toBe('https://api.anthropic.com')
    await page.getByText('Enter the name of the model.').waitFor()
    await page.getByLabel('Model', { exact: true }).fill('a-model')
    await page.getByLabel('URL').fill(model.url)
    await page.getByLabel('API key').fill('secret-of-the-model')
    await expectAccessible(page)
    await page.screenshot({ path: shot('new-provider'), fullPage: true, type: 'png' })
    await page.getByRole('button', { name: 'Check and add' }).click()
    await page.getByRole('heading', { level: 1, name: /127\.0\.0\.1/ }).waitFor()
    expect(model.requests.at(-1)?.headers['x-api-key']).toBe('secret-of-the-model')
    expect(await page.content()).not.toContain('secret-of-the-model')
    await page.screenshot({ path: shot('language-model'), fullPage: true, type: 'png' })
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('creates a report with files that open, and a public link that can be revoked', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(`${home}/studies`)
    await page.getByRole('main').locator('tbody a').first().click()
    await page.getByRole('button', { name: 'Create report' }).click()
    const files = page.getByRole('list', { name: 'Report files' })
    await files.waitFor()
    const links = await files.getByRole('link').all()
    expect(links.length).toBeGreaterThanOrEqual(4)
    for (const link of links) {
      const href = await link.getAttribute('href')
      const response = await context.request.get(new URL(href ?? '', service.baseUrl).href)
      expect([href, response.status()]).toEqual([href, 200])
      expect((await response.body()).byteLength).toBeGreaterThan(500)
    }
    await page.getByRole('button', { name: 'Create link' }).click()
    const shares = page.getByRole('list', { name: 'Public links' })
    const url = await shares.getByRole('link').getAttribute('href')
    const stranger = await browser.newContext()
    expect((await stranger.request.get(url ?? '')).status()).toBe(200)
    await expectAccessible(page)
    await page.screenshot({ path: shot('study-outputs'), fullPage: true, type: 'png' })
    await shares.getByRole('button', { name: 'Revoke' }).click()
    await shares.getByRole('button', { name: 'Confirm: revoke' }).click()
    await shares.waitFor({ state: 'detached' })
    expect((await stranger.request.get(url ?? '')).status()).toBe(404)
    await stranger.close()
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('decides with another owner whether the token of a venue is its own', async () => {
    const second = await newMember(service, owner.organizationId, 'OWNER')
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const asAnalyst = await enterAs(browser, service, analyst)
    await asAnalyst.visit.page.goto(asAnalyst.home)
    await asAnalyst.visit.page.getByText('Requires the Owner role.').waitFor()
    await asAnalyst.context.close()
    const asOwner = await enterAs(browser, service, owner)
    await asOwner.visit.page.goto(asOwner.home)
    await asOwner.visit.page.getByText('your own token?').waitFor()
    await expectAccessible(asOwner.visit.page)
    await asOwner.visit.page.getByRole('button', { name: 'as external' }).click()
    await asOwner.visit.page.getByText('Another owner must confirm.').waitFor()
    const asSecond = await enterAs(browser, service, second)
    await asSecond.visit.page.goto(asSecond.home)
    await asSecond.visit.page.getByRole('button', { name: 'Confirm' }).click()
    await asSecond.visit.page.getByText('was marked as external').waitFor({ state: 'detached' })
    const listed = await owner.client.listTreasuryAssets()
    expect(listed.body.data.map((row) => [row.standing, row.class, row.pending])).toEqual([
      ['DECLARED', 'CRYPTO_OTHER', null],
    ])
    expect([asOwner.visit.faults, asSecond.visit.faults]).toEqual([[], []])
    await asOwner.context.close()
    await asSecond.context.close()
  })

  it('reports an invalid address, and the role that can connect a node', async () => {
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const { context, visit, home } = await enterAs(browser, service, viewer, {
      viewport: { width: 360, height: 740 },
    })
    const { page } = visit
    await page.goto(`${home}/markets/new`)
    await page.getByText('OPERATOR').first().waitFor()
    await expectAccessible(page)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(360)
    await context.close()
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const second = await enterAs(browser, service, analyst)
    await second.visit.page.goto(`${second.home}/markets/new?address=0x12`)
    await second.visit.page.getByText('Not an address of this chain.').waitFor()
    await second.context.close()
    const third = await enterAs(browser, service, owner)
    const input = third.visit.page.getByLabel('Token or pool')
    await third.visit.page.goto(`${third.home}/markets/new`)
    await input.fill(test.chain.accounts[9]!.address)
    await third.visit.page.getByRole('button', { name: 'Find', exact: true }).click()
    await third.visit.page.getByText('No contract exists at this address').waitFor()
    await input.and(third.visit.page.locator(':focus')).waitFor()
    await third.context.close()
  })
})
