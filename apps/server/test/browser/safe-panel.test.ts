// @covers apps/console/src/pages/proposals/safe-signatures.tsx apps/console/src/pages/proposals/send-to-safe.tsx

import { join } from 'node:path'
import { signSafeTransaction } from '@liquidity-os/localchain'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { catchUp } from '../support/custody.ts'
import {
  approved,
  type Desk,
  type Proposal,
  packetBody,
  proposed,
  safeTransactionOf,
  startDesk,
  transferData,
} from '../support/proposing.ts'
import { callOperation } from '../support/requests.ts'
import { type SafeServiceServer, startSafeService } from '../support/safe-service.ts'
import type { TestService } from '../support/service.ts'
import { ownersOf } from '../support/vaults.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

const { SCREENSHOTS } = process.env
const shot = (name: string) => (SCREENSHOTS ? join(SCREENSHOTS, `${name}.png`) : '/dev/null')

let browser: Browser
let test: TestChain
let safeService: SafeServiceServer
let service: TestService
let desk: Desk
let proposal: Proposal
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  safeService = await startSafeService()
  service = await startVisitedService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl, safeService.url),
  })
  await catchUp(test.chain, service)
  desk = await startDesk(test, service)
  const [token] = test.markets.tokens
  const calls = [{ to: token as string, data: transferData(test.chain.accounts[9]!.address, 1n) }]
  const { id } = await proposed(desk.analyst, packetBody(service, desk, calls))
  proposal = await approved(desk, id)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await safeService?.stop()
  await test?.chain.stop()
})

const open = async (options: Parameters<typeof enterAs>[3] = {}) => {
  const { context, visit, home } = await enterAs(browser, service, desk.owner, options)
  const go = async () => {
    await visit.page.goto(`${home}/proposals/${proposal.id}`)
    await visit.page.getByRole('heading', { name: 'Safe transaction' }).waitFor()
  }
  return { context, visit, page: visit.page, go }
}

it('asks for a Safe Transaction Service, and for a wallet extension', async () => {
  const { context, visit, page, go } = await open()
  await go()
  // The service has no provider of this kind yet, which its page requests anyway.
  visit.faults.length = 0
  await page.getByText('add a Safe Transaction Service').waitFor()
  await page.screenshot({ path: shot('safe-none'), fullPage: true, type: 'png' })
  const registered = await callOperation(desk.owner, 'putOperatingSystemProvider', {
    body: {
      payload: {
        providerId: 'safe-service',
        kind: 'SAFE_SERVICE',
        displayName: 'Safe Transaction Service',
        endpoint: safeService.url,
        configuration: { chainId: 31_337 },
      },
      reason: 'For the test',
    },
  })
  expect([registered.status, registered.fieldErrors]).toEqual([201, {}])
  await go()
  await page.getByText('Not in the queue of the Safe yet.').waitFor()
  await page.getByText('No wallet extension in this browser.').waitFor()
  // Only the panel sends packets. A button above it would need a signature in a plain form.
  expect(
    await page.getByRole('button', { name: 'Send to Safe{Wallet}', exact: true }).count(),
  ).toBe(0)
  await expectAccessible(page)
  await page.screenshot({ path: shot('safe-without-wallet'), fullPage: true, type: 'png' })
  expect(visit.foreignRequests).toEqual([])
  await context.close()
})

it('shows the refusal of a wallet, then the signature of an owner in the queue', async () => {
  const { context, page, go } = await open({ viewport: { width: 390, height: 844 } })
  const transaction = safeTransactionOf(proposal)
  const [signer] = ownersOf(test)
  let isRefused = true
  await context.exposeFunction('walletRequest', async (method: string) => {
    if (method === 'eth_requestAccounts') return [signer!.address]
    if (method !== 'eth_signTypedData_v4') return null
    if (isRefused) return { code: 4001 }
    const { chain } = test
    return signSafeTransaction(chain.chainId, desk.safe, transaction, [signer!])
  })
  await context.addInitScript(`
    globalThis.ethereum = {
      request: async ({ method }) => {
        const answer = await globalThis.walletRequest(method)
        if (answer?.code) throw answer
        return answer
      },
    }
  `)
  await go()
  const sign = page.getByRole('button', { name: 'Sign and send to Safe{Wallet}' })
  await sign.click()
  await page.getByText('You rejected the request in the wallet.').waitFor()
  await page.screenshot({ path: shot('safe-refused'), fullPage: true, type: 'png' })
  expect(safeService.posted).toEqual([])
  isRefused = false
  await sign.click()
  await page.getByText('1 of 2 owners signed in Safe{Wallet}.').waitFor()
  await page.getByText('Signed', { exact: true }).waitFor()
  expect(safeService.posted).toHaveLength(1)
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.screenshot({ path: shot('safe-signed'), fullPage: true, type: 'png' })
  await context.close()
})
