import { describe, expect, it } from 'vitest'
import { type IssuerReports, reportsOfPair } from './issuer-reports.ts'

const pairOf = (last: string) => ({
  chainId: 1,
  baseDecimals: 18,
  quoteDecimals: 6,
  base: `0x${last.repeat(40)}`,
  quote: `0x${'e'.repeat(40)}`,
})
const [ours, other] = [pairOf('a'), pairOf('b')]
const report = (pair: typeof ours, index = 0) => ({
  pair,
  listed: {
    contentHash: `0x${index.toString(16).padStart(64, '0')}`,
    formats: ['json' as const],
    createdAt: '2026-01-05T12:00:00.000Z',
  },
})
const read = (change: Partial<IssuerReports> = {}): IssuerReports => ({
  reports: [],
  unread: 0,
  isCut: false,
  ...change,
})

describe('reports of a pair', () => {
  it('are none where all of the issuer were looked at', () => {
    const reports = [report(other)]
    expect(reportsOfPair(read({ reports }), ours)).toEqual({ value: [], missing: null })
  })

  it('are not known where older ones were not looked at, or some could not be read', () => {
    expect(reportsOfPair(read({ isCut: true }), ours)).toEqual({
      value: null,
      missing: 'Only the newest 128 reports of the issuer were checked.',
    })
    expect(reportsOfPair(read({ unread: 2 }), ours)).toEqual({
      value: null,
      missing: 'Unreadable signed reports of the issuer: 2.',
    })
  })

  it('are listed with the omitted members', () => {
    const reports = Array.from({ length: 17 }, (_, index) => report(ours, index))
    const { value, missing } = reportsOfPair(read({ reports, unread: 1, isCut: true }), ours)
    expect(value).toEqual(reports.slice(0, 16).map(({ listed }) => listed))
    expect(missing).toBe(
      'Unreadable signed reports of the issuer: 1. Only the newest 16 of the pair are listed.',
    )
    const whole = reportsOfPair(read({ reports: reports.slice(0, 16) }), ours)
    expect([whole.value?.length, whole.missing]).toEqual([16, null])
  })
})
