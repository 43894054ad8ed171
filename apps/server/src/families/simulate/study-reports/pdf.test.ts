import { describe, expect, it } from 'vitest'
import { reportToHtml } from './html.ts'
import { reportToPdf } from './pdf.ts'
import type { HashedReport } from './study-report.ts'

const zero = `0x${'0'.repeat(64)}`
const address = `0x${'1'.repeat(40)}`

/** A report with one table of so many rows and one figure. */
function report(rows: number, more: Partial<HashedReport> = {}): HashedReport {
  return {
    schemaVersion: 'study-report-v1',
    study: { id: 'study_test', resourceVersion: zero },
    name: 'A study <script>alert(1)</script> & more',
    kind: 'REPLAY',
    state: 'COMPLETED',
    reasons: [],
    assessesMarketHealth: true,
    computedAt: '2026-01-05T12:00:00.000Z',
    headline: 'A headline with “quotes” and −1 €',
    findings: ['One'],
    pair: { chainId: 1, base: address, quote: address, baseDecimals: 18, quoteDecimals: 6 },
    venue: null,
    arms: [{ armId: 'a', label: 'Arm <A>' }],
    tables: [
      {
        id: 'rows',
        title: 'Rows',
        columns: [
          { name: 'arm', unit: 'TEXT' },
          { name: 'amount', unit: 'QUOTE_ATOMS' },
        ],
        rows: Array.from({ length: rows }, (_, index) => [`=arm ${index}`, `${index * 1_000_000}`]),
      },
    ],
    figures: [
      {
        id: 'fees',
        kind: 'FEES_AND_LVR',
        title: 'Fees',
        description: 'What was earned',
        columns: ['arm', 'feesLow', 'feesHigh', 'lvrLow', 'lvrHigh'].map((name) => ({
          name,
          unit: 'TEXT' as const,
        })),
        rows: [['a', '1', '2', '3', '4']],
        dataHash: zero,
      },
    ],
    assumptions: [{ code: 'GAS', value: 'NOT_CHARGED', source: 'DEFAULT' }],
    gaps: [],
    reproduction: {
      spec: {} as HashedReport['reproduction']['spec'],
      specHash: zero,
      resultHash: zero,
      inputs: [],
      blocks: [],
      series: [],
      engineVersion: '1',
      engineBuildHash: zero,
      seed: null,
    },
    contentHash: zero,
    ...more,
  }
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const pagesOf = (pdf: string) => pdf.match(/\/Type \/Page\n/g)?.length ?? 0

describe('the paper', () => {
  it('is the same bytes for the same report, dated as the study, with its letters in it', async () => {
    const [one, two] = [await reportToPdf(report(3)), await reportToPdf(report(3))]
    expect(Buffer.from(one).equals(two)).toBe(true)
    const pdf = textOf(one)
    // The document is long: only what was found is told.
    expect(pdf.match(/\(D:\d+Z\)/g)).toEqual(['(D:20260105120000Z)', '(D:20260105120000Z)'])
    expect(pdf.match(/\/FontFile2/g)?.length).toBeGreaterThanOrEqual(2)
    expect(pdf.match(/\/(URI|JavaScript|Launch|EmbeddedFile)\b/g)).toBeNull()
    expect(Buffer.from(one).equals(await reportToPdf(report(4)))).toBe(false)
  })

  it('continues on further pages, and marks tables and figures for screen readers', async () => {
    const [short, long] = [
      textOf(await reportToPdf(report(3))),
      textOf(await reportToPdf(report(300))),
    ]
    expect(pagesOf(long)).toBeGreaterThan(pagesOf(short) + 3)
    const heard = short.match(/\/(?:Marked true|Lang \(.*\)|Alt \(.*\))/g)
    expect(heard).toEqual(
      expect.arrayContaining(['/Marked true', '/Lang (en)', '/Alt (Fees. What was earned)']),
    )
    expect(short.match(/\/S \/Figure\n/g)).toHaveLength(1)
    expect(short.match(/\/Scope \/Column\n/g)?.length).toBe(short.match(/\/S \/TH\n/g)?.length)
    // Headings that are repeated on a page are not heard again.
    const heads = (pdf: string) => pdf.match(/\/S \/TH\n/g)?.length
    expect(heads(long)).toBe(heads(short))
  })

  it('has a heading that fits its page whatever the name is', async () => {
    const pdf = await reportToPdf(report(1, { name: 'x'.repeat(120) }))
    expect(pdf.length).toBeGreaterThan(1000)
  })
})

describe('the page', () => {
  it('takes words for words, and has nothing but its style and its pictures', () => {
    const html = reportToHtml(report(2))
    expect(html).toContain('A study &lt;script&gt;alert(1)&lt;/script&gt; &amp; more')
    expect(html).not.toMatch(/<script|<img|<link|<iframe|javascript:|\sstyle=|\son\w+=/i)
    expect(html).not.toMatch(/(?:src|href)=/)
    expect(html).toContain("default-src 'none'; style-src 'sha256-")
  })

  it('has captions and scopes in every table', () => {
    const html = reportToHtml(report(2))
    const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0
    expect(count(/<caption>/g)).toBe(count(/<table>/g))
    expect(count(/<th /g)).toBe(count(/<th scope="(?:col|row)"/g))
    expect(count(/<th>/g)).toBe(0)
  })
})
