// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/market.tsx apps/server/src/families/intelligence/discovery apps/server/src/families/intelligence/projects

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minuteMilliseconds } from '../../src/units.ts'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { newOrganization, type TestMember, type TestService } from '../support/service.ts'
import {
  enterAs,
  expectAccessible,
  openPage,
  startBrowser,
  startVisitedService,
} from './browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-token-page-'))
let browser: Browser
let test: TestChain
let service: TestService
let owner: TestMember
let token: string
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  token = test.markets.tokens[0]
  const { contracts, chainId, rpcUrl } = test.chain
  const path = join(folder, 'chains.json')
  const factories = [
    { kind: 'UNISWAP_V2', address: contracts.uniswapV2Factory },
    { kind: 'UNISWAP_V3', address: contracts.uniswapV3Factory },
  ]
  const referenceQuote = test.markets.tokens[1]
  writeFileSync(
    path,
    JSON.stringify({ chains: [{ chainId, endpoints: [rpcUrl], referenceQuote, factories }] }),
  )
  service = await startVisitedService({
    PUBLIC_CHAINS: path,
    OUTBOUND_ALLOW: hostOf(rpcUrl),
  })
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
  rmSync(folder, { recursive: true })
})

const photographed = (name: string) => ({
  path: process.env.SCREENSHOTS ? join(process.env.SCREENSHOTS, `${name}.png`) : '/dev/null',
  fullPage: true,
  type: 'png' as const,
})

describe('a token', () => {
  it('is a page for any visitor, also on a phone, and links members to its market', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const visit = await openPage(context, service.baseUrl)
    const { page } = visit
    await page.goto(`${service.baseUrl}/token/31337/${token}`)
    await page.getByRole('heading', { name: 'Token control' }).waitFor()
    await expectAccessible(page)
    await page.screenshot(photographed('token'))
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await expectAccessible(page)
    await page.screenshot(photographed('token-390'))
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await page.goto(`${service.baseUrl}/token/31337/0x12`)
    await page.getByRole('heading', { name: 'Token unavailable' }).waitFor()
    await expectAccessible(page)
    await context.close()
    const member = await enterAs(browser, service, owner)
    await member.visit.page.goto(`${service.baseUrl}/token/31337/${token}`)
    await member.visit.page.getByRole('link', { name: 'Watch its market' }).click()
    await member.visit.page.waitForURL(`${member.home}/markets/new?address=${token.toLowerCase()}`)
    await member.visit.page.getByRole('heading', { name: 'Watch a market' }).waitFor()
    expect(member.visit.faults).toEqual([])
    await member.context.close()
  })

  it('is followed from its address, shows what changed by a swap in both colours, and is found by its name', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(home)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or paste an address' }).fill(token)
    await page.getByRole('option', { name: 'Follow token' }).click()
    await page.getByLabel('Label').fill('Our first token')
    await page.getByLabel('Reason').fill('To see its pools')
    await page.getByRole('button', { name: 'Follow token' }).last().click()
    await page.waitForURL(`${home}/records/projects/project_*`)
    await page.getByText('First reading.').first().waitFor()
    await test.markets.trade(10n ** 17n, 10n ** 16n)
    await test.chain.mine(70)
    service.clock.advance(minuteMilliseconds)
    await page.getByRole('button', { name: 'Refresh project' }).first().click()
    await page.getByLabel('Reason').fill('After a swap')
    await page.getByRole('button', { name: 'Refresh project' }).last().click()
    await page
      .getByText(/Reading 2 vs 1/)
      .first()
      .waitFor()
    await page.getByText('Chart data, 5 rows').click()
    await page.getByRole('columnheader', { name: 'Importance' }).waitFor()
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await page.screenshot(photographed(`project-${colorScheme}-${width}`))
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('2 versions verified in this browser: all hashes match').waitFor()
    await page.getByRole('rowheader', { name: '2 project observed' }).waitFor()
    await page.goto(`${home}/venues`)
    await page.getByRole('heading', { name: 'Venues', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or paste an address' }).fill('token first')
    await page.getByRole('option', { name: 'Our first token' }).click()
    await page.waitForURL(`${home}/records/projects/project_*`)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})
