// @covers apps/console/src/pages apps/console/src/fields apps/console/src/shell

import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printDeclarations } from '../../../console/declarations/print.ts'
import { newOrganization, type TestMember, type TestService } from '../support/service.ts'
import { enterAs, goOn, startBrowser, startVisitedService } from './browser.ts'
import { storeExample } from './stored-examples.ts'
import { findMachineTexts } from './text-scan.ts'

const { index, files } = printDeclarations()

let browser: Browser
let service: TestService
let owner: TestMember
/** Stored records by family. */
const ids = new Map<string, string>()
beforeAll(async () => {
  browser = await startBrowser()
  service = await startVisitedService()
  owner = await newOrganization(service)
  for (const { entry, get, isRecord } of files.values()) {
    const id = isRecord ? await storeExample(service, owner, get) : null
    if (id !== null) ids.set(entry.key, id)
  }
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

it('scans a record of every family with an example', () => {
  const without = index.families.filter(({ key }) => !ids.has(key)).map(({ key }) => key)
  expect(without.toSorted()).toEqual([
    'alert-channels',
    'alert-rules',
    'alerts',
    'artifacts',
    'jobs',
    'mandate-shares',
    'partner-preparations',
    'price-series',
    'proof',
    'proposal-comparisons',
    'providers',
    'quote-requests',
    'schedules',
    'treasury/project-control/proofs',
  ])
})

/** Pages without a record: Home, each tab, the pages of tasks, and each form that creates a record. */
const pagesWithoutRecord = {
  'Home and tasks': [
    ...['', 'markets/new', 'studies/new', 'alerts/new', 'proposals/new', 'proof/new'],
    ...['records', 'your-sign-in'],
  ],
  tabs: index.areas.flatMap(({ path, tabs }) => tabs.map(({ key }) => `${path}?tab=${key}`)),
  forms: [...files.values()].flatMap(({ entry, creates }) =>
    creates.map((form) => `records/${entry.key}?form=${form}`),
  ),
}

it.each(Object.entries(pagesWithoutRecord))(
  'pages without a record show no texts for machines: %s',
  async (_, paths) => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(home)
    const found: Record<string, string[]> = {}
    for (const path of paths) {
      await goOn(page, `${home}/${path}`)
      await page.getByRole('main').locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      const texts = await findMachineTexts(page)
      if (texts.length > 0) found[path] = texts
    }
    expect(found).toEqual({})
    await context.close()
  },
)

it.each(index.areas)(
  'the area $path of a filled organization shows no texts for machines',
  async ({ path: area, label }) => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(`${home}/${area}`)
    const listed = index.families.filter((entry) => entry.page.startsWith(`${area}/`))
    const found: Record<string, string[]> = {}
    const main = page.getByRole('main')
    const scan = async (path: string, ...shown: Locator[]) => {
      await goOn(page, `${home}/${path}`)
      for (const one of shown) await one.waitFor()
      await page.waitForLoadState('networkidle')
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      const texts = (await findMachineTexts(page)).filter(
        // Reviewers compare the Safe hashes of a proposal with their wallet.
        (text) => !(path.startsWith('records/proposals/') && text.startsWith('a 64-digit hash')),
      )
      if (texts.length > 0) found[path] = texts
    }
    const ofArea = new RegExp(`^${label}$`)
    const recordTitle = main.locator('h1').filter({ hasNotText: ofArea })
    for (const { key, page: place, task } of listed) {
      const [, tab = ''] = place.split('/')
      const list = `${area}?${new URLSearchParams({ tab, list: key })}`
      const title = main.getByRole('heading', { level: 2, name: task, exact: true })
      const id = ids.get(key)
      if (id === undefined) {
        await scan(list, title)
        continue
      }
      await scan(list, title, main.locator('tbody tr').first())
      await scan(`records/${key}/${id}`, recordTitle)
    }
    expect(found).toEqual({})
    await context.close()
  },
)
