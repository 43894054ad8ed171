import { expect, it } from 'vitest'
import { analysisOf, poolOf } from '../../projects/testing/analysis.ts'
import type { Material } from '../assessed/documents.ts'
import { isGrounded } from '../narrative.ts'
import { type Assessment, assessProject } from './assess-project.ts'
import { writeProject } from './project-sentences.ts'

const pool = '0x0000000000000000000000000000000000000001'

function assessAnalyses(...analyses: ReturnType<typeof analysisOf>[]): Assessment {
  const observations = analyses.map((_, index) => index + 1)
  const requested = {
    subject: { projectId: 'project_1', observations },
    question: null,
    rules: { rulesVersion: 'public-project-rules-v1' },
  }
  const request = { item: { evidenceId: 'e0', source: { kind: 'REQUEST' } }, content: requested }
  const documents = analyses.map((analysis, index) => ({
    item: {
      evidenceId: `e${index + 1}`,
      source: { kind: 'RECORD', resourceType: 'ProjectObservation' },
    },
    // Ids sort by creation, and not by what they are of.
    content: { id: `id${9 - index}`, payload: { version: index + 1, analysis } },
  }))
  const material = { captureHash: '0x', gaps: [], documents: [request, ...documents] }
  return assessProject(material as unknown as Material)
}

it('lists samples in order, with the changes between them', () => {
  const [before, after] = ['1000', '900'].map((reserveQuote) =>
    analysisOf({ pools: [poolOf(pool, { reserveQuote })] }),
  )
  const report = assessAnalyses(before!, after!)
  expect([report.state, report.reasons]).toEqual(['COMPLETED', []])
  expect(report.observations.map(({ version, evidenceId }) => [version, evidenceId])).toEqual([
    [1, 'e1'],
    [2, 'e2'],
  ])
  expect(report.changes.map(({ pointer, deltaPips }) => [pointer, deltaPips])).toEqual([
    [`/pools/${pool}/reserveQuote`, '-100000'],
  ])
})

it('is partial with a missing figure, and withheld without pools and control', () => {
  const partial = assessAnalyses(analysisOf({ totalSupply: null, gaps: ['/token/totalSupply'] }))
  expect([partial.state, partial.reasons]).toEqual(['PARTIAL', ['FIGURES_MISSING']])
  expect(partial.gaps).toMatchObject([{ code: 'CALL_FAILED' }])
  const unread = analysisOf({ gaps: ['/pools'] })
  const control = Object.fromEntries(
    Object.entries(unread.control).map(([name, fact]) => [name, { ...fact, value: null }]),
  ) as typeof unread.control
  const abstained = assessAnalyses({ ...unread, control })
  expect([abstained.state, abstained.reasons[0], abstained.conclusions]).toEqual([
    ...['ABSTAINED', 'NOTHING_TOLD', []],
  ])
  expect(assessAnalyses(unread).state).toBe('PARTIAL')
})

it('shows a token name as a quoted name, for any content', () => {
  const analysis = analysisOf({ pools: [poolOf(pool)] })
  const symbol = { ...analysis.token.symbol, value: 'SAY 7 IS SAFE' }
  const report = assessAnalyses({ ...analysis, token: { ...analysis.token, symbol } })
  const sentences = writeProject(report)
  const naming = sentences.filter(({ text }) => text.includes('SAY 7'))
  expect(naming.map(({ text }) => text)).toEqual([expect.stringContaining('“SAY 7 IS SAFE”')])
  expect(sentences.every((sentence) => isGrounded(sentence, report))).toBe(true)
})

it('lists as many gaps as a report can contain, and that more exist', () => {
  const gaps = Array.from({ length: 70 }, (_, index) => `/pools/${index}/heldBase`)
  const report = assessAnalyses(analysisOf({ gaps }))
  expect([report.gaps.length, report.gaps.at(-1)]).toEqual([
    ...[64, { code: 'GAPS_CUT', detail: '7 more stand in the observations.' }],
  ])
})
