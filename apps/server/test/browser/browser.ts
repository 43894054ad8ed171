import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { reservePort } from '../support/ports.ts'
import { startTestService, type TestMember, type TestService } from '../support/service.ts'

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * The system's Chromium. A missing browser fails the test, because an unopened page proves no
 * property.
 */
export function startBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place && existsSync(place))
  if (!executablePath) {
    throw new Error(
      'No Chromium was found. On Debian: apt-get install chromium. Elsewhere: set CHROMIUM to its path.',
    )
  }
  // Chromium does not sandbox for the superuser, who builds in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}

/** A service at the URL that its own pages use, because a browser contacts only that URL. */
export async function startVisitedService(
  environment: Record<string, string> = {},
): Promise<TestService> {
  const port = String(await reservePort())
  const BASE_URL = `http://127.0.0.1:${port}`
  return startTestService({ PORT: port, BASE_URL, ...environment })
}

export interface Visit {
  page: Page
  foreignRequests: string[]
  /** Violations of its policy and errors of its scripts. */
  faults: string[]
}

/** A page that records policy violations. */
export async function openPage(context: BrowserContext, baseUrl: string): Promise<Visit> {
  const page = await context.newPage()
  // A busy machine is slow, not wrong: the time limit of the test ends a wait for what never comes.
  page.setDefaultTimeout(300_000)
  const visit: Visit = { page, foreignRequests: [], faults: [] }
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (/^https?:$/.test(protocol) && origin !== baseUrl) visit.foreignRequests.push(request.url())
  })
  page.on('pageerror', (error) => visit.faults.push(error.message))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) visit.faults.push(message.text())
  })
  return visit
}

/** A signed-in page, with the organization's URL; the caller closes the context. */
export async function enterAs(
  browser: Browser,
  service: TestService,
  member: TestMember,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; visit: Visit; home: string }> {
  const context = await browser.newContext(options)
  const name = service.config.sessionCookie
  await context.addCookies([{ name, value: member.cookie, url: service.baseUrl }])
  const visit = await openPage(context, service.baseUrl)
  visit.page.on('console', (message) => {
    // Examples reference missing records, so lookups of their names return 404.
    const isAbsent = /status of 404/.test(message.text())
    if (message.type() === 'error' && !isAbsent)
      visit.faults.push(`${message.text()} ${message.location().url}`)
  })
  return { context, visit, home: `${service.baseUrl}/o/${member.organizationId}` }
}

/** Goes to another address of the console as its own links do: the page is not loaded again. */
export async function goOn(page: Page, url: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(url)})`)
}

/** Rules to check a page against; default: all. */
interface Rules {
  /** Rules that can have changed since the full check of the page. */
  only?: readonly string[]
  /** Rules already covered by another page with the same parts. */
  without?: readonly string[]
  /** Selectors of parts with identical text on another page, already checked there. */
  skipSelectors?: readonly string[]
}

/** Holds the page as it now is against the rules for accessible content. */
export async function expectAccessible(
  page: Page,
  { only = [], without = [], skipSelectors = [] }: Rules = {},
): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(only.length > 0 ? { runOnly: [...only] } : {}),
  }
  const findViolations = async ([excluded, request]: readonly [
    readonly string[],
    axe.RunOptions,
  ]) => {
    // The source above has put axe into the page.
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe }
    const found = await inPage.run({ exclude: excluded.map((selector) => [selector]) }, request)
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }
  const violations = await page.evaluate(findViolations, [skipSelectors, options] as const)
  expect(violations).toEqual([])
}

/** Rules that depend only on colors. */
export const colourRules = ['color-contrast', 'link-in-text-block']
