// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/compare.tsx apps/console/src/pages/differences.ts

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newOrganization, type TestService } from '../support/service.ts'
import { inlinePool, pathSpec, readStudy, study } from '../support/studying.ts'
import { until } from '../support/until.ts'
import {
  colourRules,
  enterAs,
  expectAccessible,
  startBrowser,
  startVisitedService,
} from './browser.ts'

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

it('two studies are selected in their list and compared field by field, with their charts side by side', async () => {
  const owner = await newOrganization(service)
  const requestFor = (upperPips: number) =>
    pathSpec({
      market: { inline: inlinePool },
      arms: [
        {
          armId: 'wide',
          label: `To ${upperPips}`,
          position: { kind: 'RANGE', lowerPips: 300_000, upperPips },
        },
      ],
      paths: 200,
      seed: `0x${'7'.repeat(64)}`,
    })
  const idOf = ({ data }: Awaited<ReturnType<typeof study>>): string => data.study?.id ?? data.id
  const [first, second] = [
    idOf(await study(owner, requestFor(400_000))),
    idOf(await study(owner, requestFor(600_000))),
  ]
  await until('both studies have ended', async () => {
    const both = await Promise.all([first, second].map((id) => readStudy(owner, id)))
    return both.every(({ data }) => data.status === 'COMPLETED')
  })
  const { context, visit, home } = await enterAs(browser, service, owner)
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/studies`)
  await page.getByRole('button', { name: 'Compare' }).waitFor()
  await page.getByText('Select two records.').waitFor()
  await page.getByRole('checkbox', { name: first }).check()
  await page.getByRole('checkbox', { name: second }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Compare' }).press('Enter')
  await page.waitForURL((url) => url.search === `?a=${first}&b=${second}`)
  await page.getByText('Same inputs: pair').waitFor()
  const row = page.getByRole('row', { name: 'spec.arms.wide.position.upperPips' })
  expect((await row.innerText()).replaceAll('\u00a0', ' ').split(/\s*\t\s*/)).toEqual([
    ...['spec.arms.wide.position.upperPips', '40 %', '60 %', '20 %'],
  ])
  // A picture of each, told apart for whoever hears the page.
  const picture = page.getByRole('application', { name: 'vs initial capital over the paths, ' })
  await picture.nth(1).waitFor()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, { only: colourRules })
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
})

it('requires a selection of two', async () => {
  const owner = await newOrganization(service)
  const { context, visit, home } = await enterAs(browser, service, owner)
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/studies/compare`)
  await page.getByRole('link', { name: 'Select two studies' }).click()
  await page.getByText('No studies', { exact: true }).waitFor()
  expect(visit.faults).toEqual([])
})
