import { expect, it } from 'vitest'
import type { AlertNotice } from './message.ts'
import { type AlertMessage, bodyFor, type Message, mailFor, subjectOf } from './render-message.ts'

const noticeFor = (chainId: number): AlertNotice => ({
  kind: 'OPEN',
  at: '2026-01-31T12:00:00.000Z',
  alert: {
    id: `alert_${chainId}`,
    kind: 'VENUE_STALE',
    severity: 'WARNING',
    title: 'Pool A is old',
    openedAt: '2026-01-31T11:00:00.000Z',
    subject: { pair: `${chainId}|0x00|0x01`, venueId: null },
    source: { resourceType: 'VenueProfile', id: 'venue_1', resourceVersion: '0x01' },
    evidenceHash: '0x01',
  },
})
const message = (...chains: number[]): AlertMessage => ({
  id: 'alert_message_1',
  kind: 'DIGEST',
  channelId: 'alert_channel_1',
  home: 'https://liquidity.example.org/o/org_1',
  notices: chains.map(noticeFor),
})

it('marks each alert of a local or test chain in every form of a message', () => {
  const marked = '[Simulated] Warning: Pool A is old'
  expect(subjectOf(message(31_337))).toBe(marked)
  expect(mailFor('team@example.org', message(11_155_111)).text).toContain(marked)
  const url = 'https://example.org'
  const hook = bodyFor({ kind: 'WEBHOOK', url }, message(31_337))
  expect(hook).toMatchObject({ text: expect.stringContaining(marked) })
  const pager = { kind: 'PAGERDUTY', url, routingKey: '0'.repeat(32) } as const
  expect(bodyFor(pager, message(31_337))).toMatchObject({ payload: { summary: marked } })
  const lines = mailFor('team@example.org', message(1, 31_337)).text.split('\n')
  expect(lines.filter((line) => line.includes('Pool A'))).toEqual([
    marked.replace('[Simulated] ', ''),
    marked,
  ])
})

it('says that a resolved alert opened, and that an open one is open', () => {
  const resolved: Message = {
    ...message(1),
    kind: 'RESOLVED',
    notices: [{ ...noticeFor(1), kind: 'RESOLVED' }],
  }
  expect(mailFor('team@example.org', resolved).text).toContain(
    'Resolved: Pool A is old\n  Opened 2026-01-31 11:00 UTC\n',
  )
  expect(mailFor('team@example.org', message(1)).text).toContain('Open since 2026-01-31 11:00 UTC')
})

it('links each alert, and the channel of a test or of a failed delivery', () => {
  const home = 'https://liquidity.example.org/o/org_1'
  const linksOf = (one: Message) => mailFor('team@example.org', one).text.match(/https:\S+/g)
  const stale = noticeFor(1)
  const named = { ...stale, alert: { ...stale.alert, id: 'VENUE_STALE:venue_1' } }
  expect(linksOf({ ...message(2), notices: [named, noticeFor(2)] })).toEqual([
    `${home}/go/VENUE_STALE%3Avenue_1`,
    `${home}/go/alert_2`,
  ])
  expect(linksOf({ ...message(1), kind: 'OWNERS' })).toEqual([
    `${home}/go/alert_channel_1`,
    `${home}/go/alert_1`,
  ])
  const test = { id: 'm', kind: 'TEST', channelId: 'alert_channel_1', home } as const
  expect(linksOf({ ...test, label: 'Team', at: '2026-01-31', notices: [] })).toEqual([
    `${home}/go/alert_channel_1`,
  ])
})

it('counts the alerts that exceed the limit of a receiver, and cuts no link', () => {
  const many = message(...Array.from({ length: 18 }, (_, index) => index + 1))
  const long = (one: (typeof many.notices)[number]) => ({
    ...one,
    alert: { ...one.alert, title: 'x'.repeat(250) },
  })
  const digest = { ...many, notices: many.notices.map(long) }
  const target = { kind: 'SLACK', url: 'https://hooks.example.org/x' } as never
  const { blocks } = bodyFor(target, digest) as { blocks: { text: { text: string } }[] }
  const { text } = blocks[0]!.text
  const shown = text.match(/\/go\/alert_\d+$/gm)!.length
  expect(text.length).toBeLessThanOrEqual(3000)
  expect(shown).toBeGreaterThan(3)
  expect(text.endsWith(`and ${18 - shown} more`)).toBe(true)
})
