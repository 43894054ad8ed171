import type { contract } from '@liquidity-os/contract'
import {
  type ChartClass,
  type ChartSpec,
  cellSeries,
  columnsOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { type LimitUnits, limitName, limitText } from './limit-text.ts'

export type DrawnPolicy = Pick<
  contract.AutonomyPolicy,
  'comparison' | 'compilation' | 'level' | 'admission'
> & { readonly units?: LimitUnits | null }

/** Each limit before and now, the direction of the authority change, and who enforces the limit. */
export function policyCharts({
  comparison,
  compilation,
  level,
  admission,
  units = null,
}: DrawnPolicy): ChartSpec[] {
  const coverage = new Map(compilation.coverage.map((one) => [one.field, one]))
  const changed = comparison.perField.filter(({ relation }) => relation !== 'EQUAL')
  const changes = changed.map(
    ({ field, relation, before, after }) =>
      `${limitName(field)} ${relations[relation]}: ${limitText(field, before, units)} became ${limitText(field, after, units)}.`,
  )
  return [
    {
      id: 'policy-limits',
      kind: 'heat',
      title: `Level ${level}, ${admission.toLowerCase().replaceAll('_', ' ')}: ${relations[comparison.relation]} than before`,
      summary: `${changes.join(' ')} A limit that only the service checks is never shown as enforced by the chain.`,
      x: named,
      table: {
        columns: limitColumns,
        rows: comparison.perField.map(({ field, relation, before, after }) => {
          const { enforcedBy, note } = coverage.get(field) ?? { enforcedBy: '', note: '' }
          const enforcer = enforcers[enforcedBy || 'SERVICE_CHECK']
          const state = relation === 'EQUAL' ? '' : relation
          return [
            ...[field, relation, limitText(field, before, units), limitText(field, after, units)],
            ...[enforcer, note, limitName(field), state, relations[relation]],
          ]
        }),
      },
      series: cellSeries('name', {
        change: ['Change', 'state'],
        before: 'Before',
        now: 'Now',
        who: 'Enforced by',
      }),
      classes: usedClasses(
        limitClasses,
        changed.map(({ relation }) => relation),
      ),
    },
  ]
}

const relations = {
  EQUAL: 'equal',
  NARROWER: 'tighter',
  WIDER: 'looser',
  INCOMPARABLE: 'not comparable',
} as const
const enforcers = {
  ONCHAIN: 'chain',
  BOTH: 'chain and service',
  SERVICE_CHECK: 'service only',
} as const
const limitClasses: readonly ChartClass[] = [
  { value: 'NARROWER', label: 'Tighter: one user may change it', tone: 'good' },
  { value: 'WIDER', label: 'Looser: only Safe owners may change it', tone: 'bad' },
  { value: 'INCOMPARABLE', label: 'Not comparable: only Safe owners may change it', tone: 'warn' },
]
const limitColumns = columnsOf({
  limit: 'Limit',
  relation: 'Relation',
  before: 'Before',
  now: 'Now',
  who: 'Enforced by',
  note: 'Note',
  name: 'Name',
  state: 'State',
  change: 'Change',
})
