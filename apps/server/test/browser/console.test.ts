import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashNumber, readLanding } from '../../../../testing/changed-paths.ts'
import { findFamilies, selectFamilies } from '../../../../testing/select-families.ts'
import { printDeclarations } from '../../../console/declarations/print.ts'
import { panelOperations } from '../../../console/src/declared/panels.ts'
import type { FamilyFile } from '../../../console/src/declared/types.ts'
import { headingsOf } from '../../../console/src/fields/meaning.ts'
import { columnsOf } from '../../../console/src/pages/rows.ts'
import { decisionPacks } from '../../src/families/operate/decision-packs/records.ts'
import { recordsOf } from '../support/admissible.ts'
import {
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import {
  colourRules,
  enterAs,
  expectAccessible,
  goOn,
  openPage,
  startBrowser,
  startVisitedService,
  type Visit,
} from './browser.ts'
import { exampleOf, storeExample } from './stored-examples.ts'

const { index, files } = printDeclarations()
const dist = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

let browser: Browser
let service: TestService
let owner: TestMember
beforeAll(async () => {
  browser = await startBrowser()
  service = await startVisitedService()
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const enter = (member: TestMember, options: Parameters<Browser['newContext']>[0] = {}) =>
  enterAs(browser, service, member, options)

const expectClean = ({ faults, foreignRequests }: Visit): void => {
  expect(faults).toEqual([])
  expect(foreignRequests).toEqual([])
}

const storedExample = (operationId: string | null) => storeExample(service, owner, operationId)

const bytesOf = (pattern: string): number =>
  globSync(pattern, { cwd: dist }).reduce((sum, file) => sum + statSync(`${dist}${file}`).size, 0)

describe('build output', () => {
  it('holds to its budgets: the shell with its font, the index, and each page', () => {
    const shell = bytesOf('assets/index-*.{js,css}.br') + bytesOf('assets/*.woff2')
    expect(shell).toBeGreaterThan(100_000)
    expect(shell).toBeLessThanOrEqual(250_000)
    expect(JSON.stringify(index).length).toBeLessThanOrEqual(24_000)
    const pages = globSync('assets/*.js.br', { cwd: dist }).filter((file) => !/\/index-/.test(file))
    for (const file of pages)
      expect(statSync(`${dist}${file}`).size, file).toBeLessThanOrEqual(40_000)
  })

  it.each([...files.values()].map((file) => [file.entry.key, file] as const))(
    'names each column of %s once',
    (_key, file) => {
      const headings = ['Name', ...headingsOf(columnsOf(file), ['Name']).values()]
      expect(new Set(headings).size, headings.join(', ')).toBe(headings.length)
    },
  )

  it('names the areas, and every list on the page of all records', async () => {
    const { context, visit, home } = await enter(owner)
    await visit.page.goto(`${home}/records`)
    const navigation = visit.page.getByRole('navigation', { name: 'Areas' })
    for (const { label } of index.areas)
      await navigation.getByRole('link', { name: label, exact: true }).waitFor()
    for (const { task } of index.families.filter(({ isListed }) => isListed))
      await visit.page.getByRole('main').getByRole('link', { name: task, exact: true }).waitFor()
    await context.close()
  })
})

describe('how it is served', () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.baseUrl}${path}`, { headers, redirect: 'manual' })

  it('serves the page for every path, uncached, under a policy without third parties', async () => {
    for (const path of [
      '/',
      '/o/org_x',
      '/o/org_x/',
      '/o/org_x/treasury/projections/some_id',
      '/o/org_x/markets/',
    ]) {
      const answer = await ask(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'self'")
      expect(policy).not.toContain('unsafe')
      const again = await ask(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
      expect(again.status).toBe(304)
    }
    expect(await (await ask('/', { cookie: 'theme=dark' })).text()).toContain('data-theme="dark"')
    expect(await (await ask('/', { cookie: 'theme="><script>' })).text()).not.toContain(
      'data-theme',
    )
  })

  it('gives assets for ever, as they were compressed when they were built', async () => {
    const [name = ''] = globSync('index-*.js', { cwd: `${dist}assets` })
    const answer = await ask(`/assets/${name}`, { 'accept-encoding': 'br' })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const plain = await (
      await ask(`/assets/${name}`, { 'accept-encoding': 'identity' })
    ).arrayBuffer()
    expect(Buffer.from(plain)).toEqual(Buffer.from(await answer.arrayBuffer()))
  })

  it.each(['absent.js', '..%2Findex.html', '..%2Fmade-of', 'x.html', '%2e%2e%2fpackage.js'])(
    'gives nothing else: %s',
    async (name) => {
      expect((await ask(`/assets/${name}`)).status).toBe(404)
    },
  )
})

/** What an address shows beside the page of its path: a form, or another part of a record. */
interface PageView {
  readonly kind: Kind
  readonly search: string
  readonly isShown: (page: Page) => Locator
  readonly tellsColours: boolean
}

const provedHistory: PageView = {
  kind: 'history',
  search: 'tab=history',
  isShown: (page) => page.getByText(/verified in this browser: all hashes match/),
  tellsColours: true,
}

const formsOf = (
  { actions, operations }: FamilyFile,
  ids: readonly string[],
  kind: Kind,
  coloured?: string,
): PageView[] =>
  ids.map((id) => {
    const name = actions[id]?.label ?? operations[id]?.summary ?? ''
    return {
      kind,
      search: `form=${id}`,
      isShown: (page) => page.getByRole('heading', { name, exact: true, level: 2 }),
      tellsColours: id === coloured,
    }
  })

/** The main navigation, which is the same on every page. */
const tasks = ['nav[aria-label="Areas"]']

/**
 * Every family draws its pages with the same parts, so axe judges each kind of page on one family. The commit picks
 * the family; `npm run test:e2e -- --mode long` judges all of them.
 */
const kinds = ['list', 'create', 'record', 'history', 'change'] as const
type Kind = (typeof kinds)[number]

const landing = readLanding()
const checkedFamilies = new Map<Kind, FamilyFile>()
for (const [index, kind] of kinds.entries()) {
  const able = [...files.values()].filter((file) => hasKind(file, kind))
  const family = able[hashNumber(`${landing.commit} ${index}`) % able.length]
  if (!family) throw new Error(`No family has a page of the kind ${kind}.`)
  checkedFamilies.set(kind, family)
}

function hasKind(file: FamilyFile, kind: Kind): boolean {
  if (kind === 'list') return true
  if (kind === 'create') return file.creates.length > 0
  const hasRecord = file.isRecord && exampleOf(file.get ?? '')?.payload !== undefined
  return hasRecord && (kind !== 'change' || file.changes.length > 0)
}

const isLong = process.env.TEST_TIER === 'long'
const isJudged = (file: FamilyFile, kind: Kind): boolean =>
  isLong || checkedFamilies.get(kind) === file

/** The families whose pages are opened: a third, touched ones first, and those checked for accessibility. */
function selectShown(): FamilyFile[] {
  const all = [...files.values()]
  if (isLong) return all
  const operations = all.map((file) => [file.entry.key, Object.keys(file.operations)] as const)
  const chosen = new Set(selectFamilies(findFamilies(new Map(operations)), landing))
  const checked = new Set(checkedFamilies.values())
  const isShown = (file: FamilyFile) => chosen.has(file.entry.key) || checked.has(file)
  const waiting = all.filter((file) => !isShown(file)).map(({ entry }) => entry.key)
  console.log(`Families waiting for their turn (${waiting.length}): ${waiting.join(', ')}`)
  return all.filter(isShown)
}

/** Checks a page at its widest and its narrowest: it fits, and is accessible if `isAccessible` is true. */
async function expectSound(
  page: Page,
  path: string,
  {
    tellsColours,
    skipSelectors,
    isAccessible,
  }: { tellsColours: boolean; skipSelectors: readonly string[]; isAccessible: boolean },
): Promise<void> {
  expect(await page.getByText('Something went wrong').count(), path).toBe(0)
  await page.emulateMedia({ colorScheme: 'light' })
  if (isAccessible) await expectAccessibleColours(page, { tellsColours, skipSelectors })
  await page.setViewportSize({ width: 360, height: 780 })
  expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360)
}

async function expectAccessibleColours(
  page: Page,
  { tellsColours, skipSelectors }: { tellsColours: boolean; skipSelectors: readonly string[] },
): Promise<void> {
  await expectAccessible(page, {
    skipSelectors,
    without: tellsColours ? [] : colourRules,
  })
  if (tellsColours) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, { skipSelectors, only: colourRules })
  }
}

describe.concurrent.each(selectShown().map((file) => [file.entry.task, file] as const))(
  '%s',
  (_task, file) => {
    it('is listed, begun, shown and proved in both colours, without a fault', async () => {
      const { context, visit, home } = await enter(owner)
      const { page } = visit
      const id = file.isRecord ? await storedExample(file.get) : null
      const { key } = file.entry
      /** Opens a page by its address, and without leaving it what stands beside it under the same path. */
      const look = async (path: string, kind: Kind, views: readonly PageView[]) => {
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.goto(`${home}/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        await expectSound(page, path, {
          tellsColours: true,
          skipSelectors: path === key ? [] : tasks,
          isAccessible: isJudged(file, kind),
        })
        for (const { kind: shownKind, search, isShown, tellsColours } of views) {
          await page.setViewportSize({ width: 1280, height: 900 })
          await goOn(page, `${home}/${path}?${search}`)
          await isShown(page).waitFor()
          await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
          await expectSound(page, `${path}?${search}`, {
            tellsColours,
            skipSelectors: tasks,
            isAccessible: isJudged(file, shownKind),
          })
        }
      }
      // journeys.test.ts uses the panels. Every form is drawn by the same parts; the first one tells their colours.
      const withForm = (ids: readonly string[]) => ids.filter((id) => !panelOperations.has(id))
      const created = withForm(file.creates)
      await look(key, 'list', formsOf(file, created, 'create', created[0]))
      const changed = withForm(file.changes)
      const changes = formsOf(file, changed, 'change')
      if (id !== null) await look(`${key}/${id}`, 'record', [provedHistory, ...changes])
      // The one that is stored here was published of no vault, so it cannot be drawn; passports.test.ts draws a published one.
      const isDrawn = (fault: string) => !fault.includes('/pictures/passports/')
      expectClean({ ...visit, faults: visit.faults.filter(isDrawn) })
      await context.close()
    })
  },
)

describe('a newcomer', () => {
  it('requires a sign-in and returns to the requested page', async () => {
    const context = await browser.newContext()
    const visit = await openPage(context, service.baseUrl)
    await visit.page.goto(service.baseUrl)
    await visit.page.getByRole('heading', { name: 'Sign in to Liquidity OS' }).waitFor()
    await visit.page.getByLabel('Email address').waitFor()
    const name = service.config.sessionCookie
    await context.addCookies([{ name, value: owner.cookie, url: service.baseUrl }])
    await visit.page.goto(service.baseUrl)
    await visit.page.waitForURL(`${service.baseUrl}/o/${owner.organizationId}`)
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    expectClean(visit)
    await context.close()
  })

  it('finds a task, starts with the keyboard, shows an error next to its field, and sees it proved', async () => {
    const member = await newOrganization(service)
    const { context, visit, home } = await enter(member)
    const { page } = visit
    await page.goto(home)
    await page.getByRole('heading', { name: 'Connect a chain' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or paste an address' }).fill('bookmarks')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${home}/research?tab=projects&list=platform-projects`)
    await page.getByRole('button', { name: 'Bookmark token' }).first().click()
    await page.getByRole('button', { name: 'Bookmark token' }).last().click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('[aria-invalid="true"]').count()).toBeGreaterThan(0)
    visit.faults.length = 0
    await page.getByRole('button', { name: 'Fill with example' }).click()
    await page.getByRole('button', { name: 'Bookmark token' }).last().click()
    await page.waitForURL(`${home}/records/platform-projects/platform_project_*`)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText(/verified in this browser: all hashes match/).waitFor()
    await page.getByRole('link', { name: 'Raw' }).click()
    await page.getByText('"resourceVersion"').waitFor()
    expectClean(visit)
    await context.close()
  })

  it('shows the effects of a packet before a decision, with hashes computed in the browser', async () => {
    const id = await storedExample('getProposals')
    const { context, visit, home } = await enter(owner)
    const { page } = visit
    await page.goto(`${home}/proposals/${id}`)
    await page.getByText('Send 3 of an unknown token', { exact: false }).waitFor()
    await page.getByText('Hashes verified in this browser.').waitFor()
    await page.getByText('The Safe has never dealt with this address before.').waitFor()
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    expect(await approve.getAttribute('aria-disabled')).toBe('true')
    await page.getByText('Confirm the warnings.').waitFor()
    // What was shown is what will be sent, and nobody types it.
    expect(await page.getByLabel('Review evidence hash').count()).toBe(0)
    expectClean(visit)
    await context.close()
  })

  it('lists pending decisions, the most urgent first, without expired ones', async () => {
    const member = await newOrganization(service)
    const inDays = (days: number) =>
      new Date(service.clock.read() + days * 86_400_000).toISOString()
    const waiting = async (question: string, decisionBy: string) => {
      const { payload } = exampleOf('getDecisionPack') as VersionedRecord<object>
      const { change } = decisionPacks.first(recordsOf(service, member), {
        status: 'VALIDATED',
        event: 'decision_pack.created',
        reason: 'For the test',
        payload: {
          ...payload,
          question,
          decisionBy,
          expiresAt: decisionBy,
          approvals: [],
        } as never,
      })
      await service.services.committer.commit(change)
    }
    await waiting('Do we rest?', inDays(-1))
    await waiting('Do we go on later?', inDays(9))
    await waiting('Do we go on now?', inDays(2))
    const { context, visit, home } = await enter(member)
    await visit.page.goto(home)
    const heading = visit.page.getByRole('heading', { name: 'Waiting for you' })
    const panel = visit.page.locator('section').filter({ has: heading })
    await panel.getByRole('link', { name: 'Do we go on later?' }).waitFor()
    expect(await panel.getByRole('link').allTextContents()).toEqual([
      ...['Do we go on now?', 'Do we go on later?'],
    ])
    expectClean(visit)
    await context.close()
  })

  it('explains a missing permission, and shows no data of another organization', async () => {
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const { context, visit, home } = await enter(viewer)
    const { page } = visit
    await page.goto(`${home}/venues`)
    await page
      .getByText(/^Requires the Owner or Operator/)
      .first()
      .waitFor()
    const button = page.getByRole('button', { name: 'Add venue' }).first()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    const foreignOwner = await newOrganization(service)
    await page.goto(`${service.baseUrl}/o/${foreignOwner.organizationId}`)
    await page.getByText('Organization not found').waitFor()
    expectClean(visit)
    await context.close()
  })
})
