// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/set-up apps/console/src/pages/workbench.tsx apps/server/src/families/platform/providers

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import {
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

let browser: Browser
let test: TestChain
let service: TestService
let owner: TestMember
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  service = await startVisitedService({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
})

describe('a head of liquidity', () => {
  it('comes from the address of a node and of a pool to a market that is read, in three presses, and compares ranges in it', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(`${home}/set-up`)
    await page.getByLabel('RPC URL').fill(`${test.chain.rpcUrl}/?key=a-key`)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Selected', { exact: true }).waitFor()
    await page.getByLabel('Token or pool').fill(test.markets.pool.address)
    // What is in the address of a node is a secret, and shown nowhere.
    expect((await page.content()).includes('a-key')).toBe(false)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByText('Uniswap v3, fee 0.3 %').waitFor()
    await expectAccessible(page)
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
    await page.goto(`${home}/study-ranges`)
    await page.getByRole('button', { name: 'Run backtest' }).click()
    await page.getByText('Positions vs HODL, in').waitFor()
    await page.getByLabel('Above the price, %').first().fill('60')
    await page.getByRole('button', { name: 'Run backtest' }).click()
    await page.getByText('(was −20 % to +25 %)').waitFor()
    await expectAccessible(page)
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
    await page.goto(`${home}/set-up`)
    await page.getByText('OPERATOR').first().waitFor()
    await expectAccessible(page)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(360)
    await context.close()
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const second = await enterAs(browser, service, analyst)
    await second.visit.page.goto(`${second.home}/set-up?address=0x12`)
    await second.visit.page.getByText('Invalid address').waitFor()
    await second.context.close()
  })
})
