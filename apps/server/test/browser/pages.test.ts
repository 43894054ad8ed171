// @covers apps/server/src/access apps/server/src/http/routes docs/print.ts

import { operations } from '@liquidity-os/contract'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addMember } from '../../src/access/administration.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { linkIn, type Mailbox, startMailbox } from '../support/mailbox.ts'
import { reservePort } from '../support/ports.ts'
import { newOrganization, startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, openPage, startBrowser, type Visit } from './browser.ts'

let browser: Browser
let mailbox: Mailbox
let identities: IdentityProvider
let service: TestService
let context: BrowserContext
let visit: Visit
let email: string
let number = 0
beforeAll(async () => {
  browser = await startBrowser()
  mailbox = await startMailbox()
  const port = await reservePort()
  const baseUrl = `http://127.0.0.1:${port}`
  identities = await startIdentityProvider(`${baseUrl}/auth/openid/callback`)
  service = await startTestService({
    SMTP_URL: mailbox.url,
    PORT: String(port),
    BASE_URL: baseUrl,
    OPENID_ISSUER: identities.issuer,
    OPENID_CLIENT_ID: identities.clientId,
    OPENID_CLIENT_SECRET: identities.clientSecret,
    OPENID_NAME: 'Example Login',
  })
})
beforeEach(async () => {
  // Links are limited by the hour; every test begins in one of its own.
  service.clock.advance(3_600_000)
  const { organizationId } = await newOrganization(service)
  number += 1
  email = `reader${number}@example.org`
  await addMember(service.database, { organizationId, email, role: 'VIEWER' }, service.clock.read())
  context = await browser.newContext()
  visit = await openPage(context, service.baseUrl)
})
afterEach(async () => {
  expect(visit.faults).toEqual([])
  expect(visit.foreignRequests).toEqual([])
  await context.close()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await mailbox?.stop()
  await identities?.stop()
})

/** Fills in the form and gives the link that was mailed. */
async function askForLink({ page }: Visit): Promise<string> {
  await page.goto(`${service.baseUrl}/auth/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Send sign-in link' }).click()
  await page.getByText('a link was sent').waitFor()
  return linkIn(await mailbox.mailTo(email)).url
}

describe('the sign-in page', () => {
  it('sends a link, and signs in the user who opens it in the same browser and presses the button', async () => {
    const link = await askForLink(visit)
    const second = await openPage(context, service.baseUrl)
    await second.page.goto(link)
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('service_session')
    await second.page.getByRole('button', { name: 'Sign in' }).click()
    await second.page.getByText('You are signed in.').waitFor()
    const session = (await context.cookies()).find(({ name }) => name === 'service_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    await second.page.waitForURL(`${service.baseUrl}/`)
    expect(second.faults).toEqual([])
  })

  it('accepts a link pasted into the tab that requested it', async () => {
    const link = await askForLink(visit)
    await visit.page.goto(link)
    await visit.page.getByRole('button', { name: 'Sign in' }).click()
    await visit.page.getByText('You are signed in.').waitFor()
  })

  it('rejects the link in another browser with a message', async () => {
    const link = await askForLink(visit)
    const other = await browser.newContext()
    const thief = await openPage(other, service.baseUrl)
    await thief.page.goto(link)
    await thief.page.getByRole('button', { name: 'Sign in' }).click()
    await thief.page.getByRole('status').getByText(/link/i).waitFor()
    expect(await other.cookies()).toEqual([])
    await other.close()
  })

  it.each(['/auth/sign-in', '/'])(
    'leads from %s to the provider of identities and back',
    async (path) => {
      identities.person = { id: email, email, isVerified: true }
      const { page } = visit
      await page.goto(`${service.baseUrl}${path}`)
      const back = page.waitForResponse(
        (answer) => new URL(answer.url()).pathname === '/auth/openid/callback',
      )
      await page.getByRole('link', { name: 'Sign in with Example Login' }).click()
      expect((await back).status()).toBe(302)
      const session = await context.request.get(`${service.baseUrl}/auth/session`)
      expect(await session.json()).toMatchObject({ data: { email } })
      // The provider is another host, and where the person was sent.
      visit.foreignRequests.length = 0
    },
  )

  it('is worked with the keyboard alone', async () => {
    const { page } = visit
    await page.goto(`${service.baseUrl}/auth/sign-in`)
    await page.keyboard.press('Tab')
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByText('a link was sent').waitFor()
    expect(await page.getByRole('status').getAttribute('aria-live')).toBe('polite')
  })

  it.each(['light', 'dark'] as const)(
    'is accessible in %s colours, in each of its states',
    async (colorScheme) => {
      const { page } = visit
      await page.emulateMedia({ colorScheme })
      await page.goto(`${service.baseUrl}/auth/sign-in`)
      await expectAccessible(page)
      const link = await askForLink(visit)
      await expectAccessible(page)
      const second = await openPage(context, service.baseUrl)
      await second.page.emulateMedia({ colorScheme })
      await second.page.goto(link)
      await second.page.getByRole('button', { name: 'Sign in' }).waitFor()
      await expectAccessible(second.page)
      expect(second.faults).toEqual([])
    },
  )

  it('fits a small telephone', async () => {
    const { page } = visit
    await page.setViewportSize({ width: 320, height: 568 })
    await page.goto(`${service.baseUrl}/auth/sign-in`)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(320)
  })
})

describe('the other pages', () => {
  it.each(['light', 'dark'] as const)(
    'the front page is accessible in %s colours',
    async (colorScheme) => {
      const { page } = visit
      await page.emulateMedia({ colorScheme })
      await page.goto(service.baseUrl)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page)
    },
  )

  it('the reference shows the operations, and contacts only the service', async () => {
    const { page } = visit
    // A document of six megabytes takes a machine that is busy its time.
    page.setDefaultTimeout(100_000)
    await page.goto(`${service.baseUrl}/docs/api/`)
    await page.getByRole('heading', { name: 'Liquidity OS', exact: false }).first().waitFor()
    for (const { summary } of operations.filter(({ tag }) => tag === 'Plan').slice(0, 5)) {
      await page.getByText(summary).first().waitFor({ state: 'attached' })
    }
    expect(await page.title()).toContain('Liquidity OS')
  })

  it('the guide search leads by keyboard to the row of a code', async () => {
    const { page } = visit
    await page.goto(`${service.baseUrl}/docs`)
    await page.getByRole('link', { name: 'Launch decision walkthrough' }).last().click()
    await page.getByRole('heading', { level: 1, name: /Launch decision/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Search the guide' }).focus()
    await page.keyboard.type('LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET')
    await page.keyboard.press('Enter')
    await page
      .getByRole('listitem')
      .getByRole('link', { name: /^LIQUIDITY_CAPITAL_RANGE/ })
      .click()
    const row = page.locator('tr:target')
    await row.getByText('LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET').waitFor()
    expect(page.url()).toContain('/docs/errors#')
  })

  it.each(['light', 'dark'] as const)(
    'the guide is accessible in %s colours, and fits a telephone',
    async (colorScheme) => {
      const { page } = visit
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 360, height: 740 })
      for (const path of ['', 'studies', 'methodology/', 'search?q=depth']) {
        await page.goto(`${service.baseUrl}/docs/${path}`)
        await expectAccessible(page)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      }
    },
  )
})
