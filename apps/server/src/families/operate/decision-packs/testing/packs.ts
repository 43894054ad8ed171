import { compareOptions } from '../compare-options.ts'
import type { BoundInput, Metric, Option, Pack } from '../pack-types.ts'
import { sealed } from '../seal-pack.ts'

export const dollars = 'iso4217:USD'
export const source = {
  resourceType: 'TreasuryProjection',
  id: `treasury_projection_${'a'.repeat(32)}`,
  resourceVersion: `0x${'1'.repeat(64)}`,
} as const

export const metric = (
  metricId: string,
  value: Metric['value'],
  more: Partial<Metric> = {},
): Metric => ({
  metricId,
  label: `Figure ${metricId}`,
  value,
  unit: 'COUNT',
  better: 'HIGHER',
  source,
  pointer: '/payload/label',
  ...more,
})

export const option = (
  optionId: string,
  metrics: Metric[] = [],
  more: Partial<Option> = {},
): Option => ({
  optionId,
  label: `Option ${optionId}`,
  statusQuo: optionId === 'nothing',
  summary: '',
  metrics,
  risks: [],
  reversibility: 'REVERSIBLE',
  requires: [],
  ...more,
})

export const packInput = (change: Partial<BoundInput> = {}): BoundInput => ({
  question: 'What shall be done now?',
  options: [option('nothing'), option('act')],
  decisionBy: '2026-02-01T00:00:00.000Z',
  ...change,
})

/** A pack as it stands in a record, of a content that is not bound to anything. */
export function packOf(change: Partial<Pack> = {}): Pack {
  const { options, question, decisionBy } = packInput(
    change.options ? { options: change.options } : {},
  )
  const { criteria = [], limits = [] } = change
  return sealed({
    packVersion: 'decision-pack-v1' as const,
    origin: 'MANUAL' as const,
    question,
    context: '',
    options,
    criteria,
    limits,
    recommendation: null,
    quorum: { approvals: 2, roles: ['OWNER', 'REVIEWER'] },
    decisionBy,
    expiresAt: '2026-02-08T00:00:00.000Z',
    comparison: compareOptions({ options, criteria, limits }),
    evidence: [],
    units: [],
    moved: [],
    dissent: [],
    authors: ['user_author'],
    approvals: [],
    outcome: null,
    review: [],
    executionAuthorityGranted: false as const,
    executionPerformed: false as const,
    ...change,
  })
}
