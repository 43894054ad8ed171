// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/study.tsx apps/console/src/pages/verdict.ts apps/console/src/pages/arm-intervals.tsx

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newOrganization, type TestService } from '../support/service.ts'
import { inlinePool, pathSpec, readStudy, study } from '../support/studying.ts'
import { until } from '../support/until.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'

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

const arm = (armId: string, label: string, upperPips: number) => ({
  armId,
  label,
  position: { kind: 'RANGE' as const, lowerPips: 300_000, upperPips },
})

it.each([360, 1280])(
  'the figures of a picture are read by arrows and by the pointer, %i pixels wide',
  async (width) => {
    const owner = await newOrganization(service)
    const { data } = await study(
      owner,
      pathSpec({
        market: { inline: inlinePool },
        arms: [arm('near', 'Near', 400_000), arm('far', 'Far', 900_000)],
        paths: 200,
        seed: `0x${'7'.repeat(64)}`,
      }),
    )
    const id: string = data.study?.id ?? data.id
    await until('the study has ended', async () => {
      return (await readStudy(owner, id)).data.status === 'COMPLETED'
    })
    const { context, visit, home } = await enterAs(browser, service, owner)
    onTestFinished(() => context.close())
    const { page } = visit
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${home}/studies/${id}`)
    const figure = page
      .getByRole('figure')
      .filter({ has: page.getByRole('application') })
      .first()
    const chart = figure.getByRole('application')
    await chart.waitFor()
    const status = figure.getByRole('status')
    const before = await chart.boundingBox()
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    const first = await status.innerText()
    await page.keyboard.press('ArrowRight')
    const second = await status.innerText()
    expect(second).not.toBe(first)
    await page.keyboard.press('Home')
    expect(await status.innerText()).toBe(first)
    // Nothing moves below whoever reads.
    expect((await chart.boundingBox())?.height).toBe(before?.height)
    if (width === 360) await expectAccessible(page)
    await page.keyboard.press('t')
    await page.getByRole('region', { name: /^Chart data: / }).waitFor()
    await page.keyboard.press('Escape')
    expect(await status.innerText()).toBe('')

    // Below a pointer nothing moves, however little of the picture is seen.
    await chart.evaluate((one) => one.scrollIntoView({ block: 'start' }))
    const stood = await chart.boundingBox()
    await page.mouse.move(stood!.x + stood!.width / 2, stood!.y + 100)
    await status.locator('dt').first().waitFor()
    expect(await chart.boundingBox()).toEqual(stood)
    // A click keeps a row, one elsewhere another, and a second on the same lets go.
    const press = (across: number) =>
      page.mouse.click(stood!.x + stood!.width * across, stood!.y + 100)
    await press(0.3)
    await status.locator('dt').first().waitFor()
    await press(0.6)
    await status.locator('dt').first().waitFor()
    await press(0.6)
    await page.mouse.move(0, 0)
    expect(await status.innerText()).toBe('')
    await page.screenshot({ path: process.env.SCREENSHOT ?? '/dev/null', type: 'png' })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
  },
  240_000,
)
