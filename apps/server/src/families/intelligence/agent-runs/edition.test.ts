import { H } from '@liquidity-os/evidence'
import { expect, it } from 'vitest'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { draftAssessment, rebuildAssessment } from './assessed/assessed-report.ts'
import type { Material } from './assessed/documents.ts'
import { assessmentKindOf } from './assessed/report-kinds.ts'
import { reportTexts } from './edition.ts'
import { assessHealth } from './health/assess-health.ts'
import type { Run } from './records.ts'
import { openJson, sealJson } from './sealed-json.ts'

const healthKind = assessmentKindOf('HEALTH')!
const pair = { chainId: 1, base: `0x${'1'.repeat(40)}`, quote: `0x${'2'.repeat(40)}` }
const request = {
  subject: { pair },
  question: null,
  asOf: '2026-01-31T12:00:00.000Z',
  rules: { rulesVersion: 'health-rules-v1' },
}
const item = { evidenceId: 'evidence_1', source: { kind: 'REQUEST' }, contentHash: '0x01' }
const material = {
  captureHash: `0x${'3'.repeat(64)}`,
  gaps: [],
  documents: [{ item, content: request }],
} as unknown as Material

/** Rebuilds the report of a run with this draft. */
async function rebuilt(draft: Uint8Array) {
  const bytes: Record<string, Uint8Array> = {
    '0x01': sealJson(request).content,
    '0x02': draft,
  }
  const records = { artifact: async (hash: string) => bytes[hash] } as unknown as TenantRecords
  const { captureHash, gaps } = material
  const run = { captureHash, capture: { items: [item], gaps }, draftHash: '0x02' }
  return await rebuildAssessment(healthKind, records, run as unknown as Run)
}

it('rebuilds a report of an earlier edition with its own texts', async () => {
  const assessment = assessHealth(material, 'v1')
  const draft = {
    draftVersion: 'health-draft-v1',
    assessmentHash: H('health-assessment/v1', assessment),
    sentences: [],
  }
  const { report, isOfDraft } = await rebuilt(sealJson(draft).content)
  expect(isOfDraft).toBe(true)
  expect(report.limitations).toEqual(reportTexts.v1.health)
})

it('writes new drafts in the current edition', async () => {
  const { content } = draftAssessment(healthKind, material)
  expect(openJson(content)).toMatchObject({ draftVersion: 'health-draft-v2' })
  const { report, isOfDraft } = await rebuilt(content)
  expect(isOfDraft).toBe(true)
  expect(report.limitations).toEqual(reportTexts.v2.health)
  expect(report.narrative.droppedSentences).toBe(0)
  expect(report.narrative.sentences.length).toBeGreaterThan(1)
})

it('keeps the texts of earlier reports byte for byte, because their hashes contain them', () => {
  expect(H('report-texts/v1', reportTexts.v1)).toBe(
    '0x647b4a2f9d1f2182aaa981b5c8992f08f04b0441a2813c1c65b6974947e92162',
  )
})
