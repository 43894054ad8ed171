// @covers apps/console/src/pages/policies/liquidity-policy.tsx

import { join } from 'node:path'
import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { catchUp } from '../support/custody.ts'
import { type Desk, startDesk } from '../support/proposing.ts'
import { callOperation } from '../support/requests.ts'
import type { TestService } from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

const { SCREENSHOTS } = process.env
const shot = (name: string) => (SCREENSHOTS ? join(SCREENSHOTS, `${name}.png`) : '/dev/null')

let browser: Browser
let test: TestChain
let service: TestService
let desk: Desk
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  service = await startVisitedService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  await catchUp(test.chain, service)
  desk = await startDesk(test, service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
})

it('drafts a policy for liquidity in one market', async () => {
  const { context, visit, home } = await enterAs(browser, service, desk.owner)
  const { page } = visit
  await page.goto(`${home}/policy-intent-drafts`)
  await page.getByRole('heading', { name: 'Policy for liquidity', exact: true }).waitFor()
  const create = page.getByRole('button', { name: 'Create draft', exact: true })
  expect(await create.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Limit per action').fill('0.5')
  await page.getByLabel('Limit per day').fill('2')
  await expectAccessible(page)
  await page.screenshot({ path: shot('liquidity-policy'), fullPage: true, type: 'png' })
  await create.click()
  await page.waitForURL(/policy-intent-drafts\/[a-z_]+_[0-9a-f]{32}/)
  const { data } = await callOperation<VersionedRecord<contract.PolicyIntentDraft>[]>(
    desk.owner,
    'listPolicyIntentDrafts',
  )
  expect(data[0]?.payload.candidate).toMatchObject({
    maximumAmountPerTransaction: `${5n * 10n ** 17n}`,
    maximumDailyTurnover: `${2n * 10n ** 18n}`,
    approvedContracts: [test.chain.contracts.positionManager],
    approvedAdapterIds: ['erc20-allowance', 'uniswap-v3-positions'],
  })
  expect(visit.faults).toEqual([])
  await context.close()
})
