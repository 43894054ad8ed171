import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../../apps/server/test/browser/browser.ts'

/** Photographs the console of a running demo: `node docs/pictures/shoot-console.ts`, with the demo's DATA_DIR. */
const demo = JSON.parse(
  readFileSync(join(process.env.DATA_DIR || 'data', 'demo.json'), 'utf8'),
) as {
  baseUrl: string
  organizationId: string
  session: { cookieName: string; cookie: string }
  resources: { studyId: string }
}
const browser = await startBrowser()
const context = await browser.newContext({ viewport: { width: 1280, height: 760 } })
const { cookieName: name, cookie: value } = demo.session
await context.addCookies([{ name, value, url: demo.baseUrl }])
const page = await context.newPage()
await page.goto(`${demo.baseUrl}/o/${demo.organizationId}/studies/${demo.resources.studyId}`)
await page.getByRole('heading', { name: /^Positions vs HODL/ }).waitFor()
await page.waitForLoadState('networkidle')
await page.screenshot({ path: new URL('console-study.png', import.meta.url).pathname })
await browser.close()
