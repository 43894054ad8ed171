// @covers apps/console/src/shell apps/console/src/ui apps/console/src/pages/set-up apps/console/src/pages/home.tsx apps/console/src/pages/alerts apps/console/src/pages/study-outputs.tsx apps/console/src/pages/members.tsx apps/console/src/pages/api-keys apps/console/src/pages/proposals apps/server/src/families/platform/providers

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { erc20Abi } from '@liquidity-os/localchain'
import type { Browser } from 'playwright-core'
import { formatUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from '../support/chain.ts'
import { catchUp } from '../support/custody.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import {
  current,
  type Desk,
  packetBody,
  proposed,
  startDesk,
  transferData,
} from '../support/proposing.ts'
import {
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { enterAs, expectAccessible, startBrowser, startVisitedService } from './browser.ts'
import { Actions, button, shot, shots } from './journeys.ts'

let browser: Browser
let test: TestChain
let mailbox: Mailbox
let service: TestService
let owner: TestMember
beforeAll(async () => {
  browser = await startBrowser()
  test = await startTestChain()
  mailbox = await startMailbox()
  service = await startVisitedService({
    WORKER: 'in-process',
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
  owner = await newOrganization(service)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await test?.chain.stop()
  await mailbox?.stop()
})

/** A transfer of the base token to an account that the Safe has never paid. */
const paymentOf = ({ chain, markets }: TestChain, amount: bigint) => ({
  to: markets.tokens[0],
  data: transferData(chain.accounts[5]!.address, amount),
})

describe('a head of liquidity', () => {
  it('gets from an empty organization to a copied share link in 14 actions', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await page.getByRole('heading', { name: 'Step 1: Connect a chain' }).waitFor()
    // An empty organization shows its steps only.
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(4)
    await expectAccessible(page)
    await actions.fill(page.getByLabel('RPC URL'), `${test.chain.rpcUrl}/?key=a-key`)
    await actions.click(button(page, 'Connect'))
    await page.getByRole('heading', { name: 'Connect a chain (done)' }).waitFor()
    // The URL of a node contains a secret.
    expect((await page.content()).includes('a-key')).toBe(false)
    await actions.fill(page.getByLabel('Token or pool'), test.markets.pool.address)
    await actions.click(button(page, 'Find'))
    await button(page, 'Watch market').waitFor()
    await expectAccessible(page)
    await shot(page, 'first-run-markets')
    await actions.click(button(page, 'Watch market'))
    await button(page, 'Run the first study').waitFor()
    await page.getByText('All events indexed').waitFor()
    await expectAccessible(page)
    await shot(page, 'first-run-study')
    await actions.click(button(page, 'Run the first study'))
    await page.waitForURL(`${home}/studies/study_*`)
    await actions.click(button(page, 'Create link'))
    const links = page.getByRole('list', { name: 'Public links' })
    await actions.click(links.getByRole('button', { name: /copy/i }))
    await links.getByText('Copied').waitFor()
    const url = await page.evaluate('navigator.clipboard.readText()')
    expect((await fetch(String(url))).status).toBe(200)
    expect(actions.count).toBeLessThanOrEqual(14)
    await page.goto(home)
    await page.getByRole('heading', { name: 'Open alerts' }).waitFor()
    expect(await page.getByRole('heading', { name: /^Step/ }).count()).toBe(0)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('creates an alert with a new channel and a test message in 10 actions', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await actions.click(page.getByRole('link', { name: 'Alerts', exact: true }).first())
    await actions.click(page.getByRole('link', { name: 'New alert' }))
    await actions.fill(page.getByLabel('Limit'), '1000000000')
    await page.getByText(/^Would have fired|^Would not have fired/).waitFor()
    await actions.fill(page.getByLabel('New email channel'), 'team@example.org')
    await actions.click(button(page, 'Add'))
    await page.getByRole('checkbox', { name: 'team@example.org', checked: true }).waitFor()
    await actions.click(button(page, 'Send test'))
    await mailbox.mailTo('team@example.org')
    await expectAccessible(page)
    await shot(page, 'new-alert')
    const name = await page.getByLabel('Name').inputValue()
    expect(name).toMatch(/^2 % depth of \S+ below 1000000000 \S+$/)
    await actions.click(button(page, 'Create alert'))
    await page.waitForURL(`${home}/records/alert-rules/*`)
    await page.getByRole('heading', { name }).waitFor()
    const [rule] = (await owner.client.listAlertRules()).body.data
    expect(rule?.payload).toMatchObject({
      name,
      forSeconds: 600,
      threshold: { metric: 'DEPTH_QUOTE', comparator: 'LT', bandPips: 20_000, side: 'WEAKER' },
    })
    expect(actions.count).toBeLessThanOrEqual(10)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})

describe('a reviewer', () => {
  let desk: Desk
  beforeAll(async () => {
    await catchUp(test.chain, service)
    desk = await startDesk(test, service)
  })

  it('approves a proposal in 5 actions, and sees who still has to', async () => {
    const [ann, bob] = desk.reviewers
    const payment = paymentOf(test, 3n * 10n ** 17n)
    const { id } = await proposed(desk.analyst, packetBody(service, desk, [payment]))
    const { context, visit, home } = await enterAs(browser, service, ann)
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await actions.click(page.getByRole('link', { name: 'Pay the auditor' }))
    await page.getByText('Send 0.3 ONE.').waitFor()
    await page.getByText(/^Succeeds at block/).waitFor()
    await page.getByText('Hashes verified in this browser.').waitFor()
    await page.getByText('0 of 2 approvals', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await shots(page, 'proposal')
    await actions.click(page.getByRole('checkbox', { name: /^I have read the warnings/ }))
    await actions.fill(page.getByLabel('Reason'), 'The calls match the invoice')
    await actions.click(button(page, 'Approve'))
    await page.getByText('You approved this version.').waitFor()
    expect(actions.count).toBeLessThanOrEqual(5)
    const { payload } = await current(desk.owner, id)
    expect(payload).toMatchObject({ phase: 'OPEN', approvals: [{ userId: ann.userId }] })
    const open = page.getByRole('listitem').filter({ hasText: bob.email })
    await open.getByText('Pending').waitFor()
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('blocks an approval with a comment until somebody answers, and finds the proposal in the queue', async () => {
    const [ann, bob] = desk.reviewers
    const payment = paymentOf(test, 3n * 10n ** 17n)
    const title = 'Pay the lawyer'
    const { id } = await proposed(desk.analyst, packetBody(service, desk, [payment], { title }))
    const { context, visit, home } = await enterAs(browser, service, ann)
    const { page } = visit
    await page.goto(`${home}/proposals`)
    const row = page.getByRole('row').filter({ hasText: title })
    await row.getByText('0.3 ONE').waitFor()
    await row.getByText('0 of 2').waitFor()
    await expectAccessible(page)
    await shots(page, 'proposal-queue')
    await row.getByRole('link', { name: title }).click()
    await page.getByLabel('New comment').fill('Whose account is it?')
    await page.getByLabel('Kind').selectOption({ label: 'Blocks approval until answered' })
    await button(page, 'Add comment').click()
    await page.getByText('Blocks approval, not answered').waitFor()
    await page.getByText('An open comment blocks approval.').waitFor()
    await page.getByLabel('New comment').fill('The account of the new contract.')
    await page.getByLabel('Kind').selectOption({ label: 'Answer to: Whose account is it?' })
    await button(page, 'Add comment').click()
    await page.getByText('Confirm the warnings.').waitFor()
    await page.getByRole('checkbox', { name: /^I have read the warnings/ }).check()
    await page.getByLabel('Reason').fill('The invoice is paid already')
    await button(page, 'Reject').click()
    await page.getByText('Rejected', { exact: true }).waitFor()
    expect((await current(bob, id)).payload.phase).toBe('REJECTED')
    expect(visit.faults).toEqual([])
    await context.close()
  })
})

describe('a treasurer', () => {
  it('proposes a transfer, an approval and a change of the owners without typing call data', async () => {
    await catchUp(test.chain, service)
    const desk = await startDesk(test, service)
    const { context, visit, home } = await enterAs(browser, service, desk.analyst)
    const { page } = visit
    await page.clock.setFixedTime(service.clock.read())
    const actions = new Actions()
    await page.goto(`${home}/proposals`)
    await actions.click(button(page, 'New proposal'))
    const [token] = test.markets.tokens
    const held = await test.chain.publicClient.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [desk.safe],
    })
    const digits = formatUnits(held, 18).replace(/\B(?=(\d{3})+(?!\d)(?=\.|$))/g, ',')
    await actions.select(page.getByLabel('Asset'), token.toLowerCase())
    await page.getByText(`Available: ${digits} `).waitFor()
    await page.getByText('Complete the action first.').first().waitFor()
    await expectAccessible(page)
    await shots(page, 'new-proposal-empty')
    const recipient = test.chain.accounts[5]!.address
    const wrong = recipient.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase())
    await page.getByLabel('Recipient').fill(wrong)
    await page.getByText('The checksum is wrong. Copy the address again.').waitFor()
    await actions.fill(page.getByLabel('Recipient'), recipient)
    await actions.fill(page.getByLabel('Amount'), '0.3')
    await page.getByText('Send 0.3 ONE.').waitFor()
    await expectAccessible(page)
    await shots(page, 'new-proposal')
    await actions.click(button(page, 'Create proposal'))
    await page.waitForURL(`${home}/proposals/proposal_*`)
    await page.getByText(/^Succeeds at block/).waitFor()
    expect(actions.count).toBeLessThanOrEqual(6)
    const newest = async () => (await desk.owner.client.listProposals()).body.data[0]!.payload
    const transfer = await newest()
    expect(transfer.action).toMatchObject({
      actionType: 'TREASURY_TRANSFER',
      calls: [{ to: token, data: transferData(recipient, 3n * 10n ** 17n) }],
    })
    expect(transfer.simulation.effects).toMatchObject([
      { delta: `-${3n * 10n ** 17n}`, isWithin: true },
    ])

    await page.goto(`${home}/proposals/new`)
    await page.getByLabel('Action', { exact: true }).selectOption('OWNER_CHANGE')
    await page.getByLabel('Change', { exact: true }).selectOption('REPLACE')
    const last = desk.vault.payload.control.owners.at(-1)!
    await page.getByLabel('Owner to replace').selectOption(last)
    await page.getByLabel('New owner').fill(recipient)
    await page.getByText('Replace an owner of the Safe.').waitFor()
    await shots(page, 'new-proposal-owner')
    await button(page, 'Create proposal').click()
    await page.waitForURL(`${home}/proposals/proposal_*`)
    // The simulation runs the code of the Safe, which checks the owner before the replaced one.
    await page.getByText(/^Succeeds at block/).waitFor()
    const owners = await newest()
    expect(owners.action.actionType).toBe('OWNER_CHANGE')
    expect(owners.packets[0]?.decodedCalls.map(({ functionName }) => functionName)).toEqual([
      'swapOwner',
    ])

    await page.goto(`${home}/proposals/new`)
    await page.getByLabel('Action', { exact: true }).selectOption('APPROVE')
    await page.getByLabel('Maximum amount').fill('2')
    await page.getByLabel('Contract that may spend').fill(test.chain.contracts.swapRouter)
    await page.getByText('Allow the spender to take up to 2 ONE.').waitFor()
    await button(page, 'Open as full form').click()
    await page.waitForURL(/form=createProposals/)
    expect(await page.getByLabel(/^Title/).inputValue()).toMatch(/^Allow .* to spend 2 ONE$/)
    await page.getByRole('button', { name: 'Create proposal' }).last().click()
    await page.waitForURL(`${home}/proposals/proposal_*`)
    await page.getByText(/^Succeeds at block/).waitFor()
    expect((await newest()).action.actionType).toBe('VENUE_CALLS')

    await page.goto(`${home}/proposals/new`)
    await page.getByLabel('Action', { exact: true }).selectOption('LIQUIDITY')
    await page.getByLabel('Range', { exact: true }).selectOption('FULL')
    await page
      .getByLabel(/^Largest amount of/)
      .first()
      .fill('0.01')
    await page
      .getByLabel(/^Largest amount of/)
      .last()
      .fill('0.01')
    // A local chain has no well-known position manager.
    await page.getByLabel('Position manager').fill(test.chain.contracts.positionManager)
    await page.getByText(/^Open a position in the /).waitFor()
    await expectAccessible(page)
    await shots(page, 'new-proposal-liquidity')
    await button(page, 'Create proposal').click()
    await page.waitForURL(`${home}/proposals/proposal_*`)
    await page.getByText(/^Succeeds at block/).waitFor()
    const deposit = await newest()
    expect(deposit.packets.flatMap(({ decodedCalls }) => decodedCalls)).toMatchObject([
      ...[{ functionName: 'approve' }, { functionName: 'approve' }, { functionName: 'mint' }],
      ...[{ functionName: 'approve' }, { functionName: 'approve' }],
    ])
    expect(deposit.simulation.effects?.every(({ isWithin }) => isWithin)).toBe(true)
    // Without a position manager the service rejects the calls, which the page reports at the field.
    const faults = visit.faults.filter((fault) => !fault.includes('/liquidity-calls?'))
    expect([faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})

describe('an integrator', () => {
  it('gets from a new key to an answered curl in 6 actions, and revokes the key', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await actions.click(page.getByRole('link', { name: 'Settings', exact: true }))
    await actions.click(page.getByRole('link', { name: 'API keys', exact: true }))
    await actions.select(page.getByLabel('Purpose'), 'studies')
    await expectAccessible(page)
    await shots(page, 'api-keys')
    await actions.click(button(page, 'Create key'))
    await actions.click(button(page, 'Copy: First request'))
    await button(page, 'First request copied').waitFor()
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(command).toMatch(new RegExp(`^curl .*"${service.baseUrl}/[^"]*/studies\\?limit=1"$`))
    const { stdout } = await promisify(execFile)('sh', ['-c', command])
    expect(JSON.parse(stdout).meta).toMatchObject({ count: expect.any(Number) })
    expect(actions.count).toBeLessThanOrEqual(6)
    await button(page, 'Test the key').click()
    await page.getByText(/^Answered at \d\d:\d\d:\d\d UTC, status 200$/).waitFor()
    await expectAccessible(page)
    await shots(page, 'api-key-issued')
    await button(page, 'Close').click()
    const row = page.getByRole('row').filter({ hasText: 'Run studies' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await row.getByLabel('Reason').fill('Laptop lost')
    await row.getByRole('button', { name: 'Confirm revocation' }).click()
    await row.getByText('Revoked').waitFor()
    const refused = await promisify(execFile)('sh', ['-c', command])
    expect(JSON.parse(refused.stdout).error.code).toBe(
      'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
    )
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})

describe('an owner', () => {
  it('invites a member in 4 actions, and withdraws the invitation', async () => {
    const { context, visit, home } = await enterAs(browser, service, owner)
    const { page } = visit
    const actions = new Actions()
    await page.goto(home)
    await actions.click(page.getByRole('link', { name: 'Settings', exact: true }))
    await actions.fill(page.getByLabel('Email address'), 'new@example.org')
    await actions.select(page.getByLabel('Role'), 'VIEWER')
    await actions.click(button(page, 'Invite'))
    await page.getByText('Invited new@example.org.').waitFor()
    await mailbox.mailTo('new@example.org')
    expect(actions.count).toBeLessThanOrEqual(4)
    const row = page.getByRole('row').filter({ hasText: 'new@example.org' })
    await row.getByText('Viewer').waitFor()
    await expectAccessible(page)
    await shot(page, 'members')
    await row.getByRole('button', { name: 'Withdraw' }).click()
    await row.getByRole('button', { name: 'Confirm withdrawal' }).click()
    await row.waitFor({ state: 'detached' })
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })

  it('promotes and removes a member with typed reasons, and stays while no other owner exists', async () => {
    const founder = await newOrganization(service)
    const analyst = await newMember(service, founder.organizationId, 'ANALYST')
    const { context, visit, home } = await enterAs(browser, service, founder)
    const { page } = visit
    await page.goto(`${home}/settings`)
    const own = page.getByRole('row').filter({ hasText: '(you)' })
    await own.getByText('Last owner. Promote another member first.').waitFor()
    for (const name of ['Change role', 'Remove'])
      expect(await own.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    const row = page.getByRole('table').first().getByRole('row').filter({ hasText: analyst.email })
    await row.getByRole('button', { name: 'Change role' }).click()
    await row.getByLabel('New role').selectOption('OWNER')
    await row.getByText('Enter a reason.').waitFor()
    await row.getByLabel('Reason').fill('Takes over the desk')
    await expectAccessible(page)
    await shot(page, 'members-role')
    await row.getByRole('button', { name: 'Save role' }).click()
    await row.getByRole('cell', { name: 'Owner', exact: true }).waitFor()
    expect((await mailbox.mailTo(analyst.email)).text).toContain('Takes over the desk')
    const changes = page.getByRole('table').last()
    const promotion = changes.getByRole('row').filter({ hasText: 'Analyst to Owner' })
    await promotion.getByRole('cell', { name: 'Takes over the desk' }).waitFor()
    await own.getByRole('button', { name: 'Remove' }).click()
    const confirm = own.getByRole('button', { name: 'Confirm removal' })
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
    await own.getByRole('button', { name: 'Cancel' }).click()
    const other = page
      .getByRole('table')
      .first()
      .getByRole('row')
      .filter({ hasText: analyst.email })
    await other.getByRole('button', { name: 'Remove' }).click()
    await other.getByLabel('Reason').fill('Left the company')
    await expectAccessible(page)
    await shots(page, 'members-removal')
    await other.getByRole('button', { name: 'Confirm removal' }).click()
    const removal = changes.getByRole('row').filter({ hasText: 'Removed, was Owner' })
    await removal.getByRole('cell', { name: 'Left the company' }).waitFor()
    await removal.getByRole('cell', { name: founder.email }).waitFor()
    await other.waitFor({ state: 'detached' })
    await expectAccessible(page)
    await shots(page, 'members-changes')
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    await context.close()
  })
})
