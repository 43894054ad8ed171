// @covers apps/server/src/families/prove/passports

import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assembleVerifierPage } from '../../src/http/routes/assemble-verifier-page.ts'
import { internals, type VerifierOptions, verifyBundle } from '../../verifier/verify.mjs'
import {
  changedExamples,
  exampleBundle,
  exampleIssuerKey,
  exampleLogKey,
  rewrittenExample,
} from '../support/bundle.ts'
import { expectAccessible, startBrowser } from './browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'verifier-page-'))
const path = join(folder, 'verify.html')
writeFileSync(path, assembleVerifierPage())
const file = pathToFileURL(path)
const example = fileURLToPath(new URL('../../verifier/example/passport.zip', import.meta.url))
let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** A time between the making of the example and its end. */
const whileInForce = '2026-01-05T18:00:00Z'

/** The page from disk, in a browser without a network; what it asks for and what goes wrong in it is a fault. */
async function openVerifier({ width = 1280, dark = false, at = whileInForce } = {}) {
  const context = await browser.newContext({
    offline: true,
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(at)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => faults.push(message.text()))
  page.on('request', (request) => faults.push(request.url()))
  await page.goto(file.href)
  expect(faults.splice(0)).toEqual([file.href])
  return { page, faults, close: () => context.close() }
}

const photographed = (name: string) => ({
  path: process.env.SCREENSHOTS ? `${process.env.SCREENSHOTS}/${name}.png` : '/dev/null',
  fullPage: true,
  type: 'png' as const,
})

const words = {
  PASS: 'Passed',
  ASSERTED: 'Asserted',
  NOT_CHECKED: 'Not checked',
  FAIL: 'Failed',
}

/** What verify.mjs says, in the words and the order of the page. */
function expectedLines(bytes: Uint8Array, options: VerifierOptions): string[] {
  const { lines } = verifyBundle(bytes, { at: whileInForce, ...options })
  const codes = [...new Set(lines.map(({ code }) => code))]
  return codes.flatMap((code) =>
    lines
      .filter((line) => line.code === code)
      .map(({ result, detail }) => `${code} ${words[result]}: ${detail}`),
  )
}

const shownLines = (page: Page) =>
  page.locator('article li').evaluateAll((items) =>
    items.map((item) => {
      const title = item.closest('article')?.querySelector('h3')?.textContent ?? ''
      return `${title.split(' ')[0]} ${item.textContent}`
    }),
  )

/** Hands a bundle to the page as a person would, and waits for what it says of just this one. */
async function choose(page: Page, bytes: Uint8Array, name = 'passport.zip'): Promise<void> {
  const buffer = Buffer.from(bytes)
  await page.getByLabel('Bundle').setInputFiles({ name, mimeType: 'application/zip', buffer })
  await page.locator(`#verdict[data-file="${name}"]`).waitFor()
}

const noteOf = (page: Page) => page.getByRole('status').locator('strong').textContent()

describe('the page that verifies a bundle, from disk and without a network', () => {
  it('reports the same as verify.mjs for the example, with and without reader input', async () => {
    const { page, faults, close } = await openVerifier()
    await page.getByLabel('Bundle').setInputFiles(example)
    await page.getByText('the issuer is not confirmed').waitFor()
    expect(await shownLines(page)).toEqual(expectedLines(exampleBundle, {}))
    await page.getByLabel('Fingerprint of the issuer').fill(exampleIssuerKey)
    await page.getByLabel('Fingerprint of the issuer').blur()
    await page.getByText('No check failed, and the issuer key has your fingerprint').waitFor()
    const options = { issuerKey: exampleIssuerKey }
    expect(await shownLines(page)).toEqual(expectedLines(exampleBundle, options))
    await page.getByText('Log, witness and time').click()
    await page.getByLabel('Time of the check').fill('2027-01-01T00:00:00Z')
    await page.getByLabel('Time of the check').blur()
    await page.getByText('Do not rely on this bundle: check B15 failed.').waitFor()
    const late = { ...options, at: '2027-01-01T00:00:00Z' }
    expect(await shownLines(page)).toEqual(expectedLines(exampleBundle, late))
    await page.getByLabel('Current or former key of the log').fill(exampleLogKey)
    await page.getByLabel('Fingerprint of the issuer').fill('')
    await page.getByLabel('Time of the check').fill('')
    await page.getByLabel('Time of the check').blur()
    await page.getByText('whose key you gave').waitFor()
    const pinned = { logKey: exampleLogKey }
    expect(await shownLines(page)).toEqual(expectedLines(exampleBundle, pinned))
    await page.getByText('the log key that the issuer named, or with its successor').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('uses the current time if none is given, and treats expired claims as not in force', async () => {
    const { page, faults, close } = await openVerifier({ at: '2026-11-01T00:00:00Z' })
    await page.getByLabel('Fingerprint of the issuer').fill(exampleIssuerKey)
    await choose(page, exampleBundle)
    expect(await noteOf(page)).toBe('Do not rely on this bundle: check B15 failed.')
    const late = { issuerKey: exampleIssuerKey, at: '2026-11-01T00:00:00Z' }
    expect(await shownLines(page)).toEqual(expectedLines(exampleBundle, late))
    await page.getByText('Log, witness and time').click()
    await page.getByLabel('Time of the check').fill(whileInForce)
    await page.getByLabel('Time of the check').blur()
    await page
      .getByText(
        `No check failed for ${whileInForce}, but the passport expired at 2026-01-06T12:00:00Z.`,
      )
      .waitFor()
    await page.getByText(`PASS as of ${whileInForce}`).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('shows the verdict of the file that was chosen last, and none while a field is edited', async () => {
    const { page, faults, close } = await openVerifier()
    await page.getByLabel('Fingerprint of the issuer').fill(exampleIssuerKey)
    await page.evaluate(`(() => {
      const read = Blob.prototype.arrayBuffer
      Blob.prototype.arrayBuffer = function () {
        const bytes = read.call(this)
        if (this.name !== 'slow.zip') return bytes
        return new Promise((resolve) => {
          window.release = async () => {
            resolve(await bytes)
            await new Promise((done) => setTimeout(done))
          }
        })
      }
    })()`)
    const slow = { name: 'slow.zip', mimeType: 'application/zip', buffer: Buffer.from('no bundle') }
    await page.getByLabel('Bundle').setInputFiles(slow)
    await choose(page, exampleBundle, 'second.zip')
    const passed = await noteOf(page)
    expect(passed).toMatch(/^No check failed, and the issuer key has your fingerprint/)
    await page.evaluate('window.release()')
    expect(await noteOf(page)).toBe(passed)
    expect(await page.locator('#verdict div', { hasText: 'File' }).first().textContent()).toBe(
      'Filesecond.zip',
    )
    const verdict = page.locator('#verdict')
    await page.getByLabel('Fingerprint of the issuer').fill('0')
    expect(await verdict.isVisible()).toBe(false)
    expect(await page.locator('#findings').isVisible()).toBe(false)
    await page.getByLabel('Fingerprint of the issuer').fill(exampleIssuerKey)
    await page.getByLabel('Fingerprint of the issuer').blur()
    await verdict.waitFor()
    expect(await noteOf(page)).toBe(passed)
    expect(faults).toEqual([])
    await close()
  })

  it('names an issuer only where a signature holds', async () => {
    const { page, faults, close } = await openVerifier()
    const issuer = page.getByText('Issuer name (self-reported)')
    await choose(page, exampleBundle, 'signed.zip')
    expect(await issuer.isVisible()).toBe(true)
    const unsigned = rewrittenExample((files) => files.delete('keys.json'))
    await choose(page, unsigned, 'unsigned.zip')
    expect(await noteOf(page)).toBe('Do not rely on this bundle: check B4 failed.')
    expect(await issuer.isVisible()).toBe(false)
    expect(await page.getByText('Valid until').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await close()
  })

  it('does not read a file that is larger than a bundle can be', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'large-'))
    const path = join(folder, 'large.zip')
    writeFileSync(path, '')
    truncateSync(path, internals.limits.bytes + 1)
    const { page, faults, close } = await openVerifier()
    await page.getByLabel('Bundle').setInputFiles(path)
    await page.getByText('large.zip: The file is larger than 67108864 bytes.').waitFor()
    expect(faults).toEqual([])
    await close()
    rmSync(folder, { recursive: true })
  })

  it('agrees with verify.mjs on every line of changed and invalid bundles', async () => {
    const { page, faults, close } = await openVerifier()
    await page.getByLabel('Fingerprint of the issuer').fill(exampleIssuerKey)
    let failing = 0
    for (const [index, { path, bytes }] of [...changedExamples(1)].entries()) {
      await choose(page, bytes, `${index}.zip`)
      const lines = expectedLines(bytes, { issuerKey: exampleIssuerKey })
      expect(await shownLines(page), path).toEqual(lines)
      const isFailing = lines.some((line) => / Failed: /.test(line))
      expect((await noteOf(page))?.startsWith('Do not rely on this bundle'), path).toBe(isFailing)
      if (isFailing) failing += 1
    }
    expect(failing).toBeGreaterThan(12)
    for (const [name, bytes] of [
      ['empty.zip', new Uint8Array()],
      ['cut.zip', exampleBundle.subarray(0, 5000)],
      ['page.zip', readFileSync(file)],
    ] as const) {
      await choose(page, bytes, name)
      expect(await shownLines(page)).toEqual(expectedLines(bytes, { issuerKey: exampleIssuerKey }))
      expect(await noteOf(page)).toBe('Do not rely on this bundle: check B1 failed.')
    }
    expect(faults).toEqual([])
    await close()
  })

  it('takes a bundle that is dropped, fits a phone in both colours, and is accessible', async () => {
    for (const dark of [false, true]) {
      const { page, faults, close } = await openVerifier({ width: 390, dark })
      await expectAccessible(page)
      const dataTransfer = await page.evaluateHandle(`(() => {
        const encoded = '${exampleBundle.toString('base64')}'
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))
        transfer.items.add(new File([bytes], 'passport.zip'))
        return transfer
      })()`)
      await page.dispatchEvent('#drop', 'drop', { dataTransfer })
      await page.getByRole('heading', { name: 'B15 Validity' }).waitFor()
      await page.getByText('Log, witness and time').click()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await expectAccessible(page)
      await page.screenshot(photographed(`verifier-${dark ? 'dark' : 'light'}-390`))
      expect(faults).toEqual([])
      await close()
    }
  })
})
