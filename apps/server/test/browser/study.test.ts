// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/study.tsx apps/console/src/pages/rerun-study.tsx apps/console/src/pages/estimates.ts

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startWorkers } from '../../src/service.ts'
import { newOrganization, type TestService } from '../support/service.ts'
import { wrapStudyStep } from '../support/study-steps.ts'
import { inlinePool, pathSpec, readStudy, study } from '../support/studying.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

let browser: Browser
let service: TestService
beforeAll(async () => {
  browser = await startBrowser()
  service = await startVisitedService({ WORKER: 'none' })
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** Something that waits until it is let go on. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { isOpen: promise, open: () => resolve() }
}

/** Large as it is estimated, and over with its first two batches. */
const spec = pathSpec({
  market: { inline: inlinePool },
  arms: [
    { armId: 'near', label: 'Near', position: { kind: 'TICKS', tickLower: -600, tickUpper: 600 } },
    {
      armId: 'wide',
      label: 'Wide',
      position: { kind: 'RANGE', lowerPips: 300_000, upperPips: 400_000 },
    },
  ],
  paths: 10_000,
  halfWidthPips: 1_000_000,
})

it('the study page shows narrowing intervals while it runs, and reruns with one changed range', async () => {
  const owner = await newOrganization(service)
  const { background } = service.services
  const [second, end] = [gate(), gate()]
  wrapStudyStep(background, 'runPaths', async (run, task) => {
    if (task.from >= 40) await second.isOpen
    return run()
  })
  wrapStudyStep(background, 'aggregatePaths', async (run) => {
    await end.isOpen
    return run()
  })
  const { data, fieldErrors } = await study(owner, spec)
  expect(fieldErrors).toEqual({})
  const { context, visit, home } = await enterAs(browser, service, owner)
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/studies/${data.study.id}`)
  await page.getByText('No results yet.').waitFor()

  const workers = await startWorkers(service.services)
  onTestFinished(() => workers.stop())
  const known = page.getByRole('list', { name: 'Interim result' })
  const spanOf = async (label: string): Promise<number> => {
    const text = await known.getByRole('listitem').filter({ hasText: label }).innerText()
    const [, low, high] = /\(([−\d.]+) to ([−\d.]+)\)/.exec(text.replaceAll(',', '')) ?? []
    const number = (text: string | undefined) => Number(text?.replace('−', '-'))
    return number(high) - number(low)
  }
  await page.getByText('40 of at most 10,000 paths').waitFor()
  const first = [await spanOf('Near'), await spanOf('Wide')]
  await expectAccessible(page)
  second.open()
  await page.getByText('200 of at most 10,000 paths').waitFor()
  const next = [await spanOf('Near'), await spanOf('Wide')]
  expect(next[0]).toBeLessThan(first[0]!)
  expect(next[1]).toBeLessThan(first[1]!)
  // Whoever opens the page now is told at once what is known.
  await page.reload()
  await page.getByText('200 of at most 10,000 paths').waitFor()
  await page.screenshot({
    path: process.env.SCREENSHOT ?? '/dev/null',
    fullPage: true,
    type: 'png',
  })
  end.open()
  await page.getByRole('list', { name: 'Final result' }).waitFor()
  await page.getByText('95 % intervals of the mean over 200 paths').waitFor()
  await expectAccessible(page)

  await page.getByText('Change and run again').click()
  await page.getByLabel('Candidate', { exact: true }).selectOption('Wide')
  await page.getByLabel('Above the price, %').fill('60')
  await page.getByRole('button', { name: 'Rerun study' }).click()
  await page.waitForURL((url) => !url.href.includes(data.study.id))
  await page.getByRole('list', { name: 'Final result' }).getByText('−30 % to +60 %').waitFor()
  const ended = (await readStudy(owner, data.study.id)).data.payload
  const request = (await readStudy(owner, page.url().split('/').at(-1)!)).data.payload
  expect(request.spec).toMatchObject({ ...spec, arms: [spec.arms[0], { armId: 'wide' }] })
  expect(request.result.evidence.seed).toBe(ended.result.evidence.seed)
  // The arm that nobody touched met the same paths.
  expect(request.result.arms[0]).toEqual(ended.result.arms[0])
  expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
})
