// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/sliders.tsx apps/console/src/pages/dials.ts apps/server/src/families/plan/capital-requirements apps/server/src/families/plan/allocation-plans

import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { type ObservedVenue, observedVenue } from '../support/observed-venue.ts'
import { callOperation } from '../support/requests.ts'
import {
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

let browser: Browser
let test: TestChain
let service: TestService
let owner: TestMember
let observed: ObservedVenue
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  service = await startVisitedService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
  owner = await newOrganization(service)
  observed = await observedVenue(service, owner, test)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
})

const e18 = 10n ** 18n
const reason = 'For the test'

/** 100,000 dollars at two per cent around a price of two, in a range. */
const capital = {
  label: 'Two per cent',
  token: 'eip155:31337/slip44:60',
  quote: 'iso4217:USD',
  reference: { kind: 'DECLARED', priceX18: `${2n * 10n ** 2n}` },
  targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: '10000000' }],
  shapes: [{ shapeId: 'whole', sharePips: 1_000_000, feePips: 3_000, shape: { kind: 'V2' } }],
  volatility: { kind: 'DECLARED', annualPips: 800_000 },
}

interface Recorded<Payload> {
  id: string
  payload: Payload
}
async function made<Payload>(id: string, payload: object): Promise<Recorded<Payload>> {
  const response = await callOperation<Recorded<Payload>>(owner, id, { body: { payload, reason } })
  expect([response.code, response.fieldErrors]).toEqual(['', {}])
  return response.data
}

/** Holds the answers of a preview back until they are let go. */
async function holdAnswers(page: Page, path: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isOpen = false
  await page.route(`**${path}`, (route) => (isOpen ? route.continue() : void held.push(route)))
  return async () => {
    isOpen = true
    await Promise.all(held.map((route) => route.continue()))
  }
}

/** The amount in a cell with all its digits, as its title has it. */
const exactIn = async (page: Page, row: string, column: string): Promise<number> => {
  const cell = page.getByRole('row', { name: row }).locator(`td[data-label="${column}"]`)
  const title = await cell.locator('[title]').first().getAttribute('title')
  return Number(title?.split(' ')[0]?.replaceAll(',', ''))
}

it('the service computes the sliders of a capital study, and the saved result equals the shown one', async () => {
  const study = await made<{ base: { quote: string } }>('createCapitalRequirements', capital)
  const { context, visit, home } = await enterAs(browser, service, owner)
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/capital-requirements/${study.id}`)
  await page.getByText('Computed from current data').waitFor()
  expect(await exactIn(page, 'Target depth', 'USD')).toBe(Number(study.payload.base.quote) / 100)

  const letGo = await holdAnswers(page, '/capital-requirements/preview')
  const depth = page.getByRole('slider', { name: 'Depth', exact: true })
  await depth.focus()
  for (let press = 0; press < 30; press += 1) await page.keyboard.press('ArrowRight')
  await page.getByText('199,000 USD').waitFor()
  await page.getByText('Computing…', { exact: true }).waitFor()
  // The earlier result is still shown, but cannot be saved under the new inputs.
  expect(await exactIn(page, 'Target depth', 'USD')).toBe(Number(study.payload.base.quote) / 100)
  await page.getByText('Wait for the result.').waitFor()
  await letGo()
  await page.getByText('Computed from current data').waitFor()
  const shown = await exactIn(page, 'Target depth', 'USD')
  expect(shown / (Number(study.payload.base.quote) / 100)).toBeCloseTo(1.99, 6)
  await expectAccessible(page)
  await page.screenshot({
    path: process.env.SCREENSHOT ?? '/dev/null',
    fullPage: true,
    type: 'png',
  })

  await page.getByRole('button', { name: 'Save as new record' }).click()
  await page.waitForURL((url) => !url.href.includes(study.id))
  const kept = await callOperation<Recorded<{ request: object; base: { quote: string } }>>(
    owner,
    'getCapitalRequirements',
    { params: { id: page.url().split('/').at(-1)! } },
  )
  const targets = [{ ...capital.targets[0], depthQuote: '19900000' }]
  expect(kept.data.payload.request).toMatchObject({ ...capital, targets })
  expect(Number(kept.data.payload.base.quote) / 100).toBe(shown)
  expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
})

it('rejects a depth that its range cannot give, and names the missing permission', async () => {
  const { base, quote, chainId } = observed.pair
  const keyOf = (address: string) => `eip155:${chainId}/erc20:${address.toLowerCase()}`
  const shape = { kind: 'V3_RANGE', lowerMovePips: 20_000, upperMovePips: 100_000, tickSpacing: 60 }
  const study = await made('createCapitalRequirements', {
    ...capital,
    token: keyOf(base),
    quote: keyOf(quote),
    reference: { kind: 'DECLARED', priceX18: `${2n * e18}` },
    targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${e18}` }],
    shapes: [{ shapeId: 'near', sharePips: 1_000_000, feePips: 3_000, shape }],
  })
  const viewer = await newMember(service, owner.organizationId, 'VIEWER')
  const { context, visit, home } = await enterAs(browser, service, owner, {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  })
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/capital-requirements/${study.id}`)
  await page.getByText('Computed from current data').waitFor()
  await page.getByRole('slider', { name: 'Distance from price' }).focus()
  await page.keyboard.press('PageUp')
  await page.getByText('must reach').waitFor()
  await page.getByText('No result to save. Fix the error above.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await page.getByRole('button', { name: 'Reset inputs' }).click()
  await page.getByText('Computed from current data').waitFor()

  const reading = await enterAs(browser, service, viewer)
  onTestFinished(() => reading.context.close())
  await reading.visit.page.goto(`${reading.home}/capital-requirements/${study.id}`)
  const analysis = reading.visit.page.getByRole('heading', { name: 'Sensitivity analysis' })
  const panel = reading.visit.page.locator('section').filter({ has: analysis })
  await panel.getByText('Requires the').waitFor()
  expect(await reading.visit.page.getByRole('slider').count()).toBe(0)
  expect(reading.visit.faults).toEqual([])
})

it('an allocation that cannot be met says the least change, which one press applies', async () => {
  const request = {
    schemaVersion: 'allocation-plan-v1',
    pair: observed.pair,
    budget: { base: `${50n * e18}`, quote: `${50n * e18}` },
    options: [
      {
        optionId: 'wide',
        venue: observed.venue,
        template: { kind: 'TICKS', lower: -3000, upper: 3000 },
      },
      {
        optionId: 'narrow',
        venue: observed.venue,
        template: { kind: 'TICKS', lower: -900, upper: 900 },
      },
    ],
    targets: [{ bandPips: 20_000, side: 'BUY', minQuote: `${3n * e18}` }],
    limits: { perOptionPips: 700_000, perVenuePips: 1_000_000, perChainPips: 1_000_000 },
    horizonSeconds: 86_400,
    maxStateAgeSeconds: 3_153_600_000,
  }
  const plan = await made('createAllocationPlans', request)
  const { context, visit, home } = await enterAs(browser, service, owner)
  onTestFinished(() => context.close())
  const { page } = visit
  await page.goto(`${home}/allocation-plans/${plan.id}`)
  await page.getByText('Lowest target attainment: 100').waitFor()
  await page.getByRole('slider', { name: 'Depth', exact: true }).focus()
  await page.keyboard.press('End')
  await page.getByText('The targets cannot be met.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply smallest change' }).click()
  await page.getByText('Lowest target attainment: 100').waitFor()
  await page.getByRole('button', { name: 'Save as new record' }).click()
  await page.waitForURL((url) => !url.href.includes(plan.id))
  const kept = await callOperation<Recorded<{ state: string; request: { targets: unknown } }>>(
    owner,
    'getAllocationPlans',
    { params: { id: page.url().split('/').at(-1)! } },
  )
  const tenfold = [{ ...request.targets[0], minQuote: `${30n * e18}` }]
  const { data: answered } = await callOperation<{
    infeasibility: { relaxation: { constraint: string; to: string }[] }
  }>(owner, 'previewAllocationPlans', { body: { payload: { ...request, targets: tenfold } } })
  const [min] = answered.infeasibility.relaxation
  expect(min?.constraint).toBe('targets.0.minQuote')
  expect([kept.data.payload.state, kept.data.payload.request.targets]).toEqual([
    'COMPLETED',
    [{ ...request.targets[0], minQuote: min?.to }],
  ])
  expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
})
