// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/set-up apps/console/src/pages/home.tsx apps/console/src/pages/alerts apps/console/src/pages/study-outputs.tsx apps/console/src/pages/members.tsx apps/console/src/pages/proposal-decision.tsx apps/server/src/families/platform/providers

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { newOrganization, type TestMember, type TestService } from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

let browser: Browser
let test: TestChain
let mailbox: Mailbox
let service: TestService
let owner: TestMember
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  mailbox = await startMailbox()
  service = await startVisitedService({
    WORKER: 'in-process',
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
  await mailbox?.stop()
})

/** Counts the actions of a user: a click, a key chord, a selection, and a filled or pasted field. */
class Actions {
  count = 0
  async click(target: Locator): Promise<void> {
    this.count += 1
    await target.click()
  }
  async fill(target: Locator, text: string): Promise<void> {
    this.count += 1
    await target.fill(text)
  }
  async select(target: Locator, value: string): Promise<void> {
    this.count += 1
    await target.selectOption(value)
  }
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** `SCREENSHOTS` names a folder for pictures of the pages. */
const shot = (page: Page, name: string) =>
  process.env.SCREENSHOTS
    ? page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
    : null

describe('a head of liquidity', () => {
  it('gets from an empty organization to a copied share link in 14 actions', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await page.getByRole('heading', { name: 'Step 1: Connect a chain' }).waitFor()
    // An empty organization shows its steps only.
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(4)
    await expectAccessible(page)
    await actions.fill(page.getByLabel('RPC URL'), `${test.chain.rpcUrl}/?key=a-key`)
    await actions.click(button(page, 'Connect'))
    await page.getByRole('heading', { name: 'Connect a chain (done)' }).waitFor()
    // The URL of a node contains a secret.
    expect((await page.content()).includes('a-key')).toBe(false)
    await actions.fill(page.getByLabel('Token or pool'), test.markets.pool.address)
    await actions.click(button(page, 'Find'))
    await button(page, 'Watch market').waitFor()
    await expectAccessible(page)
    await shot(page, 'first-run-markets')
    await actions.click(button(page, 'Watch market'))
    await button(page, 'Run the first study').waitFor()
    await page.getByText('All events indexed').waitFor()
    await expectAccessible(page)
    await shot(page, 'first-run-study')
    await actions.click(button(page, 'Run the first study'))
    await page.waitForURL(`${home}/studies/study_*`)
    await actions.click(button(page, 'Create link'))
    const links = page.getByRole('list', { name: 'Public links' })
    await actions.click(links.getByRole('button', { name: /copy/i }))
    await links.getByText('Copied').waitFor()
    const url = await page.evaluate('navigator.clipboard.readText()')
    expect((await fetch(String(url))).status).toBe(200)
    expect(actions.count).toBeLessThanOrEqual(14)
    await page.goto(home)
    await page.getByRole('heading', { name: 'Open alerts' }).waitFor()
    expect(await page.getByRole('heading', { name: /^Step/ }).count()).toBe(0)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})
