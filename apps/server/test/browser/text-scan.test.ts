// @covers apps/console/src/pages apps/console/src/fields apps/console/src/shell

import type { Browser } from 'playwright-core'
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

it.each(index.areas.map(({ path }) => path))(
  'the area %s of a filled organization shows no texts for machines',
  async (area) => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    await page.goto(`${home}/${area}`)
    const listed = index.families.filter((entry) => entry.page.startsWith(`${area}/`))
    const found: Record<string, string[]> = {}
    const scan = async (path: string) => {
      await goOn(page, `${home}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      const texts = (await findMachineTexts(page)).filter(
        // Reviewers compare the Safe hashes of a proposal with their wallet.
        (text) => !(path.startsWith('records/proposals/') && text.startsWith('a 64-digit hash')),
      )
      if (texts.length > 0) found[path] = texts
    }
    for (const { key, page: place } of listed) {
      const [, tab = ''] = place.split('/')
      await scan(`${area}?${new URLSearchParams({ tab, list: key })}`)
      const id = ids.get(key)
      if (id === undefined) continue
      await page.getByRole('main').locator('tbody tr').first().waitFor()
      await scan(`records/${key}/${id}`)
    }
    expect(found).toEqual({})
    await context.close()
  },
)
