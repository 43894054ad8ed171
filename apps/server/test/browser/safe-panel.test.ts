// @covers apps/console/src/pages/proposals/safe-signatures.tsx apps/console/src/pages/proposals/send-to-safe.tsx

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signSafeTransaction } from '@liquidity-os/localchain'
import type { Browser } from 'playwright-core'
import { hashTypedData } from 'viem'
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

it('asks for a Safe Transaction Service, and for a signature', async () => {
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
  await page.getByText('Enter a signature of 65 bytes.').waitFor()
  // Only the panel sends packets. A button above it would need a signature in a plain form.
  const buttons = page.getByRole('button', { name: 'Send to Safe{Wallet}', exact: true })
  expect(await buttons.count()).toBe(1)
  await expectAccessible(page)
  await page.screenshot({ path: shot('safe-without-wallet'), fullPage: true, type: 'png' })
  expect(visit.foreignRequests).toEqual([])
  await context.close()
})

it('refuses a foreign signature, then shows the signature of an owner in the queue', async () => {
  const { context, page, go } = await open({ viewport: { width: 390, height: 844 } })
  await go()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Typed data (EIP-712)' }).click()
  const typedData = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'))
  const transaction = safeTransactionOf(proposal)
  expect(hashTypedData(typedData)).toBe(proposal.payload.packets[0]?.hashes.safeTxHash)
  const { chain } = test
  const [signer] = ownersOf(test)
  const send = page.getByRole('button', { name: 'Send to Safe{Wallet}', exact: true })
  const stranger = chain.accounts[9]!
  const foreign = await signSafeTransaction(chain.chainId, desk.safe, transaction, [stranger])
  await page.getByLabel('Signature', { exact: true }).fill(foreign)
  await send.click()
  await page.getByText(`got ${stranger.address}`).waitFor()
  await page.screenshot({ path: shot('safe-refused'), fullPage: true, type: 'png' })
  expect(safeService.posted).toEqual([])
  // A tool wrote the signature into a file.
  const signed = await signSafeTransaction(chain.chainId, desk.safe, transaction, [signer!])
  await page.getByLabel('Or choose a file with the signature').setInputFiles({
    name: 'signed.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ signature: signed })),
  })
  await send.click()
  await page.getByText('1 of 2 owners signed in Safe{Wallet}.').waitFor()
  await page.getByText('Signed', { exact: true }).waitFor()
  expect(safeService.posted).toHaveLength(1)
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.screenshot({ path: shot('safe-signed'), fullPage: true, type: 'png' })
  await context.close()
})
