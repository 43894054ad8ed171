// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/research-run.tsx apps/server/src/families/intelligence/agent-runs

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { callOperation } from '../support/requests.ts'
import { protocolOf, researched } from '../support/researching.ts'
import { newOrganization, type TestService } from '../support/service.ts'
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

interface Leaf {
  leafIndex: number
  event: { kind: string }
}

it('the page of a run shows the time of its protocol lock, its log position and its cost', async () => {
  const owner = await newOrganization(service)
  const { id, payload } = await researched(owner, protocolOf())
  const leaf = await until('the protocol is in the log', async () => {
    const { data } = await callOperation<Leaf[]>(owner, 'listProofV2', {
      query: { subject: id, kind: 'LEAF', limit: 100 },
    })
    return data.find(({ event }) => event.kind === 'agent_run.protocol_sealed') ?? null
  })
  const { context, visit, home } = await enterAs(browser, service, owner)
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/agent-runs/${id}`)
  await page.getByText(`leaf ${leaf.leafIndex},`).waitFor()
  await page.getByText('The protocol was locked before data capture').waitFor()
  const hash = payload.protocolHash ?? ''
  await page.getByRole('button', { name: `Protocol hash ${hash.slice(0, 10)}` }).waitFor()
  await page.getByText(`${payload.usage.steps} of ${payload.budget.maximumSteps}`).waitFor()
  expect(await page.getByRole('button', { name: /^Outcome of / }).count()).toBe(
    payload.steps.length,
  )
  // The forest, the trials and the sentences with what they stand on.
  await page.getByRole('application', { name: 'Protocol and trials' }).waitFor()
  await page.getByRole('application', { name: 'Report sentences and their sources' }).waitFor()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, { only: colourRules })
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  // Laid out anew for the sheet, so that no picture is moved sideways to be read.
  await until('the pictures to fit the sheet', async () => {
    const widths = await page
      .locator('figure img')
      .evaluateAll((images) => images.map((image) => image.getBoundingClientRect().width))
    return widths.length > 0 && widths.every((width) => width > 240 && width <= 360)
  })
  expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
})
