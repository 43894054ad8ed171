// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/makers apps/console/src/pages/passport.tsx apps/console/src/pages/passports

import { readFileSync } from 'node:fs'
import { sha256Hex, signPassport } from '@liquidity-os/evidence'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { emptyBook, ingest, mandated, samplesFrom } from '../support/mandating.ts'
import {
  draft,
  prepared,
  publishSigned,
  registerKey,
  settled,
  startPassportScene,
  stopPassportScene,
} from '../support/passporting.ts'
import { reservePort } from '../support/ports.ts'
import { newOrganization, type TestService } from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'
import { Actions, button, shots } from './journeys.ts'

let browser: Browser
let service: TestService
beforeAll(async () => {
  browser = await startBrowser()
  service = await startVisitedService({ WORKER: 'in-process' })
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

describe('a market maker desk', () => {
  it('gets from a breached hour to its CSV in 4 actions, and shares the mandate', async () => {
    const desk = await newOrganization(service)
    const { id } = await mandated(desk, {
      title: 'Two-sided quotes',
      exclusions: [
        { from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z', reason: 'Venue upgrade' },
      ],
    })
    const day = Date.UTC(2026, 0, 4) / 1000
    for (const samples of [
      samplesFrom(day, 60),
      samplesFrom(day + 36_000, 6, emptyBook),
      samplesFrom(day + 39_600, 60),
    ])
      expect((await ingest(desk, id, { samples })).status).toBe(201)
    const { context, visit, home } = await enterAs(browser, service, desk, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await actions.click(page.getByRole('link', { name: 'Makers & partners', exact: true }).first())
    await page.getByText('1 inconclusive').waitFor()
    const marked = page.getByRole('navigation', { name: 'Areas' }).locator('[aria-current]')
    expect(await marked.allTextContents()).toEqual(['Makers & partners'])
    await expectAccessible(page)
    await shots(page, 'makers')
    await actions.click(page.getByRole('link', { name: 'Two-sided quotes' }))
    await page.getByText('2026-01-04 10:00 to 11:00 UTC').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      actions.click(page.getByRole('link', { name: 'CSV, hours' })),
    ])
    expect(actions.count).toBeLessThanOrEqual(4)
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv).toMatch(/2026-01-04T10:00:00Z,2026-01-04T11:00:00Z,Breached,Breached,3600,0,0,3600/)
    await page.getByText('Uptime by hour').first().waitFor()
    await expectAccessible(page)
    await page.getByLabel('File with order books (JSON)').setInputFiles({
      name: 'noon.json',
      mimeType: 'application/json',
      buffer: Buffer.from(
        JSON.stringify({
          source: 'PUBLIC_BOOK',
          venueKey: 'book',
          samples: samplesFrom(day + 86_400, 72),
        }),
      ),
    })
    await page.getByText('72 samples of A book').waitFor()
    await button(page, 'Add evidence').click()
    await page.getByText('Added 72 samples of A book.').waitFor()
    await page.getByRole('list', { name: 'Promises' }).getByText('Met', { exact: true }).waitFor()
    await button(page, 'Create link').click()
    const links = page.getByRole('list', { name: 'Public links' })
    await links.getByRole('button', { name: /copy/i }).click()
    await links.getByText('Copied').waitFor()
    await shots(page, 'mandate')
    const url = String(await links.getByRole('link').getAttribute('href'))
    await page.goto(url)
    await page.getByRole('heading', { name: 'Two-sided quotes' }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await shots(page, 'shared-mandate')
    await page.goto(`${home}/makers/${id}`)
    await page
      .getByText(/New links work for 30 days\. Loan coverage, pay and wallets stay/)
      .waitFor()
    await page.getByText(/the reasons of exclusions as written/).waitFor()
    await links.getByRole('button', { name: 'Revoke' }).click()
    await links.getByRole('button', { name: 'Cancel' }).click()
    expect(await links.getByRole('button').allTextContents()).toEqual(['Copy link', 'Revoke'])
    expect((await fetch(url)).status).toBe(200)
    await links.getByRole('button', { name: 'Revoke' }).click()
    await links.getByRole('button', { name: 'Confirm: revoke' }).click()
    await links.waitFor({ state: 'detached' })
    expect((await fetch(url)).status).toBe(404)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})

describe('an issuer', () => {
  it('sees what blocks a passport, signs it elsewhere and publishes it in 7 actions', async () => {
    const port = String(await reservePort())
    const environment = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
    const scene = await startPassportScene(environment, { hasSigner: false })
    onTestFinished(() => stopPassportScene(scene))
    const { context, visit, home } = await enterAs(browser, scene.service, scene.owner)
    const { page } = visit
    await page.clock.setFixedTime(scene.service.clock.read())
    const actions = new Actions()
    await page.goto(`${home}/proof`)
    await actions.click(button(page, 'New passport'))
    await page.getByRole('heading', { name: '1 blocker prevents a publication' }).waitFor()
    const blockers = page.getByRole('list', { name: 'Blockers' })
    expect(await blockers.getByRole('listitem').allTextContents()).toEqual([
      'No issuer key is registered.Register an issuer key',
    ])
    await page.getByText('Resolve the blockers first.').first().waitFor()
    expect(await button(page, 'Publish passport').getAttribute('aria-disabled')).toBe('true')
    await expectAccessible(page)
    await shots(page, 'new-passport-blocked')
    await registerKey(scene.service, scene.owner, { kind: 'SIGNER_ED25519', key: scene.key })
    await actions.click(button(page, 'Read again'))
    await blockers.waitFor({ state: 'detached' })
    await actions.click(page.getByLabel('Incident details', { exact: true }))
    const { claims } = await prepared(scene, { showIncidentDetails: 'true' })
    if (claims === null) throw new Error('The claims are blocked.')
    const readValue = (claim: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: claim, exact: true }) })
        .getByRole('cell')
        .first()
        .textContent()
    await page.getByRole('cell', { name: /^\d+ incidents?$/ }).waitFor()
    expect(await readValue('Issuer')).toBe(claims.issuerName)
    expect(await readValue('Reliability')).toBe(
      `${String(claims.historicalReliabilityPips / 10_000)}\u00a0%`,
    )
    expect(await readValue('Reconciled positions')).toBe(`${claims.reconciledPositionCount}`)
    expect(await readValue('Critical incidents, 90 days')).toBe(`${claims.majorIncidentCount}`)
    expect(await readValue('Liquidity by owner')).toMatch(/^—/)
    await actions.fill(page.getByLabel('Public name'), 'example-dao')
    await shots(page, 'new-passport')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      actions.click(button(page, 'Download passport')),
    ])
    let unsigned = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(unsigned.disclosure).toMatchObject({
      showIncidentDetails: true,
      showPolicyLimits: false,
    })
    const choose = (payload: object) => {
      const signed = signPassport({ ...payload }, scene.key)
      return page.getByLabel('Choose the signed file').setInputFiles({
        name: 'signed.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(signed)),
      })
    }
    await choose({ ...unsigned, issuerName: 'Somebody else' })
    await page.getByText('signed.json differs from the downloaded passport.').waitFor()
    actions.count += 1
    await choose(unsigned)
    await page.getByText('Signed passport of Example DAO, example-dao, valid until').waitFor()
    await expectAccessible(page)
    await shots(page, 'new-passport-signed')
    // Other terms drop the download and the signed file.
    await page.getByLabel('Public name').fill('other-dao')
    await page.getByText('Signed passport of Example DAO').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Choose the signed file').isDisabled()).toBe(true)
    await page.getByLabel('Public name').fill('example-dao')
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download passport').click(),
    ])
    unsigned = JSON.parse(readFileSync(await again.path(), 'utf8'))
    await choose(unsigned)
    await page.getByText('Signed passport of Example DAO, example-dao, valid until').waitFor()
    await actions.click(button(page, 'Publish passport'))
    await page.waitForURL(`${home}/proof/passport_*`)
    await page.getByText(/^According to the service: valid, expires /).waitFor()
    await page.getByText(/^Creating files… \d of 7/).waitFor()
    await shots(page, 'published-passport')
    expect(actions.count).toBeLessThanOrEqual(7)
    const [passport] = (await scene.owner.client.listPassports()).body.data
    expect(passport!.payload.contentHash).toBe(signPassport({ ...unsigned }, scene.key).contentHash)
    // A second passport supersedes the first and keeps the values in the full form.
    await page.goto(`${home}/proof/new`)
    await page.getByText('Replaces the current passport of this vault, example-dao.').waitFor()
    await button(page, 'Open as full form').click()
    await page.waitForURL(/form=publishLiquidityPassport/)
    await page.getByRole('heading', { name: 'Publish passport' }).waitFor()
    expect(await page.getByLabel(/^Slug/).inputValue()).toBe('example-dao')
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})

describe('an auditor', () => {
  it('checks a passport and gets its bundle in 4 actions', async () => {
    const port = String(await reservePort())
    const scene = await startPassportScene({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` })
    onTestFinished(() => stopPassportScene(scene))
    const published = await publishSigned(scene, await draft(scene))
    expect(published.status).toBe(201)
    await settled(scene, published.data.reportJob.id)
    const { context, visit, home } = await enterAs(browser, scene.service, scene.owner)
    const { page } = visit
    await page.clock.setFixedTime(scene.service.clock.read())
    const actions = new Actions()
    await page.goto(`${home}/proof`)
    await actions.click(page.getByRole('main').getByRole('link', { name: 'example-dao' }))
    await page.getByText(/^According to the service: valid, expires /).waitFor()
    await page.getByText('Not checked in this browser yet.').waitFor()
    await actions.click(button(page, 'Check here'))
    await page
      .getByText(/^Checked in this browser: \d+ passed, \d+ not checked \(.*issuer key.*\)$/)
      .waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      actions.click(page.getByRole('link', { name: 'Download bundle' })),
    ])
    expect(actions.count).toBeLessThanOrEqual(4)
    const frame = page.frameLocator('iframe[title="Verification of the passport"]')
    // The frame runs without the origin of the console.
    expect(await frame.locator('body').evaluate('globalThis.origin')).toBe('null')
    await frame.getByText('No check failed, but the issuer is not confirmed.').waitFor()
    const bundle = readFileSync(await download.path())
    const url = `${scene.service.baseUrl}/api/liquidity-studio/v2/public/passports/example-dao`
    const served = await fetch(`${url}/verification-bundle`)
    expect(bundle.equals(Buffer.from(await served.arrayBuffer()))).toBe(true)
    await expectAccessible(page)
    await shots(page, 'passport')
    // The fingerprint of the issuer completes the check.
    const fingerprint = sha256Hex(Buffer.from(scene.key.publicKey.raw, 'base64'))
    await frame.getByLabel('Fingerprint of the issuer').fill(fingerprint)
    await frame.getByLabel('Fingerprint of the issuer').blur()
    await page
      .getByText(/^Checked in this browser: \d+ passed, \d+ not checked \((?!.*issuer key).*\)$/)
      .waitFor()
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})
