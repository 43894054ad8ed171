// @covers apps/server/src/access apps/console/src/pages/your-sign-in.tsx

import type { Browser, CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { minuteMilliseconds } from '../../src/units.ts'
import { reservePort } from '../support/ports.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { colourRules, enterAs, expectAccessible, startBrowser } from './browser.ts'

let browser: Browser
let service: TestService
let owner: TestMember
beforeAll(async () => {
  browser = await startBrowser()
  const port = await reservePort()
  const running = await startTestService({
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
  })
  // Browsers keep passkeys for names, and this machine has one.
  service = { ...running, baseUrl: running.config.baseUrl }
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** An authenticator of the browser's own, whose owner agrees as long as it is told to. */
async function addAuthenticator(devtools: CDPSession): Promise<void> {
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

it('a passkey is added, required for a recent sign-in, and removed', async () => {
  const { context, visit, home } = await enterAs(browser, service, owner)
  const { page } = visit
  await addAuthenticator(await context.newCDPSession(page))
  await page.goto(home)
  await page.locator('summary', { hasText: 'Signed in as' }).click()
  await page.getByRole('link', { name: 'Sign-in methods' }).click()
  await page.getByText('No passkeys.').waitFor()
  // The menu that led here covers the page no more.
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' })
  await page.getByLabel('Passkey name').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const row = page.getByRole('row', { name: /Laptop/ })
  await row.getByText('One device').waitFor()
  await row.getByText('Never').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, colorScheme === 'light' ? {} : { only: colourRules })
  }
  await page.setViewportSize({ width: 360, height: 780 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)

  service.clock.advance(11 * minuteMilliseconds)
  await row.getByRole('button', { name: /Remove/ }).click()
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await page.getByText('Passkey accepted.').waitFor()
  await row.getByRole('button', { name: /Remove/ }).click()
  await page.getByText('No passkeys.').waitFor()
  // The disabledReason that asked for the passkey is a 401, which the browser tells as well.
  expect(visit.faults.filter((fault) => !fault.includes('status of 401'))).toEqual([])
  expect(visit.foreignRequests).toEqual([])
  await context.close()
})
